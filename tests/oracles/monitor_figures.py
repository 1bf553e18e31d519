"""The figures and alarms of a monitor, one event at a time: docs/monitoring.md, semantics §2."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles import metrics, references
from tests.oracles.monitoring import Log, Row

Figures = dict[str, dict[str, float]]  # by forgetting and metric


class Point(NamedTuple):
    """The figures after a scored row that is due."""

    rows: int
    time: int
    figures: Figures


class AlarmEvent(NamedTuple):
    """An alarm that is raised or ends."""

    time: int
    rule: int  # its place among the rules
    state: str
    row: int
    value: float


@dataclass
class Rule:
    """A threshold, with hysteresis."""

    over: str
    metric: str
    below: float
    clear: float
    rows: int


@dataclass
class Replay:
    """What the monitor shows: the points of its curve, and the figures at the end."""

    points: list[Point]
    end: Figures


def classified(
    log: Log,
    classes: list[str],
    every: int,
    names: list[str],
    proba: Callable[[Row], list[float]] | None = None,
) -> Replay:
    """The figures of a classifier; `proba`: the probabilities of a row's prediction."""
    k = len(classes)
    first = {row: classes.index(each.label) for row, each in enumerate(log.rows) if each.label}
    y = [first.get(row, -1) for row in range(len(log.rows))]
    events = _events(log)
    known = {
        which: references.predictions(which, events, y, k)
        for which in ("majority", "persistent", "transition")
    }
    seasonal = references.seasonal(events, y)
    places = {row: place for place, row in enumerate(row for kind, row in events if kind == "P")}

    def scored(row: int, label: str) -> metrics.Scored:
        predicted = log.rows[row].prediction
        return metrics.Scored(
            classes.index(label),
            classes.index(predicted) if predicted else -1,
            known["majority"][row],
            known["persistent"][row],
            known["transition"][row],
            seasonal[places[row]],
            None if proba is None else proba(log.rows[row]),
        )

    def measured(rows: list[tuple[int, str]], weights: list[float]) -> dict[str, float]:
        data = [scored(row, label) for row, label in rows]
        return {name: metrics.metric(name, data, weights, k) for name in names}

    return _replayed(log, every, measured)


def predicted(log: Log, every: int, names: list[str]) -> Replay:
    """The figures of a regressor."""

    def measured(rows: list[tuple[int, str]], weights: list[float]) -> dict[str, float]:
        data = [(float(label), float(log.rows[row].prediction)) for row, label in rows]
        return {name: metrics.regression(name, data, weights) for name in names}

    return _replayed(log, every, measured)


def _events(log: Log) -> list[tuple[str, int]]:
    """Arrivals and reveals in order: at one time arrivals first, then labels in row order."""
    arrivals = [(row.arrives, 0, number, "P") for number, row in enumerate(log.rows)]
    reveals = [
        (row.revealed, 1, number, "L")
        for number, row in enumerate(log.rows)
        if row.revealed is not None
    ]
    return [(kind, row) for *_, row, kind in sorted([*arrivals, *reveals])]


def _replayed(
    log: Log,
    every: int,
    measured: Callable[[list[tuple[int, str]], list[float]], dict[str, float]],
) -> Replay:
    revealed: list[tuple[int, str, int]] = []  # row, the label that came first, time
    latest: dict[int, str] = {}
    points: list[Point] = []

    def figures() -> Figures:
        ordered = [(row, label) for row, label, _ in revealed]
        n, now = len(revealed), revealed[-1][2] if revealed else 0
        return {
            "Cumulative()": measured(list(latest.items()), [1.0] * n),
            "Window(20)": measured(ordered, [float(i >= n - 20) for i in range(n)]),
            "Fading(0.9)": measured(ordered, [0.9 ** (n - 1 - i) for i in range(n)]),
            "TimeWindow(30)": measured(ordered, [float(now - 30 < t) for *_, t in revealed]),
        }

    for change in log.in_order():
        latest[change.row] = change.new
        if change.old is None:
            revealed.append((change.row, change.new, change.time))
            if len(revealed) % every == 0:
                points.append(Point(len(revealed), change.time, figures()))
    return Replay(points, figures())


def alarms(points: list[Point], rules: list[Rule]) -> list[AlarmEvent]:
    """What happens to alarms, in order of time, then of the rules."""
    found = []
    for place, rule in enumerate(rules):
        firing = False
        for rows, time, figures in points:
            value = figures[rule.over][rule.metric]
            if math.isnan(value):
                continue
            if not firing and rows >= rule.rows and value < rule.below:
                found.append(AlarmEvent(time, place, "raised", rows, value))
                firing = True
            elif firing and value >= rule.clear:
                found.append(AlarmEvent(time, place, "ended", rows, value))
                firing = False
    return sorted(found, key=lambda event: (event.time, event.rule))
