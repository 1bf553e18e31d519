"""Detectors with a promise, as a monitor's configuration words it: "1 false alarm a year"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats
from streamgauge.detectors.base import Detector
from streamgauge.detectors.calibrate import calibrate
from streamgauge.detectors.e_detector import EDetector
from streamgauge.detectors.page_hinkley import PageHinkley

_DAY = 24 * 3600 * 10**9
_SPANS = {"hour": _DAY // 24, "day": _DAY, "week": 7 * _DAY, "month": 365 * _DAY // 12}
_SPANS |= {"year": 365 * _DAY}
_ALARMS = re.compile(rf"(\d+) false alarms? (?:an?|per) ({'|'.join(_SPANS)})")
_ROWS = re.compile(r"(\d+) rows?")


@dataclass(frozen=True)
class BaselinePeriod:
    """What is known of the period in which the model was as good as it should be."""

    losses: Floats  # in reveal order
    span: int | None  # from the first to the last reveal in ns; None: times are integers
    wait: int = 0  # the most rows that a label waited


@dataclass(frozen=True)
class Promise:
    """A rate of false alarms, in the words of the configuration and in rows."""

    text: str
    rows: int  # per false alarm
    rate: float | None = None  # rows per hour of the baseline, if the text names a time

    @property
    def words(self) -> str:
        """The promise, and how a time became rows."""
        if self.rate is None:
            return f"1 false alarm per {self.rows:,} rows"
        return (
            f"{self.text}, which are {self.rows:,} rows per false alarm at the "
            f"{self.rate:,.4g} rows per hour of the baseline"
        )


@dataclass(frozen=True)
class PromisedDetector:
    """A detector, what it promises, and how far that can be relied on."""

    detector: Detector
    promise: Promise
    kind: str  # "guaranteed" or "calibrated"
    note: str  # a sentence


def promise_of(what: str, text: str, baseline: BaselinePeriod) -> Promise:
    """Read "1 false alarm a year", or "10000 rows".

    >>> import numpy as np
    >>> baseline = BaselinePeriod(np.zeros(24_000), 10 * _DAY)
    >>> promise_of("guarantee", "1 false alarm a year", baseline).words
    '1 false alarm a year, which are 876,000 rows per false alarm at the 100 rows per hour of the \
baseline'
    """
    if found := _ROWS.fullmatch(text.strip()):
        return Promise(text.strip(), _positive(what, text, int(found[1])))
    if not (found := _ALARMS.fullmatch(text.strip())):
        raise UsageError(
            f"{what} = {text!r}: expected a rate of false alarms such as '1 false alarm a year' or "
            f"'10000 rows'; the times are {', '.join(_SPANS)}"
        )
    if baseline.span is None:
        raise UsageError(f"{what} = {text!r}: times are integers; expected e.g. '10000 rows'")
    if baseline.span <= 0 or not len(baseline.losses):
        raise UsageError(f"{what} = {text!r}: the baseline has no length; expected a longer one")
    rate = len(baseline.losses) / baseline.span
    alarms = _positive(what, text, int(found[1]))
    rows = round(rate * _SPANS[found[2]] / alarms)
    return Promise(text.strip(), rows, rate * _SPANS["hour"])


def guaranteed(
    text: str,
    baseline: BaselinePeriod,
    *,
    limit: float | None = None,
    worse: str = "higher",
    low: float = 0.0,
    high: float = 1.0,
    shares: int = 1,
) -> PromisedDetector:
    """The detector of `guarantee = text`: with this limit, or that of the baseline.

    `shares`: the number of detectors that keep the promise together, such as one per segment.
    """
    promise = promise_of("guarantee", text, baseline)
    rows, wait = promise.rows * shares, baseline.wait
    detector = EDetector.from_baseline(
        baseline.losses, rows, limit=limit, worse=worse, wait=wait, low=low, high=high
    )
    return PromisedDetector(detector, promise, "guaranteed", _sentence(detector.promise))


def calibrated(
    text: str, baseline: BaselinePeriod, *, detector: Detector | None = None, shares: int = 1
) -> PromisedDetector:
    """The detector of `calibrated = text`: the one named, or Page–Hinkley."""
    promise = promise_of("calibrated", text, baseline)
    given = PageHinkley(delta=0.01) if detector is None else detector
    found = calibrate(given, baseline.losses, promise.rows * shares)
    return PromisedDetector(found.detector, promise, "calibrated", str(found))


def _positive(what: str, text: str, number: int) -> int:
    if number < 1:
        raise UsageError(f"{what} = {text!r}: expected a number above 0")
    return number


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
