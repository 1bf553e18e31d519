"""Alarms by chance as a yardstick: draws of random alarms, and shifts of a detector's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Drift, Floats, Longs
from streamgauge.detection.alarms import MEASURES, AlarmScore, pooled, score_draws, windows
from streamgauge.detectors.random_alarm import RandomAlarm
from streamgauge.rendering.plain_values import Number

DRAWS = 200
_OUTSIDE = 0.025  # fraction of draws on either side of the range
_WARM_START = 30  # zliobaite2015's DDM-random
_ALARMS_AT_ONCE = 2_000_000
SHIFTS = 1999
_ROUNDING = 1e-9
_SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class AlarmDraws:
    """The scores of random alarms: the mean and the 95 % range over many draws.

    One draw of random alarms can be lucky, so random alarms have no single score. Draws where a
    measure is undefined, such as the delay of a draw without a detection, are left out of it.

    Attributes
    ----------
    detector
        The random detector, as text; for shifts of a detector's own alarms, its name.
    scores
        The score of each draw.
    p
        For shifts: how often alarms follow the drifts as closely by chance. NaN for others.
    early
        For shifts: number of drifts to which the detector's last alarm before is nearer than its
        first one after. It was early, or did not notice the drift.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_detectors([102, 703], drifts=[100, 700], n=2000, accept=200)
    >>> (blind,) = card.random.values()
    >>> blind.detector, len(blind.scores)
    ('RandomAlarm(0.00103)', 200)
    >>> round(blind.mean("detections"), 1), blind.range("detections")
    (0.5, (0.0, 2.0))
    >>> shifted = card.chance["alarms"]  # the detector's own alarms at random places
    >>> shifted.mean("alarms"), shifted.beaten
    (2.0, True)
    """

    detector: str
    scores: tuple[AlarmScore, ...] = field(repr=False)
    p: Number = math.nan
    early: int = 0

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

    @property
    def beaten(self) -> bool:
        """Whether the detector whose alarms were shifted beats chance: p is at most 1 %."""
        return self.p <= _SIGNIFICANCE

    def to_dict(self) -> dict[str, Any]:
        """The means as plain values, with the ends of the ranges under `low` and `high`."""
        ranges = {name: self.range(name) for name in MEASURES}
        return {
            "detector": self.detector,
            "draws": len(self.scores),
            "p": self.p,
            "early": self.early,
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


def shift_scores(
    name: str,
    runs: Sequence[tuple[Longs, Sequence[Drift], int]],
    accept: int | None,
    seed: int,
    draws: int = DRAWS,
) -> AlarmDraws:
    """Score a detector's own alarms, all of a run shifted around its rows by a random number.

    Runs are given as alarms, true drifts and rows. A shift keeps how many alarms there are and how
    they follow each other, and takes away what they have to do with the drifts.
    """
    scores: list[list[AlarmScore]] = [[] for _ in range(draws)]
    closeness = np.zeros(1 + SHIFTS)  # first that of the alarms as they are
    early = 0
    for i, (alarms, drifts, n) in enumerate(runs):
        shifts = np.random.default_rng([seed, i]).integers(n, size=SHIFTS)
        shifts = np.concatenate([[0], shifts])
        fractions, nearer = _fractions_of_gaps(alarms, drifts, n, accept, shifts)
        closeness += np.log(fractions).sum(axis=1)
        early += int(nearer[0].sum())
        for draw, shift in enumerate(shifts[1 : 1 + draws].tolist()):
            moved = np.sort((alarms + shift) % n)
            (score,) = score_draws(moved, np.zeros(len(moved), np.int64), 1, drifts, n, accept)
            scores[draw].append(score)
    as_close = int((closeness[1:] <= closeness[0] + _ROUNDING).sum())
    p = (1 + as_close) / (1 + SHIFTS)
    return AlarmDraws(name, tuple(pooled(each) for each in scores), p, early)


def _fractions_of_gaps(
    alarms: Longs, drifts: Sequence[Drift], n: int, accept: int | None, shifts: Longs
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """For each shift and drift: what part of the gap between two alarms is over at the alarm.

    A drift falls into a gap between two alarms, around the end of the stream if need be. For alarms
    that have nothing to do with it, every place in the gap is as likely, whether they are many or
    few, periodic or in bursts. A missed drift has 1. Also whether the last alarm before the drift
    is nearer to it than the first one after.
    """
    starts, ends = windows(drifts, accept)
    first = np.ceil(starts).astype(np.int64)
    if not len(alarms):
        nothing = np.ones((len(shifts), len(first)))
        return nothing, np.zeros(nothing.shape, np.bool_)
    # To shift the alarms is to shift the drifts the other way.
    places = (first[None, :] - shifts[:, None]) % n
    after = np.searchsorted(alarms, places)
    around = np.concatenate([alarms[-1:] - n, alarms, alarms[:1] + n])
    delay, lead = around[after + 1] - places, places - around[after]
    found = delay + first < np.ceil(np.minimum(ends, n))
    return np.where(found, (delay + 1) / (delay + lead), 1.0), lead <= delay
