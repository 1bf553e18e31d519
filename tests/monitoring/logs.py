"""Logs for the tests of monitoring, and what `score` says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from tests.oracles.monitoring import Event, Log

FORGET = ["Cumulative()", "Window(20)", "Fading(0.9)", "TimeWindow(30)"]
CLASSES = ["a", "b", "c"]
EVERY = 10


def write_events(path: Path, events: Iterable[Event], value: str) -> None:
    """Write events as CSV, in this order."""
    lines = [f"id,time,{value}", *(",".join(map(str, event)) for event in events)]
    path.write_text("\n".join(lines) + "\n")


def config(**changes: Any) -> dict[str, Any]:
    """A configuration for p.csv and l.csv; `changes` replace whole tables."""
    return {
        "predictions": {"path": "p.csv", "prediction": "prediction"},
        "labels": {"path": "l.csv"},
        "classes": CLASSES,
        "join": {"timeout": 50, "remember": 20},
        "scores": {"forget": FORGET, "every": EVERY},
    } | changes


def make_monitor(folder: Path, **changes: Any) -> sg.Monitor:
    return sg.Monitor(config(**changes), home=folder)


def score_of(log: Log, timeout: int = 50, every: int = EVERY, name: str = "monitor") -> sg.Run:
    """What `score` says of joined rows."""
    rows = log.rows
    revealed = [None if row.revealed is None else row.revealed for row in rows]
    return sg.score(
        [row.label for row in rows],
        [row.prediction or None for row in rows],
        arrives=[row.arrives for row in rows],
        revealed=np.array([-1 if each is None else each for each in revealed])
        if None not in revealed
        else _with_missing(revealed),
        classes=CLASSES,
        timeout=timeout,
        forget=[sg.Cumulative(), sg.Window(20), sg.Fading(0.9), sg.TimeWindow(30)],
        every=every,
        name=name,
    )


def _with_missing(times: Sequence[int | None]) -> Any:
    import pyarrow as pa

    return pa.array(times, pa.int64())


def assert_same(run: sg.Run, expected: sg.Run) -> None:
    """All figures are equal, bit for bit."""
    assert run.curve.rows.tolist() == expected.curve.rows.tolist()
    assert run.curve.metrics == expected.curve.metrics
    for ours, theirs in zip(run.curve.values, expected.curve.values, strict=True):
        assert np.array_equal(ours, theirs, equal_nan=True)
    assert repr(run.confusion) == repr(expected.confusion)
    assert repr(run.references) == repr(expected.references)
    assert repr(run.overall) == repr(expected.overall)
    assert str(run.verdict) == str(expected.verdict)
    assert run.counts.scored == expected.counts.scored
    assert run.counts.rows == expected.counts.rows


def facts(monitor: sg.Monitor) -> dict[str, Any]:
    """All that a monitor says, but for the memory that it takes."""
    status = monitor.status()
    for model in status["models"].values():
        del model["bytes"]
    curves = {
        name: (curve.rows.tolist(), [each.tobytes() for each in curve.values])
        for name, curve in monitor.curves.items()
    }
    runs = {
        run.name: (repr(run.overall), repr(run.confusion), str(run.late_labels))
        for run in monitor.runs
    }
    return {"status": status, "events": monitor.events, "curves": curves, "runs": runs}


def random_log(rows: int, seed: int, wait: int = 40) -> tuple[list[Event], list[Event]]:
    """Predictions in order of time, and their labels in the order in which they come."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.integers(0, 3, rows))
    y = rng.choice(CLASSES, rows)
    guess = np.where(rng.random(rows) < 0.7, y, rng.choice(CLASSES, rows))
    revealed = times + rng.integers(0, wait, rows)
    known = rng.random(rows) > 0.1
    predictions = [Event(str(i), int(times[i]), str(guess[i])) for i in range(rows)]
    labels = [
        Event(str(i), int(revealed[i]), str(y[i]))
        for i in np.argsort(revealed, kind="stable").tolist()
        if known[i]
    ]
    return predictions, labels


def corrected(labels: Sequence[Event], seed: int) -> list[Event]:
    """The labels in order of time, with repeats and corrections of some of them."""
    rng = np.random.default_rng(seed)
    found = list(labels)
    for label in labels:
        for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
            again = label.time + int(rng.integers(0, 25))
            found.append(Event(label.id, again, str(rng.choice(CLASSES))))
    return sorted(found, key=lambda event: event.time)
