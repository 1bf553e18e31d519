"""The figures and alarms of a monitor, one event at a time: docs/monitoring.md, semantics §2."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from scipy import stats

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


class Labelled(NamedTuple):
    """A row whose label has come."""

    arrives: int
    wait: int
    y: int
    right: int


def reweighted(
    rows: list[Labelled], cohorts: list[int], length: int, edges: list[int], now: int
) -> tuple[float, float, float]:
    """The score of young rows, and its 99 % interval: semantics §14, row by row."""
    timeout = edges[-1]
    old = [start for start in cohorts if now - start - length > timeout]
    young = [start for start in cohorts if start not in old]
    reach = [max([e for e in edges if e <= now - start - length], default=-1) for start in young]
    of = {start: [r for r in rows if r.arrives // length * length == start] for start in cohorts}
    past = [row for start in old for row in of[start]]

    def stratum(row: Labelled) -> list[Callable[[Labelled], bool]]:
        return [
            lambda r: (r.y, r.right) == (row.y, row.right),
            lambda r: r.right == row.right,
            lambda r: True,
        ]

    def pool(kind: Labelled) -> Callable[[Labelled], bool]:
        large = [same for same in stratum(kind)[:2] if sum(map(same, past)) >= 20]
        return [*large, stratum(kind)[2]][0]

    kinds = [Labelled(0, 0, y, right) for y in (0, 1) for right in (0, 1)]
    pools = {(kind.y, kind.right): pool(kind) for kind in kinds}

    def share(row: Labelled, wait: int, of_rows: list[Labelled]) -> float:
        own = [r for r in of_rows if pools[row.y, row.right](r)]
        return sum(r.wait <= wait for r in own) / len(own) if own else 0.0

    if not past or not young:
        return math.nan, math.nan, math.nan
    used = [w >= 0 and all(share(kind, w, past) >= 0.05 for kind in kinds) for w in reach]

    def estimate(starts: list[int], from_rows: list[Labelled], least: float) -> float:
        right = total = 0.0
        for start, wait, counts in zip(starts, reach, used, strict=True):
            for row in of[start] if counts else []:
                if row.wait <= wait:
                    weight = 1 / max(least, share(row, wait, from_rows))
                    right, total = right + weight * row.right, total + weight
        return right / total if total else math.nan

    score = estimate(young, past, 0.0)
    errors = []
    for stop in range(len(old), len(young) - 1, -len(young)):
        window = old[stop - len(young) : stop]
        own = [row for start in window for row in of[start]]
        others = [row for row in past if row not in own]
        found = estimate(window, others, 0.05)
        if own and not math.isnan(found):
            errors.append(found - sum(row.right for row in own) / len(own))
    if len(errors) < 5 or math.isnan(score):
        return score, math.nan, math.nan
    far = stats.t.ppf(0.995, len(errors) / 2) * math.sqrt(sum(e * e for e in errors) / len(errors))
    return score, max(0.0, score - far), min(1.0, score + far)
