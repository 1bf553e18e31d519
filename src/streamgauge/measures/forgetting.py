"""Forgetting: which rows the sums cover: all, the last w, a span of time, fading (semantics §2).

The folds, whose kernels take long to import, are imported when they are made: showing a saved run
needs only the names of its forgettings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from streamgauge._support.argument_types import check_fields
from streamgauge._support.call_parser import build
from streamgauge._support.durations import Duration, duration, duration_text
from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats, Longs
from streamgauge.measures.sums import divide

if TYPE_CHECKING:
    from streamgauge.measures.folding import Fold, Shape


class Forgetting(Protocol):
    """Decides how much each past row counts: Cumulative, Window, Fading or TimeWindow.

    Examples
    --------
    >>> import streamgauge as sg
    >>> forget: list[sg.Forgetting] = [sg.Cumulative(), sg.Window(2)]
    >>> run = sg.score([0, 1, 1, 1], [0, 0, 1, 1], forget=forget)
    >>> [float(run.curve["accuracy", each][-1]) for each in forget]
    [0.75, 1.0]
    """

    def fold(self, shape: Shape) -> Fold:
        """Return new sums, all zero."""
        ...

    def effective(self, rows: Longs) -> Floats | None:
        """Return the effective sample size after `rows` rows; None for the number of rows kept."""
        ...


@dataclass(frozen=True)
class Cumulative:
    """Cumulative sums: all rows count equally.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.score([0, 1, 1, 1], [0, 0, 1, 1], forget=[sg.Cumulative()])
    >>> run.curve["accuracy"].tolist()
    [1.0, 0.5, 0.6666666666666666, 0.75]
    """

    def fold(self, shape: Shape) -> Fold:
        """Return new sums, all zero."""
        from streamgauge.measures._cumulative_fold import CumulativeFold

        return CumulativeFold(shape)

    def effective(self, rows: Longs) -> Floats:
        """Return the effective sample size after `rows` rows."""
        return rows.astype(np.float64)


@dataclass(frozen=True, repr=False)
class Window:
    """A sliding window: exactly the last w scored rows.

    Parameters
    ----------
    w
        Rows in the window, 1 or more.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.score([1, 1, 0, 0], [1, 1, 1, 0], forget=[sg.Window(2)])
    >>> run.summary["accuracy"]  # of the last two rows
    0.5
    """

    w: int

    def __post_init__(self) -> None:
        check_integer("Window", self.w)
        if self.w < 1:
            raise UsageError(f"Window({self.w}): expected w >= 1 row")

    def __repr__(self) -> str:
        return f"Window({self.w})"

    def fold(self, shape: Shape) -> Fold:
        """Return new sums, all zero."""
        from streamgauge.measures.folding import WindowFold

        return WindowFold(self.w, shape)

    def effective(self, rows: Longs) -> Floats:
        """Return the effective sample size after `rows` rows."""
        return np.minimum(rows, self.w).astype(np.float64)


@dataclass(frozen=True, repr=False)
class Fading:
    """A fading factor: each row weighs `a` times as much as the next one.

    Parameters
    ----------
    a
        The weight kept per row, 0 < a <= 1, e.g. 0.999.
    estimator
        "sums" fades the sums. "zliobaite2015" is that paper's Algorithm 1 as printed, which smooths
        the probabilities themselves (its alpha is 1 - a) and gives only the kappa family. It may
        mislead if classes are rare or labels late; `run.warnings` says so, and verdicts do not use
        it.

    References
    ----------
    gama2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.score([1, 1, 0, 0], [1, 1, 1, 0], forget=[sg.Fading(0.5)])
    >>> round(run.summary["accuracy"], 3)
    0.733
    """

    a: float
    estimator: Literal["sums", "zliobaite2015"] = "sums"

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.a, int | float):  # a number of NumPy's, perhaps of fewer bits
            object.__setattr__(self, "a", float(self.a))
        if not 0 < self.a <= 1:
            raise UsageError(
                f"Fading({self.a}): expected 0 < a <= 1, the weight kept per row, e.g. 0.999"
            )
        if self.estimator not in ("sums", "zliobaite2015"):
            raise UsageError(
                f"Fading(estimator={self.estimator!r}): expected 'sums' or 'zliobaite2015'"
            )

    def __repr__(self) -> str:
        suffix = "" if self.estimator == "sums" else f", estimator={self.estimator!r}"
        return f"Fading({self.a!r}{suffix})"

    def fold(self, shape: Shape) -> Fold:
        """Return new sums, all zero."""
        from streamgauge.measures.folding import FadingFold, ZliobaiteFold

        if self.estimator == "zliobaite2015":
            return ZliobaiteFold(1 - self.a, shape)
        return FadingFold(self.a, shape)

    def effective(self, rows: Longs) -> Floats:
        """Return the effective sample size after `rows` rows."""
        if self.a == 1:
            return rows.astype(np.float64)
        once = (1 - self.a**rows) / (1 - self.a)
        twice = (1 - self.a ** (2 * rows)) / (1 - self.a**2)
        return divide(np.asarray(once**2, np.float64), np.asarray(twice, np.float64))


def smooths_probabilities(forget: Forgetting) -> bool:
    """Whether it is Algorithm 1 of zliobaite2015, which keeps probabilities and no sums."""
    return isinstance(forget, Fading) and forget.estimator == "zliobaite2015"


def keeps_sums(forget: Forgetting) -> bool:
    """Whether a metric is a function of one set of sums; with a paper's estimator it is not."""
    return not smooths_probabilities(forget)


@dataclass(frozen=True, repr=False)
class TimeWindow:
    """A window of time: rows whose labels were revealed in (t - d, t].

    Parameters
    ----------
    d
        The duration: a number of rows or, on a stream with times, a duration in the stream's unit.
        On a stream with timestamps it may be text, such as ``"24h"``, ``"30min"`` or ``"7d"``, or
        a timedelta.

    Examples
    --------
    >>> import streamgauge as sg
    >>> y, predictions, times = [1, 1, 0, 0], [1, 1, 1, 0], [0, 10, 20, 21]
    >>> forget = [sg.TimeWindow(5)]
    >>> run = sg.score(y, predictions, arrives=times, revealed=times, forget=forget)
    >>> run.summary["accuracy"]  # of the last two rows, revealed at 20 and 21
    0.5
    """

    d: Duration

    def __post_init__(self) -> None:
        length = duration("TimeWindow", self.d)
        is_number = hasattr(self.d, "__index__") and not isinstance(self.d, np.timedelta64)
        # Durations of equal length are equal, however they are given.
        object.__setattr__(self, "d", length if is_number else np.timedelta64(length, "ns"))

    @property
    def is_duration(self) -> bool:
        """Whether it counts hours and minutes, not rows or the units of an integer clock."""
        return not isinstance(self.d, int)

    @property
    def length(self) -> int:
        """The duration in the stream's unit; timestamps are in nanoseconds."""
        return duration("TimeWindow", self.d)

    def __repr__(self) -> str:
        return f"TimeWindow({duration_text(self.d)})"

    def fold(self, shape: Shape) -> Fold:
        """Return new sums, all zero."""
        from streamgauge.measures.folding import TimeFold

        return TimeFold(self.length, shape)

    def effective(self, rows: Longs) -> None:
        """Return None: the effective sample size is the number of rows kept."""
        return None


@dataclass(frozen=True, repr=False)
class CustomForgetting:
    """A forgetting of the user's, of which a saved run keeps only the text."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def fold(self, shape: Shape) -> Fold:
        raise UsageError(
            f"{self.text} is not a built-in forgetting, so a saved run cannot compute with it; "
            "evaluate again"
        )

    def effective(self, rows: Longs) -> None:
        return None


def check_forgettings(forget: Sequence[Forgetting]) -> tuple[Forgetting, ...]:
    """The forgettings given to an option `forget`, as a tuple."""
    if hasattr(forget, "fold"):
        raise UsageError(f"forget={forget!r}: expected a list: forget=[{forget!r}]")
    if not forget:
        raise UsageError("forget=[]: expected a list such as [Cumulative(), Window(1000)]")
    for each in forget:
        if not hasattr(each, "fold"):
            raise UsageError(
                f"forget: {each!r} is not a forgetting; expected Cumulative(), Window(w), "
                "Fading(a) or TimeWindow(d)"
            )
    return tuple(forget)


def forgetting_of(text: str) -> Forgetting:
    """The forgetting with this repr.

    >>> forgetting_of("TimeWindow('36h')") == TimeWindow("1d12h")
    True
    """
    try:
        made: Forgetting = build(text, "forgetting")
    except UsageError:
        return CustomForgetting(text)
    return made
