"""Random alarms as a yardstick: the scores of many draws, and how a detector compares with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Drift, Floats
from streamgauge.detection.alarms import MEASURES, AlarmScore, pooled, score_draws
from streamgauge.detectors.random_alarm import RandomAlarm

DRAWS = 200
_OUTSIDE = 0.025  # fraction of draws on either side of the range
_WARM_START = 30  # zliobaite2015's DDM-random
_ALARMS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class AlarmDraws:
    """The scores of random alarms: the mean and the 95 % range over many draws.

    One draw of random alarms can be lucky, so random alarms have no single score. Draws where a
    measure is undefined, such as the delay of a draw without a detection, are left out of it.

    Attributes
    ----------
    detector
        The random detector, as text.
    scores
        The score of each draw.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_detectors([130, 1190], drifts=[100, 1100], n=2000, accept=200)
    >>> blind = card.chance["alarms"]  # random alarms, as frequent
    >>> blind.detector, len(blind.scores)
    ('RandomAlarm(0.00103)', 200)
    >>> round(blind.mean("detections"), 1), blind.range("detections")
    (0.4, (0.0, 1.0))
    """

    detector: str
    scores: tuple[AlarmScore, ...] = field(repr=False)

    def values(self, measure: str) -> Floats:
        """A measure in each draw, such as "detections" or "mtd"; NaN where it is undefined."""
        if measure not in MEASURES:
            raise UsageError(f"no measure {measure!r}; expected one of {', '.join(MEASURES)}")
        return np.array([getattr(score, measure) for score in self.scores], np.float64)

    def mean(self, measure: str) -> float:
        """The mean of a measure over the draws; NaN if it is undefined in all of them."""
        defined = self._defined(measure)
        return float(defined.mean()) if len(defined) else np.nan

    def range(self, measure: str) -> tuple[float, float]:
        """The 95 % range of a measure: one more draw is below it in at most 2.5 %, or above it."""
        defined = np.sort(self._defined(measure))
        if not len(defined):
            return np.nan, np.nan
        cut = max(int(_OUTSIDE * len(defined)) - 1, 0)
        return float(defined[cut]), float(defined[-1 - cut])

    def is_beaten_by(self, score: AlarmScore) -> bool:
        """Whether a detector detects more drifts than the 95 % range, or has a lower `mean_wait`.

        Neither may be beyond the other end. A detector that alarms at random beats the draws with a
        probability of at most 2 · 2.5 %.
        """
        fewest, most = self.range("detections")
        shortest, longest = self.range("mean_wait")
        better = score.detections > most or score.mean_wait < shortest
        return better and score.detections >= fewest and score.mean_wait <= longest

    def to_dict(self) -> dict[str, Any]:
        """The means as plain values, with the ends of the ranges under `low` and `high`."""
        ranges = {name: self.range(name) for name in MEASURES}
        return {
            "detector": self.detector,
            "draws": len(self.scores),
            **{name: self.mean(name) for name in MEASURES},
            "low": {name: low for name, (low, _) in ranges.items()},
            "high": {name: high for name, (_, high) in ranges.items()},
        }

    def _defined(self, measure: str) -> Floats:
        values = self.values(measure)
        return values[~np.isnan(values)]


def as_frequent(score: AlarmScore) -> RandomAlarm:
    """Random alarms about as frequent as those of a detector that has some."""
    gap = max(1.0, score.rows / score.alarms)
    warm_start = _WARM_START if gap > _WARM_START else 1
    return RandomAlarm(float(f"{1 / (gap - warm_start + 1):.3g}"), warm_start=warm_start)


def draw_scores(
    detector: RandomAlarm,
    runs: Sequence[tuple[Sequence[Drift], int]],
    accept: int | None,
    seed: int,
    draws: int = DRAWS,
) -> AlarmDraws:
    """Score many draws of random alarms over the runs, given as their true drifts and rows."""
    longest = max(n for _, n in runs)
    frequency = 1 / (detector.warm_start - 1 + 1 / detector.p) if detector.p else 0.0
    at_once = int(np.clip(_ALARMS_AT_ONCE / (1 + frequency * longest), 1, draws))
    scores: list[list[AlarmScore]] = [[] for _ in range(draws)]
    for i, (drifts, n) in enumerate(runs):
        for first in range(0, draws, at_once):
            count = min(at_once, draws - first)
            alarms, draw = detector.draws(n, count, seed, i * draws + first)
            found = score_draws(alarms, draw, count, drifts, n, accept)
            for place, score in enumerate(found, first):
                scores[place].append(score)
    return AlarmDraws(repr(detector), tuple(pooled(each) for each in scores))
