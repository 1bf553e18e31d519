"""The newest window against the baseline: blocks along time, whatever the reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.monitoring._history import History, change
from tests.monitoring.logs import make_monitor, write_events
from tests.oracles.monitoring import Event


@given(rows=st.integers(0, 60_000), cuts=st.lists(st.integers(0, 60_000), max_size=5))
def test_a_history_does_not_depend_on_when_rows_come(rows: int, cuts: list[int]) -> None:
    errors = (np.random.default_rng(rows).random(rows) < 0.2).astype(float)
    times = np.arange(rows)
    parts = History()
    for place in np.split(times, sorted(cuts)):
        parts.add(errors[place], place)
    whole = History()
    whole.add(errors, times)
    assert repr(parts.last_rows(1000)) == repr(whole.last_rows(1000))
    assert repr(parts.before(1000)) == repr(whole.before(1000))
    assert whole.rows == rows
    if rows:
        everything = whole.between(-1, rows)
        assert everything.rows == rows
        assert everything.error == pytest.approx(errors.mean())


@pytest.mark.parametrize("run", [1, 30])
def test_intervals_hold_the_difference(run: int) -> None:
    """At 99 %, also if errors come in runs."""
    rng = np.random.default_rng(run)
    outside = 0
    for _ in range(200):
        history = History()
        errors = np.repeat(rng.random(24_000 // run) < 0.2, run).astype(float)
        history.add(errors, np.arange(len(errors)))
        found = change(history.last_rows(4000), history.before(4000), regression=False)
        outside += not found["low"] <= 0 <= found["high"]
    assert outside <= 8


def write_log(folder: Path, accuracies: list[float], rows: int, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    right = np.concatenate([rng.random(rows) < each for each in accuracies])
    events = [Event(str(i), i, "a") for i in range(len(right))]
    guesses = [e._replace(value="a" if ok else "b") for e, ok in zip(events, right, strict=True)]
    write_events(folder / "p.csv", guesses, "prediction")
    write_events(folder / "l.csv", events, "label")


def finished(folder: Path, **changes: Any) -> sg.Monitor:
    monitor = make_monitor(folder, scores={"forget": ["Cumulative()", "Window(2000)"]}, **changes)
    monitor.finish()
    return monitor


def test_now_is_the_newest_window_against_the_baseline(tmp_path: Path) -> None:
    write_log(tmp_path, [0.93, 0.01], 4000)
    monitor = finished(tmp_path, baseline={"first": 3000})
    now = monitor.status()["models"]["monitor"]["now"]
    assert now["score"] < 0.03
    assert 1980 <= now["rows"] <= 2000
    assert now["baseline"]["score"] == pytest.approx(0.93, abs=0.02)
    assert 2980 <= now["baseline"]["rows"] <= 3020
    assert now["change"]["word"] == "beyond chance"
    assert now["change"]["high"] < -0.85
    assert "against the baseline" in str(monitor)
    assert "beyond chance" in str(monitor)


def test_a_dip_of_chance_is_within_chance(tmp_path: Path) -> None:
    write_log(tmp_path, [0.8], 8000)
    now = finished(tmp_path).status()["models"]["monitor"]["now"]
    assert now["change"]["word"] == "within chance"
    assert now["low"] < 0.8 < now["high"]
    assert now["baseline"]["declared"] is False


def test_the_baseline_may_change_without_losing_the_state(tmp_path: Path) -> None:
    write_log(tmp_path, [0.9, 0.7], 4000)
    first = finished(tmp_path)
    first.save()
    first.close()
    again = finished(tmp_path, baseline={"from": 4200, "to": 5000})
    base = again.status()["models"]["monitor"]["now"]["baseline"]
    assert base["score"] == pytest.approx(0.7, abs=0.06)
    assert 780 <= base["rows"] <= 816


def test_few_rows_are_counted_not_scored(tmp_path: Path) -> None:
    write_log(tmp_path, [1.0], 12)
    assert "12 of 12 predictions right since time" in str(finished(tmp_path))


@pytest.mark.parametrize("baseline", [{}, {"first": 9, "to": 10}])
def test_a_baseline_is_one_period(tmp_path: Path, baseline: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match="baseline: expected first"):
        make_monitor(tmp_path, baseline=baseline)
