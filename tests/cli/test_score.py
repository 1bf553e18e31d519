"""streamgauge score: logged predictions are evaluated like a learner's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from tests.cli.running import Shell, run


def write_log(path: Path, rows: int = 600) -> tuple[list[str], list[str | None]]:
    """Write labels in runs of five; two thirds of predictions are right, a tenth are missing."""
    truth = ["ham" if i // 5 % 2 else "spam" for i in range(rows)]
    other = {"ham": "spam", "spam": "ham"}
    guess = [None if i % 10 == 0 else t if i % 3 else other[t] for i, t in enumerate(truth)]
    lines = [
        f"{i},{i + 4},{t},{g or ''}\n" for i, (t, g) in enumerate(zip(truth, guess, strict=True))
    ]
    path.write_text("t,r,label,guess\n" + "".join(lines))
    return truth, guess


def test_output_agrees_with_the_library(tmp_path: Path) -> None:
    truth, guess = write_log(tmp_path / "log.csv")
    code, out, err = run(
        tmp_path,
        *("score", "log.csv", "--true", "label", "--pred", "guess", "--fading", "0.9"),
        *("--json", "out.json"),
    )
    assert (code, err) == (0, "")
    scored = sg.score(truth, guess, forget=[sg.Cumulative(), sg.Fading(0.9)], name="log")
    lines = out.splitlines()
    assert lines[0] == "log · 600 rows · 1 feature · 2 classes · labels Immediate()"
    assert lines[3].split()[:2] == ["log", f"{scored.overall['accuracy']:.2%}"]
    assert "log is worse than repeating the last label (Persistent: " in out
    assert str(scored.verdict) in out
    (written,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written["summary"] == scored.to_dict()["summary"]
    assert written["classes"] == ["ham", "spam"]
    assert written["overall"]["coverage"] == pytest.approx(0.9)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.csv", "out.json"]


def test_late_labels_are_scored_and_saved(shell: Shell) -> None:
    truth, guess = write_log(Path("log.csv"))
    code, out, err = shell(
        "score", "log.csv", "--true", "label", "--pred", "guess", "--arrives", "t",
        "--revealed", "r", "--warmup", "100", "--window", "50", "--save", "kept",
    )  # fmt: skip
    assert (code, err) == (0, "")
    late = sg.score(
        truth, guess, arrives=range(600), revealed=range(4, 604), warmup=100,
        forget=[sg.Cumulative(), sg.Window(50)], name="log",
    )  # fmt: skip
    assert "labels FromStream() · first 100 rows not scored" in out
    (saved,) = Path("kept").iterdir()
    kept = json.loads((saved / "run.json").read_text(encoding="utf-8"))
    assert kept["summary"] == late.to_dict()["summary"]
    assert kept["references"] == late.to_dict()["references"]


def test_numeric_labels_are_classes_or_regression_targets(shell: Shell) -> None:
    Path("log.csv").write_text("y,p\n" + "0,0\n1,1\n1,?\n0,1\n" * 30)
    code, out, _ = shell("score", "log.csv", "--true", "y", "--pred", "p")
    assert code == 0
    assert "2 classes" in out
    assert "50.00%" in out
    values = np.linspace(0, 1, 120)
    Path("reals.csv").write_text("y,p\n" + "".join(f"{v},{v / 2}\n" for v in values))
    code, out, _ = shell("score", "reals.csv", "--true", "y", "--pred", "p")
    assert code == 0
    assert "regression" in out
    assert f"{values.mean() / 2:.3f}" in out  # the mean absolute error


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        (None, [], "no such file: log.csv"),
        ("", [], "log.csv: has no rows; expected a header line"),
        ("y,p\n", [], "log.csv: has a header but no rows"),
        ("y,q\n0,1\n", [], "log.csv: no column 'p'; the columns are y, q"),
        ("y,p,p\n0,1,1\n", [], "column name 'p' appears more than once"),
        ("y,p\n1,1\n1,1\n", [], "truth and predictions have only one label (1)"),
        ("y,p\nu,0.5\nv,0.7\n", [], "labels such as 'u' and predictions such as 0.5"),
        ("y,p\n0,1\n1\n", [], "Row #3: Expected 2 columns, got 1"),
        ("y,p\n0.5,inf\n1,1\n", [], "row 0: y_pred is infinite"),
        ("y,p,t\n0,1,5\n1,0,x\n", ["--revealed", "t"], "row 1 (line 3): column 't' is 'x'"),
        ("y,p,t\n0,1,5\n1,0,0\n", ["--revealed", "t"], "row 1: its label is revealed at 0"),
        ("y,p\n0,1\n1,0\n", ["--warmup", "2"], "warmup=2: expected 0 or more"),
    ],
)
def test_invalid_log_is_one_line(
    shell: Shell, text: str | None, options: list[str], complaint: str
) -> None:
    if text is not None:
        Path("log.csv").write_text(text)
    code, out, err = shell("score", "log.csv", "--true", "y", "--pred", "p", *options)
    assert (code, out) == (2, "")
    assert err.startswith("streamgauge: ")
    assert complaint in err
    assert err.count("\n") == 1
