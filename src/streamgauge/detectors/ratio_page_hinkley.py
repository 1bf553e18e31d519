"""Page–Hinkley on the ratio of a short to a long error estimate (gama2013 §5.3, Algorithm 4)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats
from streamgauge.detectors._estimates import Estimate, check_estimate
from streamgauge.detectors.page_hinkley import PageHinkley
from streamgauge.measures.forgetting import Fading, Forgetting

_LONG_RUN = np.array([1 << 40])  # rows after which an estimate forgets at its final rate
_SHORT, _LONG = Fading(0.997), Fading(0.9994)


class RatioPageHinkley(PageHinkley):
    """Page–Hinkley test on the ratio of a short to a long estimate of the error.

    The ratio rises as soon as errors become more frequent; it is 1 while the long estimate is 0.
    It detects drift much sooner than `PageHinkley(on=...)` and is more prone to false alarms: a
    rare error, or a learner that improves and then stops improving, changes the ratio a lot.

    Parameters
    ----------
    short, long
        The two estimates: fading as in Algorithm 4, or windows such as `Window(1000)` and
        `Window(5000)`.
    delta, threshold
        As for `PageHinkley`.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = (np.arange(8000) % np.repeat([5, 2], 4000) == 0).astype(float)
    >>> sg.RatioPageHinkley().detect(errors)
    array([4392])
    >>> sg.PageHinkley(on=sg.Fading(0.997)).detect(errors)
    array([5045])
    """

    def __init__(
        self,
        short: Forgetting = _SHORT,
        long: Forgetting = _LONG,
        delta: float = 0.1,
        threshold: float = 100.0,
    ) -> None:
        self.short, self.long, self.delta, self.threshold = short, long, delta, threshold
        for what, estimate in (("short", short), ("long", long)):
            check_estimate("RatioPageHinkley", what, estimate)
        if _memory(short) >= _memory(long):
            raise UsageError(
                f"RatioPageHinkley({short}, {long}): expected a short estimate that forgets faster "
                "than the long one: Fading(0.997), Fading(0.9994) or Window(1000), Window(5000)"
            )
        self._begin(delta, threshold)

    def start(self, seed: int) -> None:
        self._state = (np.zeros(5),)
        self._estimates = [Estimate(self.short), Estimate(self.long)]

    def _signal(self, errors: Floats) -> Floats:
        short, long = (each.after(errors) for each in self._estimates)
        return np.divide(short, long, out=np.ones(len(errors)), where=long != 0)


def _memory(forgetting: Forgetting) -> float:
    """The number of rows it remembers in the long run."""
    rows = forgetting.effective(_LONG_RUN)
    return np.inf if rows is None else float(rows[0])
