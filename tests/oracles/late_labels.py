"""Oracle for late labels: order of arrival and of reveal, waits and classes, semantics §4, §7."""

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    """The mean of the values that exist."""
    found = [v for v in values if not math.isnan(v)]
    return math.fsum(found) / len(found) if found else math.nan


def order_scores(
    revealed: Sequence[tuple[int, float]], rows: int
) -> tuple[float, float, float, float]:
    """Of (row, value) in reveal order: the first `rows` by reveal and by arrival, then the last."""
    arrived = sorted(revealed, key=lambda pair: pair[0])
    parts = (revealed[:rows], arrived[:rows], revealed[-rows:], arrived[-rows:])
    first_revealed, first_arrived, last_revealed, last_arrived = (
        mean([value for _, value in part]) for part in parts
    )
    return first_revealed, first_arrived, last_revealed, last_arrived


def probability_longer(waits: Sequence[int], y: Sequence[int], c: int) -> float:
    """P(a label of class c takes longer than one of another class), ties counted half."""
    own = [w for w, label in zip(waits, y, strict=True) if label == c]
    others = [w for w, label in zip(waits, y, strict=True) if label != c]
    if not own or not others:
        return math.nan
    won = math.fsum((a > b) + 0.5 * (a == b) for a in own for b in others)
    return won / (len(own) * len(others))


def rank_differences(waits: Sequence[int], y: Sequence[int], c: int) -> list[float]:
    """d_i = (1[y_i = c] − p)(r_i − r̄) / (p(1 − p)), r_i the rank of the wait among all, 0 to 1."""
    n = len(waits)
    ranks = [(sum(w < x for w in waits) + sum(w == x for w in waits) / 2) / n for x in waits]
    centre = math.fsum(ranks) / n
    p = sum(label == c for label in y) / n
    return [
        ((label == c) - p) * (rank - centre) / (p * (1 - p))
        for rank, label in zip(ranks, y, strict=True)
    ]
