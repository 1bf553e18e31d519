"""Oracle for the scorecard of alarms: looks up the window of every row, semantics §11."""

import itertools
import math
import statistics
from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def score(
    alarms: list[int], drifts: list[tuple[int, int]], n: int, accept: int | None
) -> dict[str, Any]:
    """Score alarms against drifts, given as (position, width)."""
    starts = sorted(Fraction(2 * position - width, 2) for position, width in drifts)

    def window_of(row: int) -> int | None:
        for j, start in enumerate(starts):
            later = [other for other in starts if other > start]
            if row >= start and not any(row >= other for other in later):
                return j if accept is None or row < start + accept else None
        return None

    delays: list[float] = []
    repeats = false = 0
    found = set()
    for alarm in sorted(alarms):
        window = window_of(alarm)
        if window is None:
            false += 1
        elif window in found:
            repeats += 1
        else:
            found.add(window)
            delays.append(float(alarm - starts[window]))
    waits = dict(zip(sorted(found), delays, strict=True))
    for j, start in enumerate(starts):
        if j not in found:
            ends = [Fraction(n), *starts[j + 1 : j + 2]]
            if accept is not None:
                ends.append(start + accept)
            waits[j] = float(min(ends) - start)
    outside = sum(window_of(row) is None for row in range(n))
    misses = len(starts) - len(found)
    miss_rate = misses / len(starts) if starts else math.nan
    mtd = sum(delays) / len(delays) if delays else math.nan
    mtfa = outside / false if false else math.nan
    return {
        "delays": delays,
        "misses": misses,
        "repeats": repeats,
        "false_alarms": false,
        "rows_outside": outside,
        "miss_rate": miss_rate,
        "mtd": mtd,
        "mean_wait": sum(waits.values()) / len(waits) if waits else math.nan,
        "mtfa": mtfa,
        "false_alarm_rate": false / outside if outside else math.nan,
        "mtr": mtfa / mtd * (1 - miss_rate) if mtd > 0 else math.nan,
    }


def closeness(
    alarms: list[int], drifts: list[tuple[int, int]], n: int, accept: int | None
) -> tuple[float, int]:
    """Σ log of the part of each gap between alarms that is over, and the number of early ones."""
    starts = sorted(Fraction(2 * position - width, 2) for position, width in drifts)
    total, early = 0.0, 0
    for j, start in enumerate(starts):
        first = math.ceil(start)
        ends = [Fraction(n), *starts[j + 1 : j + 2]]
        if accept is not None:
            ends.append(start + accept)
        delay = next(d for d in itertools.count() if (first + d) % n in alarms)
        lead = next(d for d in itertools.count(1) if (first - d) % n in alarms)
        if first + delay < min(ends):
            total += math.log((delay + 1) / (delay + lead))
        early += lead <= delay
    return total, early


def autocorrelation(errors: list[float], cuts: list[int]) -> float:
    """Lag 1, around the mean of each concept, pairs within one concept."""
    concept = [sum(i >= cut for cut in cuts) for i in range(len(errors))]
    off = []
    for i, error in enumerate(errors):
        same = [e for e, c in zip(errors, concept, strict=True) if c == concept[i]]
        off.append(error - math.fsum(same) / len(same))
    pairs = zip(range(len(off) - 1), range(1, len(off)), strict=True)
    top = math.fsum(off[i] * off[j] for i, j in pairs if concept[i] == concept[j])
    bottom = math.fsum(each**2 for each in off)
    return top / bottom if bottom > 1e-12 else math.nan


def runs_p(errors: list[float], cuts: list[int]) -> float:
    """Two-sided p-value of the runs of high errors, over every order within the concepts."""
    inner = sorted({cut for cut in cuts if 0 < cut < len(errors)})
    edges = [0, *inner, len(errors)]
    concepts = [errors[a:b] for a, b in itertools.pairwise(edges)]
    concepts = [each for each in concepts if min(each) < max(each)]
    if not concepts:
        return math.nan

    def is_high(each: list[float]) -> list[bool]:
        middle = statistics.median(each)
        if len(set(each)) == 2 or middle == max(each):
            return [error == max(each) for error in each]
        return [error > middle for error in each]

    def runs(high: Sequence[bool]) -> int:
        return sum(now and not before for before, now in itertools.pairwise([False, *high]))

    highs = [is_high(each) for each in concepts]
    orders = itertools.product(*(set(itertools.permutations(each)) for each in highs))
    counts = [sum(map(runs, order)) for order in orders]
    seen = sum(map(runs, highs))
    fewer, more = (sum(c <= seen for c in counts), sum(c >= seen for c in counts))
    return min(1.0, 2 * min(fewer, more) / len(counts))
