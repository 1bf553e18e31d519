"""streamgauge compare: saved runs, options and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.rendering.layout import wide
from tests.cli.running import Shell, run


@pytest.fixture
def saved(shell: Shell) -> list[str]:
    """Two runs over table.csv in results/."""
    code, _, err = shell(
        "evaluate", "table.csv", "--learner", "NaiveBayes", "--learner", "Majority"
    )
    assert (code, err) == (0, "")
    return sorted(map(str, Path("results").iterdir()), reverse=True)  # NaiveBayes, then Majority


def test_two_saved_runs_are_compared(saved: list[str], shell: Shell) -> None:
    code, out, err = shell(
        "compare", *saved, "--forget", "Cumulative()", "--forget", "Fading(0.99)",
        "--json", "out/pair.json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    pair = sg.compare(saved[0], saved[1], forget=[sg.Cumulative(), sg.Fading(0.99)])
    assert isinstance(pair, sg.Comparison)
    with wide(80):
        assert out == f"{pair}\n"
    assert "A = NaiveBayes" in out
    assert "▼ worse: B is" in out
    assert json.loads(Path("out/pair.json").read_text(encoding="utf-8")) == pair.to_dict()


def test_several_runs_and_a_reference_are_compared(saved: list[str], shell: Shell) -> None:
    code, out, _ = shell("compare", *saved, "Persistent", "--json", "all.json")
    assert code == 0
    assert "2 comparisons, each at 99 %" in out
    written = json.loads(Path("all.json").read_text(encoding="utf-8"))
    assert [pair["b"] for pair in written] == ["Majority", "Persistent"]


def test_equal_within_is_asked(saved: list[str], shell: Shell) -> None:
    code, out, _ = shell("compare", *saved, "--equal-within", "0.9", "--json", "equal.json", "-v")
    assert code == 0
    assert (
        "NaiveBayes and Majority are equal within ± 90 percentage points: the 99 % interval"
        in " ".join(out.split())
    )
    written = json.loads(Path("equal.json").read_text(encoding="utf-8"))
    assert written["equivalent"] is True


def test_help_has_an_example(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "compare", "--help")
    assert (code, err) == (0, "")
    assert "Example: streamgauge compare results/" in " ".join(out.split())
    assert "--forget" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "got one run, nowhere; expected at least two to compare"),
        (["nowhere", "there"], "nowhere: not a saved run"),
    ],
)
def test_missing_runs_are_errors(shell: Shell, arguments: list[str], complaint: str) -> None:
    code, out, err = shell("compare", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--forget", "Windows(10)"],
            "'Windows(10)' is not a forgetting: unknown name 'Windows' (did you mean 'Window'?)",
        ),
        (["--forget", "Window(0)"], "expected w >= 1 row"),
        (["--forget", "__import__('os')"], "is not a forgetting"),
        (["--compat", "moa"], "expected None or 'gama2013'"),
        (["--equal-within", "-1"], "equal_within=-1.0: expected a difference of mean losses"),
        (["--loss", "absolute"], "expected 'zero_one' for classification"),
        (["--json", "table.csv/x.json"], "cannot write the comparison: "),
    ],
)
def test_invalid_options_are_errors(
    saved: list[str], shell: Shell, options: list[str], complaint: str
) -> None:
    code, _, err = shell("compare", *saved, *options)
    assert code == 2
    assert complaint in err
