"""Drift detectors over the errors of a model, and how often they alarm without any drift."""

from __future__ import annotations

import copy
import math
from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.call_parser import build
from streamgauge._support.clock import time_text
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Clock, Floats, Longs
from streamgauge.detection.independence import Dependence, dependence_of
from streamgauge.detectors.base import all_alarms, feed
from streamgauge.measures.batch_means import CONFIDENCE, batch_means_test
from streamgauge.monitoring._state_tree import check_savable

_RECENT = 1 << 14  # errors on which false alarms are measured
_SHUFFLES = 8
_KEPT = 100  # alarms that are listed
_SEED = 1
_BLOCKS_PER_DEPENDENCE = 4  # a block is that many times as long as batches that look correlated


class FalseAlarms(NamedTuple):
    """How often a detector alarms without a drift, per 1,000 rows; NaN if that is unknown."""

    rows: int  # that were put in random order, in blocks
    block: int  # rows of a block; 0: too few rows, or they depend on each other for too long
    rate: float = math.nan
    low: float = math.nan  # 99 % interval
    high: float = math.nan
    dependence: Dependence = Dependence.unknown()  # of the errors, at lag 1


class ErrorDetector:
    """One detector over the errors of one model.

    Attributes
    ----------
    count
        Number of alarms.
    alarms
        The last of them: the number of the scored row, and the time of its label.
    """

    state_fields = ("detector", "count", "seen", "alarms", "_recent")

    def __init__(self, text: str, regression: bool) -> None:
        self.text = text
        self.detector: Any = build(text, "detector")
        if regression and getattr(self.detector, "binary", False):
            raise UsageError(
                f"{text} watches errors that are 0 or 1, but this is a regression; expected a "
                "detector for numbers, such as ADWIN() or PageHinkley()"
            )
        self._fresh = copy.deepcopy(self.detector)
        self.detector.start(_SEED)
        check_savable(self.detector)
        self.count, self.seen = 0, 0
        self.alarms: list[tuple[int, int]] = []
        self._recent = np.empty(0)
        self._measured = (-1, FalseAlarms(0, 0))  # after how many errors

    def add(self, errors: Floats, times: Longs) -> list[tuple[int, int]]:
        """Feed errors in the order of their labels; return new alarms."""
        known = ~np.isnan(errors)
        errors, times = errors[known], times[known]
        found = feed(self.detector, errors, self.seen)
        new = [(row + 1, int(times[row - self.seen])) for row in found]
        self.seen += len(errors)
        self.count += len(new)
        self.alarms = (self.alarms + new)[-_KEPT:]
        self._recent = np.concatenate([self._recent, errors])[-_RECENT:]
        return new

    def false_alarms(self) -> FalseAlarms:
        """The alarms on the model's latest errors, with blocks of them in random order."""
        since, found = self._measured
        if since != self.seen:
            found = false_alarms(self._fresh, self._recent)
            self._measured = (self.seen, found)
        return found

    def status(self, clock: Clock) -> dict[str, Any]:
        """The detector and its alarms as plain values."""
        false = self.false_alarms()
        return {
            "detector": self.text,
            "alarms": self.count,
            "last": [
                {"row": row, "time": time_text(moment, clock)} for row, moment in self.alarms[-5:]
            ],
            "false_alarms_per_1000_rows": false.rate,
            "false_alarms": false._asdict() | {"dependence": false.dependence.to_dict()},
        }


def false_alarms(detector: Any, errors: Floats) -> FalseAlarms:
    """How often a detector alarms without a drift: on blocks of these errors in random order.

    In random order there is no drift, so that every alarm is false. Errors within a block keep
    their order, since errors that come in runs raise more false alarms than others.
    """
    n = len(errors)
    test, dependence = batch_means_test(errors), dependence_of(errors)
    if not test.batches or (test.by_cosines and dependence.fails):
        return FalseAlarms(n, 0, dependence=dependence)
    block = max(math.isqrt(n), _BLOCKS_PER_DEPENDENCE * test.dependence)
    rng = np.random.default_rng(_SEED)
    starts = np.arange(0, n, block)
    found = []
    for _ in range(_SHUFFLES):
        turned = np.roll(errors, -int(rng.integers(n)))  # blocks begin elsewhere each time
        order = [turned[start : start + block] for start in rng.permutation(starts)]
        found.append(len(all_alarms(copy.deepcopy(detector), np.concatenate(order), _SEED)))
    from scipy.special import gammaincinv  # slow to import, and most monitors do not need it

    # As a Poisson number in n rows, since all shuffles have the same rows: of alarms, or of their
    # clusters where the number varies more between shuffles than one of single alarms does.
    mean, outside = float(np.mean(found)), (1 - CONFIDENCE) / 2
    size = max(1.0, float(np.var(found, ddof=1)) / mean) if mean else 1.0
    low = float(gammaincinv(mean / size, outside)) if mean else 0.0
    high = float(gammaincinv(mean / size + 1, 1 - outside))
    rate, low, high = (1000 * each / n for each in (mean, size * low, size * high))
    return FalseAlarms(n, block, rate, low, high, dependence)
