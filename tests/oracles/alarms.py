"""Oracle for the scorecard of alarms: looks up the window of every row, semantics §11."""

import math
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
