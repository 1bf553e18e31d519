"""Corrections of labels: the figures are those of the moment, however many points there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.monitoring.logs import make_monitor, write_events
from tests.oracles.monitoring import Event


@pytest.mark.parametrize("every", [1, 5, 10, 7])
def test_corrections_after_the_last_point_are_shown(tmp_path: Path, every: int) -> None:
    write_events(tmp_path / "p.csv", [Event(str(i), i, "a") for i in range(30)], "prediction")
    labels = [Event(str(i), i + 1, "a") for i in range(30)]
    write_events(tmp_path / "l.csv", [*labels, Event("25", 40, "b"), Event("26", 41, "b")], "label")
    monitor = make_monitor(tmp_path, scores={"every": every, "forget": ["Cumulative()"]})
    monitor.finish()
    curve = monitor.curves["monitor"]
    assert curve.rows.tolist() == sorted({*range(every, 31, every), 30})
    assert curve["accuracy"].tolist() == [1.0] * (len(curve.rows) - 1) + [28 / 30]


def test_a_point_left_out_of_a_long_curve_is_still_the_last(tmp_path: Path) -> None:
    write_events(tmp_path / "p.csv", [Event(str(i), i, "a") for i in range(30)], "prediction")
    labels = [Event(str(i), i + 1, "a" if i < 20 else "b") for i in range(30)]
    write_events(tmp_path / "l.csv", labels, "label")
    monitor = make_monitor(tmp_path, scores={"every": 2, "points": 4, "forget": ["Cumulative()"]})
    monitor.finish()
    curve = monitor.curves["monitor"]
    assert curve.rows.tolist() == [8, 16, 24, 30]
    assert curve["accuracy"][-1] == 20 / 30


def test_labels_before_their_prediction_may_be_corrected(tmp_path: Path) -> None:
    write_events(tmp_path / "p.csv", [Event(str(i), 10, "a") for i in range(4)], "prediction")
    early = [Event("0", 1, "a"), Event("0", 2, "b"), Event("1", 3, "b"), Event("1", 4, "b")]
    early += [Event("2", 5, "b"), Event("2", 6, "c"), Event("2", 7, "b")]
    write_events(tmp_path / "l.csv", [*early, Event("3", 20, "a")], "label")
    monitor = make_monitor(tmp_path, scores={"forget": ["Cumulative()", "Window(20)"]})
    monitor.finish()
    model = monitor.status()["models"]["monitor"]
    assert model["counts"] == {
        "a label before its prediction by the clocks; it counts from then on": 3,
        "a second label of an id, the same as the first": 1,
        "a correction of a label; it changes what is cumulative only": 3,
    }
    assert model["figures"]["Cumulative()"]["accuracy"] == 1 / 4
    assert model["figures"]["Window(20)"]["accuracy"] == 2 / 4


def test_a_slip_that_is_corrected_leaves_no_trace(tmp_path: Path) -> None:
    write_events(tmp_path / "p.csv", [Event(str(i), i, "1.5") for i in range(9)], "prediction")
    labels = [Event(str(i), i, "1e9" if i == 3 else "1.0") for i in range(9)]
    write_events(tmp_path / "l.csv", [*labels, Event("3", 20, "1.0")], "label")
    monitor = make_monitor(tmp_path, classes=None, task="regression")
    monitor.finish()
    run = monitor.runs["monitor"]
    assert run.curve.last("Cumulative()")["rmse"] == run.overall["rmse"] == 0.5
    assert run.verdict.against[0].learner_score == pytest.approx(0.5, abs=1e-6)
