"""The forgettings of learners that count labels, such as Majority."""

from __future__ import annotations

from typing import NamedTuple

from streamgauge._support.errors import UsageError
from streamgauge.measures.forgetting import (
    Cumulative,
    Fading,
    Forgetting,
    TimeWindow,
    Window,
    keeps_sums,
)

_LEAST_FADING = 1e-300  # its inverse is finite; what fades faster is gone after one row


class Kept(NamedTuple):
    """Which labels count: those in a window, and how much of a count is kept at each label."""

    window: int  # 0: all labels
    fading: float  # 1: no fading


def kept_labels(forget: Forgetting, owner: str) -> Kept:
    """The forgetting that a learner was given as `forget=`."""
    given = f"{owner}(forget={forget!r})"
    if isinstance(forget, TimeWindow):
        raise UsageError(
            f"{given}: learners do not see the times of labels; expected Cumulative(), Window(w), "
            "the last w labels, or Fading(a)"
        )
    if not keeps_sums(forget):
        raise UsageError(f"{given}: this estimator is for metrics; expected Fading(a)")
    if isinstance(forget, Cumulative):
        return Kept(0, 1.0)
    if isinstance(forget, Window):
        return Kept(int(forget.w), 1.0)
    if isinstance(forget, Fading):
        return Kept(0, max(float(forget.a), _LEAST_FADING))
    raise UsageError(f"{given}: expected Cumulative(), Window(w) or Fading(a)")
