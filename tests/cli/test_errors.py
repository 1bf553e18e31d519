"""Errors on the command line: one message, the right exit code, complete results kept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from streamgauge._support import progress
from streamgauge.prequential.loop import BLOCK_ROWS, Loop, ScoredRows
from tests.cli.running import Shell, Terminal, run

BREAKS = "river:naive_bayes.GaussianNB()"  # for numeric features, so it fails on text


def write_trap(path: Path, rows: int = 400, trap: int = 250) -> Path:
    """Write a nominal feature that is missing until the row where the learner fails."""
    lines = [f"{i % 7},{'red' if i == trap else ''},{i // 5 % 2}\n" for i in range(rows)]
    path.write_text("a,colour,y\n" + "".join(lines))
    return path


def test_failing_learner_exits_with_1_and_keeps_results(shell: Shell) -> None:
    """Partial results, and no traceback."""
    write_trap(Path("trap.csv"))
    arguments = ["evaluate", "trap.csv", "--target", "y", "--learner", "NaiveBayes", "--learner",
                 BREAKS, "--json", "o.json"]  # fmt: skip
    code, out, err = shell(*arguments)
    assert code == 1
    assert "Traceback" not in out + err
    assert err.count("\n") == 1
    assert err.startswith("streamgauge: GaussianNB failed at row 250 of trap: TypeError: ")
    assert "GaussianNB* " in out
    assert "* GaussianNB failed at row 250: TypeError" in out
    assert "What follows covers the 250 rows scored before that." in out
    complete, broken = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert (complete["status"], complete["counts"]["scored"]) == ("complete", 400)
    assert (broken["status"], broken["counts"]["scored"]) == ("failed", 250)
    assert broken["failure"]["row"] == 250
    assert "TypeError" in broken["failure"]["traceback"]
    assert len(list(Path("results").iterdir())) == 2

    code, out, err = shell(*arguments, "--debug")
    assert code == 1
    assert err.startswith("Traceback (most recent call last):")
    assert "TypeError" in err
    assert "LearnerError: GaussianNB failed at row 250" in err


def test_bad_input_exits_with_2(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "evaluate", "nowhere.csv", "--target", "y")
    assert (code, out) == (2, "")
    assert err.startswith("streamgauge: no such file: nowhere.csv; expected a file (.csv, ")
    assert err.endswith(" or the name of a data set such as elec2\n")
    code, out, err = run(tmp_path, "evaluate", "nowhere.csv", "--target", "y", "--debug")
    assert (code, out) == (2, "")
    assert "Traceback (most recent call last):" in err
    assert "InputError: no such file: nowhere.csv" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("", [], "bad.csv: has no rows; expected a header line"),
        ("a,y\n", [], "bad.csv: has a header but no rows"),
        ("a,label\n1,0\n2,1\n", [], "no column 'y'"),
        ("a,yy\n1,0\n2,1\n", [], "no column 'y' (did you mean 'yy'?)"),
        ("a,y\n1,0\n2,0\n", [], "target 'y' is 0 in every row"),
        ("a,y\n1,0\ninf,1\n", [], "row 1 (line 3): column 'a' is infinite"),
        ("a,a,y\n1,1,0\n2,2,1\n", [], "column name 'a' appears more than once"),
        ("a,y\n1,0\nx,1\n", [], "row 1 (line 3): column 'a' is 'x', but the values"),
        ("a,y\n1,0\n2\n", [], "Row #3: Expected 2 columns, got 1"),
        ("a,y\n1,0\n2,1\n", ["--delay", "0"], "Delay(0): a label cannot be revealed before"),
        ("a,y\n1,0\n2,1\n", ["--labels", "Chunks(0)"], "Chunks(0)"),
        ("a,y\n1,0\n2,1\n", ["--labels", "Sampled(2)"], "Sampled(2)"),
        ("a,y\n1,0\n2,1\n", ["--delay", "2", "--labels", "Chunks(3)"],
         "conflicting label policies: Chunks(3) and Delay(2); give only one"),
        ("a,y\n1,0\n2,1\n", ["--labels", "Dela(2)"], "did you mean 'Delay'?"),
        ("a,y\n1,0\n2,1\n", ["--labels", "Delay(2)", "--delay", "2"], "conflicting label pol"),
        ("a,y\n1,0\n2,1\n", ["--forget", "Windo(2)"], "did you mean 'Window'?"),
        ("a,y\n1,0\n2,1\n", ["--rows", "0"], "take(0): expected at least 1 row"),
        ("a,y\n1,0\n2,1\n", ["--warmup", "5"], "warmup=5: expected 0 or more"),
        ("a,y\n1,0\n2,1\n", ["--forget", "Window(0)"], "Window(0)"),
        ("a,y\n1,0\n2,1\n", ["--forget", "Fading(1.5)"], "Fading(1.5)"),
        ("a,y\n1,0\n2,1\n", ["--task", "guess"], "--task guess"),
        ("a,y\n1,0\n2,1\n", ["--drop", "b"], "no column 'b'"),
        ("a,y\n1,0\n2,1\n", ["--learner", "NaiveByes"], "unknown name 'NaiveByes'"),
        ("a,y\n1,0\n2,1\n", ["--protocol", "Holdout(9)"], "'Holdout(9)' is not a protocol: "),
        ("a,y\n1,0\n2,1\n", ["--protocol", "Holdout(0, 5)"], "expected every >= 1"),
        ("a,y\n1,0\n2,1\n", ["--protocol", "PrequentialCV(3, 'x')"], "expected mode='cv'"),
        ("a,y\n1,0\n2,1\n", ["--protocol", "open('x')"], "is not a protocol: unknown name 'open'"),
        ("a,y\n1,0\n2,1\n", ["--protocol", "Holdout(5,"], "'Holdout(5,' is not a protocol: "),
        ("a,y\n1,0\n2,1\n", ["--learner", "river:tree.Oak()"], "module 'tree' has no class 'Oak'"),
        ("a,y\n1,0\n2,1\n", ["--learner", "os.abort()"], "unknown name 'os.abort'"),
        ("t,r,y\n1,1,0\n2,1,1\n", ["--arrives", "t", "--revealed", "r"],
         "row 1: its label is revealed at 1, before the row arrives at 2"),
        ("t,r,y\n2,5,0\n1,5,1\n", ["--arrives", "t", "--revealed", "r"],
         "row 1: arrives at 1, earlier than the row before it (2)"),
        ("t,r,y\n1,5,0\n2,soon,1\n", ["--revealed", "r"],
         "row 1 (line 3): column 'r' is 'soon'; expected an integer or an ISO 8601 time"),
    ],
)  # fmt: skip
def test_error_is_one_line_without_results(
    shell: Shell, text: str, options: list[str], complaint: str
) -> None:
    Path("bad.csv").write_text(text)
    code, out, err = shell("evaluate", "bad.csv", "--target", "y", *options)
    assert (code, out) == (2, "")
    assert err.startswith("streamgauge: ")
    assert complaint in err
    assert err.count("\n") == 1
    assert not Path("results").exists()


def test_misspelt_data_set_gets_a_suggestion(shell: Shell) -> None:
    code, out, err = shell("inspect", "kdd99")
    assert (code, out) == (2, "")
    assert "unknown data set 'kdd99' (did you mean 'kdd99_10pct'?)" in err


def test_usage_errors_exit_with_2(shell: Shell) -> None:
    for arguments in (["evaluate"], ["evaluate", "table.csv", "--delay", "soon"],
                      ["evaluate", "table.csv", "--nonsense"], ["judge"],
                      ["score", "table.csv"]):  # fmt: skip
        code, out, err = shell(*arguments)
        assert (code, out) == (2, "")
        assert "Usage: streamgauge" in err
        assert "Traceback" not in err


def test_ambiguous_target_is_an_error(shell: Shell) -> None:
    Path("other.csv").write_text("a,b\n1,x\n2,y\n")
    Path("both.csv").write_text("y,class\n1,x\n2,y\n")
    for name in ("other.csv", "both.csv"):
        code, out, err = shell("evaluate", name)
        assert (code, out) == (2, "")
        assert err.startswith(f"streamgauge: {name}: cannot tell which of its columns is the label")
        assert err.endswith("; name it with target=..., or --target on the command line\n")


def test_target_is_found_by_usual_name(shell: Shell) -> None:
    named, guessed = (shell("evaluate", "table.csv", *more) for more in (["--target", "y"], []))
    assert named[0] == guessed[0] == 0
    assert named[1].splitlines()[-1] == guessed[1].splitlines()[-1]  # the same run


def test_column_options_are_rejected_for_data_sets(shell: Shell) -> None:
    """They would change the data, so they are errors and not ignored."""
    code, out, err = shell("evaluate", "elec2", "--target", "target", "--drop", "period")
    assert (code, out) == (2, "")
    assert "elec2 is a data set with fixed columns; remove --target --drop" in err
    code, _, err = shell("evaluate", "elec2", "--arrives", "when")
    assert (code, "remove --arrives" in err) == (2, True)
    code, _, err = shell("evaluate", "elec2", "--labels-first")
    assert (code, "name their column with --revealed" in err) == (2, True)


def test_unreachable_package_index_is_an_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run_pip(*command: Any, **options: Any) -> Any:
        raise subprocess.TimeoutExpired("pip", 1)

    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "run", run_pip)
    code, out, err = shell("evaluate", "elec2")
    assert (code, out) == (2, "")
    assert "streamgauge: cannot download scikit-multiflow==0.4.1" in err


def test_invalid_row_keeps_results_before_it(shell: Shell) -> None:
    bad = 2 * BLOCK_ROWS + 100
    rows = [f"{i},{i + 1},{i // 5 % 2}\n" for i in range(bad + 100)]
    rows[bad] = f"3,{bad + 1},1\n"
    Path("late.csv").write_text("t,r,y\n" + "".join(rows))
    code, out, err = shell("evaluate", "late.csv", "--target", "y", "--arrives", "t",
                           "--revealed", "r", "--json", "o.json")  # fmt: skip
    assert code == 2
    assert (
        f"streamgauge: row {bad}: arrives at 3, earlier than the row before it ({bad - 1})" in err
    )
    assert "Persistent" in out
    (kept,) = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert kept["status"] == "failed"
    assert bad - BLOCK_ROWS <= kept["counts"]["scored"] <= bad
    assert len(list(Path("results").iterdir())) == 1


def test_unwritable_results_are_printed_first(shell: Shell) -> None:
    for option in ("--json", "--save"):
        code, out, err = shell("evaluate", "table.csv", "--target", "y", option, "table.csv/x")
        assert code == 2
        assert "NaiveBayes is better than" in out  # printed before the error
        assert "streamgauge: cannot write the results: " in err
        assert err.count("\n") == 1
    assert len(list(Path("results").iterdir())) == 1  # saved although the JSON was not


def test_progress_bar_is_shown_only_on_a_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = ("evaluate", "table.csv", "--target", "y", "--learner", "Majority")
    shell(*evaluate)  # compiles, if the cache is empty
    monkeypatch.delenv("STREAMGAUGE_QUIET")
    monkeypatch.setattr(progress, "_SHOW_AFTER", 0.0)  # as if it took over a second
    assert shell(*evaluate).err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    code, out, _ = shell(*evaluate)
    assert code == 0
    assert "Majority" in out
    assert "rows/s" in terminal.text
    assert "reading table" in terminal.text


def test_ctrl_c_exits_with_130_and_says_where_the_partial_run_is(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = Loop.scored

    def interrupted(loop: Loop, block_rows: int) -> Iterator[list[ScoredRows]]:
        yield from islice(scored(loop, 500), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(Loop, "scored", interrupted)
    code, out, err = shell("evaluate", "table.csv")
    assert code == 130
    (saved,) = Path("results").iterdir()
    assert saved.name.endswith(".failed")
    assert "What follows covers the 1,000 rows scored before that." in out
    assert "1 run in results" in out
    place = saved.absolute()
    assert err == (
        f"streamgauge: interrupted after 1,000 rows; the partial run is saved to {place}\n"
    )
