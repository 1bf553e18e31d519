"""Drift detectors over the errors of a model, and how often they alarm without any drift."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from streamgauge._support.call_parser import build
from streamgauge._support.clock import time_text
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Clock, Floats, Longs
from streamgauge.detectors.base import all_alarms, feed
from streamgauge.monitoring._state_tree import check_savable

_RECENT = 1 << 14  # errors on which false alarms are measured
_SHUFFLES = 8
_KEPT = 100  # alarms that are listed
_SEED = 1


class ErrorDetector:
    """One detector over the errors of one model.

    Attributes
    ----------
    count
        Number of alarms.
    alarms
        The last of them: the number of the scored row, and the time of its label.
    """

    state_fields = ("detector", "count", "seen", "alarms", "_recent", "_measured")

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
        self._measured: tuple[int, float] = (-1, float("nan"))

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

    def false_alarms(self) -> float:
        """Alarms per 1,000 rows on the model's latest errors in random order; NaN without errors.

        In random order there is no drift, so that every alarm is false. Errors that come in runs
        raise more of them than this.
        """
        since, rate = self._measured
        if since == self.seen or not len(self._recent):
            return rate
        rng = np.random.default_rng(_SEED)
        alarms = sum(
            len(all_alarms(copy.deepcopy(self._fresh), rng.permutation(self._recent), _SEED))
            for _ in range(_SHUFFLES)
        )
        rate = 1000 * alarms / (_SHUFFLES * len(self._recent))
        self._measured = (self.seen, rate)
        return rate

    def status(self, clock: Clock) -> dict[str, Any]:
        """The detector and its alarms as plain values."""
        return {
            "detector": self.text,
            "alarms": self.count,
            "last": [
                {"row": row, "time": time_text(moment, clock)} for row, moment in self.alarms[-5:]
            ],
            "false_alarms_per_1000_rows": self.false_alarms(),
        }
