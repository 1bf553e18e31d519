"""streamgauge detect: alarms, the scorecard, saved runs, --json and errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.rendering.layout import wide, wrap
from tests.cli.running import Shell


def write_stream(path: Path, rows: int = 3000) -> Path:
    """The label is the sign of x, then its opposite."""
    x = np.random.default_rng(1).normal(size=rows)
    y = (x > 0) ^ (np.arange(rows) >= rows // 2)
    labels = np.where(y, "yes", "no")
    lines = [f"{value:.6f},{label}\n" for value, label in zip(x, labels, strict=True)]
    path.write_text("x,y\n" + "".join(lines))
    return path


def test_output_agrees_with_the_library(shell: Shell) -> None:
    path = write_stream(Path("turn.csv"))
    asked = [
        "--detector",
        "PageHinkley(threshold=20)",
        "--detector",
        "river:drift.ADWIN(delta=0.01)",
    ]
    truth = ["--drift-at", "1500", "--accept", "800", "--delay", "10", "--json", "new/out.json"]
    code, out, err = shell("detect", "turn.csv", *asked, *truth)
    assert (code, err) == (0, "")
    one = sg.evaluate(sg.read(path, "y"), sg.NaiveBayes(), labels=sg.Delay(10))
    found = sg.detect(one, asked[1::2], drifts=[1500])
    with wide(2000):
        assert out == f"{wrap(found.head(), 2000)}\n{found.score(accept=800)}\n"
    shown = " ".join(out.split())
    assert "1 true drift in 3,000 rows, detected if an alarm follows within 800 rows" in shown
    written = json.loads(Path("new/out.json").read_text(encoding="utf-8"))
    card = json.loads(json.dumps(found.score(accept=800).to_dict()))
    assert written == json.loads(json.dumps(found.to_dict())) | {"scorecard": card}
    assert written["scorecard"]["scores"]["PageHinkley(threshold=20)"]["detections"] == 1


def test_seed_changes_the_random_alarms(shell: Shell) -> None:
    """`--seed` seeds the 200 draws; without it, a saved run's own seed does."""
    asked = ["--detector", "PeriodicAlarm(400)", "--drift-at", "1000", "-v"]
    outs = {}
    for seed in ("1", "2"):
        _, outs[seed], _ = shell("detect", "table.csv", *asked, "--seed", seed)
    table = [
        line for line in outs["1"].splitlines() if line.lstrip().startswith(("Random", "95 %"))
    ]
    assert len(table) >= 2
    assert outs["1"] != outs["2"]
    _, out, _ = shell("detect", "table.csv", *asked)
    assert out == outs["1"]
    shell("evaluate", "table.csv", "--seed", "2", "--save", "kept")
    (saved,) = map(str, Path("kept").iterdir())
    _, out, _ = shell("detect", saved, *asked)
    assert out == outs["2"]


def test_default_detectors_without_known_drifts(shell: Shell) -> None:
    code, out, err = shell("detect", "table.csv", "--learner", "Persistent")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(
        "table · Persistent · labels Immediate() · 2,000 scored, 5.2 % wrong"
    )
    usual = ["DDM()", "EDDM()", "ADWIN()", "PageHinkley()"]
    assert [
        line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in usual
    ] == usual
    told = "To score the alarms, give the true drifts: --drift-at ROW, or --no-drift."
    assert " ".join(out.split()).endswith(told)


def test_no_drift_makes_every_alarm_false(shell: Shell) -> None:
    code, out, _ = shell("detect", "table.csv", "--no-drift", "--detector", "PeriodicAlarm(500)")
    assert code == 0
    assert "2,000 rows without a drift: every alarm is false" in out
    blind = next(line for line in out.splitlines() if line.startswith("PeriodicAlarm(500)"))
    assert blind.split()[1:] == ["4", "4", "500"]


def test_saved_run_is_used_without_running_again(shell: Shell) -> None:
    shell("evaluate", "table.csv", "--learner", "Majority", "--save", "kept")
    (saved,) = map(str, Path("kept").iterdir())
    code, out, err = shell("detect", saved, "--detector", "DDM", "--drift-at", "1000:20")
    assert (code, err) == (0, "")
    with wide(2000):
        assert str(sg.detect(saved, ["DDM"], drifts=[(1000, 20)])) in out
    code, _, err = shell("detect", saved, "--learner", "KNN", "--delay", "3")
    assert code == 2
    assert "is a saved run; remove --learner --delay" in " ".join(err.split())


def test_help_has_examples(shell: Shell) -> None:
    code, out, _ = shell("detect", "--help")
    assert code == 0
    assert "\n  streamgauge detect elec2 --detector " in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.csv"], "no such file: nowhere.csv"),
        (["table.csv", "--detector", "Foo"], "detector 'Foo': unknown name 'Foo'; expected a name"),
        (["table.csv", "--detector", "adwn"], "unknown name 'adwn' (did you mean 'ADWIN'?)"),
        (["table.csv", "--detector", "NeverAlarm(p=1)"], "has no parameter 'p'; it has none"),
        (["table.csv", "--detector", "DDM(1"], "detector 'DDM(1': "),
        (
            ["table.csv", "--detector", "DDM(drift_threshold=1)"],
            "expected 0 < warning_threshold <= drift_threshold",
        ),
        (["table.csv", "--detector", "PageHinkley(on=3)"], "on is 3; expected Cumulative()"),
        (["table.csv", "--detector", "NaiveBayes"], "expected a detector, got NaiveBayes"),
        (["table.csv", "--drift-at", "5000"], "drifts: got row 5,000, width 0, in a stream of"),
        (["table.csv", "--drift-at", "soon"], "--drift-at soon: expected a row such as 15000"),
        (["table.csv", "--drift-at", "5", "--no-drift"], "contradict each other"),
        (["table.csv", "--accept", "5"], "--accept needs the true drifts; give them"),
        (["table.csv", "--drift-at", "5", "--accept", "0"], "accept=0: expected 1 row or more"),
        (["table.csv", "--json", "table.csv/x"], "cannot write the alarms"),
        (["table.csv", "--drift-at", "5", "--seed", "-1"], "seed=-1; expected an integer, 0 or"),
        (["table.csv", "--delay", "0"], "Delay(0): a label cannot be revealed before"),
    ],
)
def test_errors_are_one_line(shell: Shell, arguments: list[str], complaint: str) -> None:
    code, _, err = shell("detect", *arguments)
    assert code == 2
    assert err.startswith("streamgauge: ")
    assert complaint in err
    assert err.count("\n") == 1
