"""Oracle for k nearest neighbours as in MOA, one pair of values at a time, semantics §13."""

import numpy as np

from streamgauge._support.types import Codes, Floats


def predictions(
    events: list[tuple[str, int, float]],
    X: Floats,
    y: Codes,
    nominal: list[bool],
    classes: int,
    k: int,
    window: int,
) -> list[tuple[int, Floats]]:
    """Label (-1 abstains) and probabilities for every prediction event ("P", row, _)."""
    answers: list[tuple[int, Floats]] = []
    learned: list[tuple[int, float]] = []  # rows and their weights
    for kind, row, weight in events:
        if kind == "L":
            if weight > 0:
                learned.append((row, weight))
            continue
        kept = learned[-window:]
        if not kept:
            answers.append((-1, np.full(classes, np.nan)))
            continue
        rows = np.array([r for r, _ in kept])
        distances = _distances(X[row], X[rows], nominal)
        reach = np.sort(distances)[min(k, len(kept)) - 1]
        votes = np.zeros(classes)
        for (neighbour, vote), distance in zip(kept, distances, strict=True):
            if distance <= reach:
                votes[y[neighbour]] += vote
        answers.append((int(np.argmax(votes)), votes / votes.sum()))
    return answers


def _distances(x: Floats, rows: Floats, nominal: list[bool]) -> Floats:
    total = np.zeros(len(rows))
    for j, is_nominal in enumerate(nominal):
        known = rows[:, j][~np.isnan(rows[:, j])]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        for i, value in enumerate(rows[:, j]):
            if is_nominal or not len(known):
                total[i] += float(x[j] != value)  # NaN is not equal to anything
            else:
                total[i] += _difference(x[j], value, low, high) ** 2
    return total


def _difference(a: float, b: float, low: float, high: float) -> float:
    """Difference of two values on the scale low to high; a missing one is at the farther end."""
    if np.isnan(a) and np.isnan(b):
        return 1.0
    width = high - low
    places = [(v - low) / width if width > 0 else 0.0 for v in (a, b) if not np.isnan(v)]
    if len(places) == 2:
        return float(places[0] - places[1])
    return float(1.0 - places[0] if places[0] < 0.5 else places[0])
