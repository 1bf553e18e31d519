"""streamgauge compare and rank: saved runs, tables, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import streamgauge as sg
from tests.cli.running import Shell, run


@pytest.fixture
def saved(shell: Shell) -> list[str]:
    """Two runs over table.csv in results/."""
    code, _, err = shell(
        "evaluate", "table.csv", "--learner", "NaiveBayes", "--learner", "Majority"
    )
    assert (code, err) == (0, "")
    return sorted(map(str, Path("results").iterdir()), reverse=True)  # NaiveBayes, then Majority


def test_two_saved_runs(saved: list[str], shell: Shell) -> None:
    code, out, err = shell(
        "compare", *saved, "--forget", "Cumulative()", "--forget", "Fading(0.99)",
        "--json", "out/pair.json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    pair = sg.compare(saved[0], saved[1], forget=[sg.Cumulative(), sg.Fading(0.99)])
    assert isinstance(pair, sg.Comparison)
    assert out == f"{pair}\n"
    assert "NaiveBayes is better than Majority: error rate" in out
    assert json.loads(Path("out/pair.json").read_text(encoding="utf-8")) == pair.to_dict()


def test_several_and_a_reference(saved: list[str], shell: Shell) -> None:
    code, out, _ = shell("compare", *saved, "Persistent", "--json", "all.json")
    assert code == 0
    assert "2 comparisons, each at 99 %" in out
    written = json.loads(Path("all.json").read_text(encoding="utf-8"))
    assert [pair["b"] for pair in written] == ["Majority", "Persistent"]


def test_a_process_of_its_own(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "compare", "--help")
    assert (code, err) == (0, "")
    assert "Example: streamgauge compare results/elec2-NaiveBayes-*" in " ".join(out.split())
    assert "--forget" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "at least two"),
        (["nowhere", "there"], "nowhere: no saved run here"),
    ],
)
def test_runs_that_are_none(shell: Shell, arguments: list[str], complaint: str) -> None:
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
        (["--forget", "Window(0)"], "a window holds at least one row"),
        (["--forget", "__import__('os')"], "is not a forgetting"),
        (["--compat", "moa"], "expected None or 'gama2013'"),
        (["--loss", "absolute"], "expected 'zero_one' for classification"),
        (["--json", "table.csv/x.json"], "name another place with --json"),
    ],
)
def test_options_that_are_none(
    saved: list[str], shell: Shell, options: list[str], complaint: str
) -> None:
    code, _, err = shell("compare", *saved, *options)
    assert code == 2
    assert complaint in err


def test_rank_a_table(shell: Shell) -> None:
    Path("scores.csv").write_text(
        "stream,tree,bayes,last\nelec2,0.5,0.4,0.7\nweather,0.3,0.2,0.1\nrialto,0.2,0.1,0\n"
    )
    code, out, err = shell("rank", "scores.csv", "--diagram", "ranks.svg", "--json", "ranks.json")
    assert (code, err) == (0, "")
    assert "tree ranks first, not clearly ahead of any other" in out
    assert "Drawn to ranks.svg" in out
    assert "<svg" in Path("ranks.svg").read_text(encoding="utf-8")
    written = json.loads(Path("ranks.json").read_text(encoding="utf-8"))
    assert written["streams"] == ["elec2", "weather", "rialto"]
    assert written["average_ranks"]["tree"] == pytest.approx(4 / 3)
    _, out, _ = shell("rank", "scores.csv", "--lower")
    assert "bayes ranks first" in out


def test_rank_saved_runs(shell: Shell) -> None:
    for rows in ("500", "900"):
        shell(
            "evaluate", "table.csv", "--rows", rows, "--learner", "NaiveBayes", "--learner",
            "Majority",
        )  # fmt: skip
    saved = sorted(map(str, Path("results").iterdir()))
    code, out, err = shell("rank", *saved, "--metric", "accuracy")
    assert (code, err) == (0, "")
    assert "2 learners · 2 streams · higher scores are better" in out
    assert "NaiveBayes ranks first" in out


def test_rank_what_is_no_table(shell: Shell) -> None:
    Path("bad.csv").write_text("stream,a,b\none,1,2\ntwo,x,3\n")
    Path("holes.csv").write_text("stream,a,b\none,1,2\ntwo,,3\n")
    for arguments, complaint in (
        (["bad.csv"], "column 'a': expected one number per stream"),
        (["holes.csv"], "no score of a on two"),
        (["bad.csv", "holes.csv"], "several tables"),
        (["none.csv"], "no such file"),
    ):
        code, _, err = shell("rank", *arguments)
        assert code == 2
        assert complaint in err
