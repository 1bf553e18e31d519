"""The detector protocol, and the base class of our own detectors."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import Flags, Floats, Longs

_ANY = (-np.inf, np.inf)
_NO_WARNINGS = np.empty(0, np.uint8)
_PIECE = 8192  # errors fed at a time: a detector may preprocess the whole piece before an alarm


@runtime_checkable
class Detector(Protocol):
    """Anything that watches errors and raises alarms; your own class may be one.

    It may also set `warns = True` (it has a warning level), `blind = True` (its alarms do not
    depend on the errors), `binary = True` (errors must be 0 or 1), `accepts` (a pair: the smallest
    and the largest error that it takes), `random = False` (it draws no random numbers), `nbytes`
    (its size) and `statistic` (a pair: what it compares after the last error, and its alarm level;
    with `alarms_below = True` it alarms below that level) and `sensitivity` (a triple: the
    parameter that `calibrate` sets, its most and its least sensitive value); `state_fields` names
    the attributes that a monitor keeps over a restart.
    `testing.check_detector` checks a detector.

    Examples
    --------
    A detector that alarms at every second error:

    >>> import numpy as np
    >>> import streamgauge as sg
    >>> class EverySecond:
    ...     def start(self, seed):
    ...         self.count = 0
    ...
    ...     def update(self, errors, warned=None):
    ...         for i in np.flatnonzero(errors):
    ...             self.count += 1
    ...             if self.count % 2 == 0:
    ...                 return int(i)
    ...         return -1
    >>> found = sg.detect([0, 1, 1, 0, 1, 1], [EverySecond()])
    >>> list(found.alarms.values())[0].tolist()
    [2, 5]
    """

    def start(self, seed: int) -> None:
        """Reset to the initial state."""
        ...

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        """Consume errors up to the first alarm; return its index, or -1 if there is none.

        The error that raises the alarm is consumed too: continue with the errors after it.
        `warned[i]` is set to whether the detector was at its warning level after error i.
        """
        ...


class Statistic(NamedTuple):
    """What a detector compares with its alarm level; NaN while it does not test."""

    value: float
    threshold: float
    signal: float = np.nan  # the last input of its test, such as an estimate or a ratio of two


class Sensitivity(NamedTuple):
    """The parameter that decides how often a detector alarms, and the ends of its values."""

    parameter: str
    most: float  # the most sensitive value: the most alarms
    least: float


class OwnDetector(Parametrized):
    """The base of our own detectors: the state is in arrays, the parameters are attributes."""

    warns = False
    blind = False
    binary = False
    random: bool = False  # whether it draws random numbers
    warning = False
    sensitivity: ClassVar[Sensitivity | None] = None  # what `calibrate` sets
    alarms_below = False  # whether an alarm is a statistic below its threshold
    _state: tuple[Any, ...]

    def start(self, seed: int) -> None:
        """Reset to the initial state."""
        raise NotImplementedError

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        """Consume errors up to the first alarm; return its index, or -1 if there is none.

        Parameters
        ----------
        errors
            The errors, in order; those after the alarm are left for the next call.
        warned
            An array to fill: whether the detector was at its warning level after each error.
        """
        check_errors(self, errors)
        return self._watch(errors, warned)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        """`update` for errors that have been checked."""
        raise NotImplementedError

    def detect(self, errors: Floats, seed: int = 1) -> Longs:
        """Return the indices of all alarms on these errors, from a fresh copy of this detector."""
        return all_alarms(copy.deepcopy(self), errors, seed)

    @property
    def statistic(self) -> Statistic:
        """The statistic and its alarm level after the last error; NaN while it does not test."""
        return Statistic(np.nan, np.nan)

    @property
    def nbytes(self) -> int:
        """Size of the detector in bytes."""
        return sum(array.nbytes for array in self._state)


class WarningDetector(OwnDetector):
    """A detector with a warning level, kept in the last cell of its only state array."""

    warns = True

    @property
    def warning(self) -> bool:  # type: ignore[override]
        """Whether it is at its warning level."""
        return bool(self._state[0][-1])


def all_alarms(detector: Detector, errors: Floats, seed: int) -> Longs:
    """Start a detector and feed it errors; return the indices of its alarms."""
    errors = np.ascontiguousarray(errors, np.float64)
    detector.start(seed)
    alarms: list[int] = []
    for start in range(0, len(errors), _PIECE):
        alarms += feed(detector, errors[start : start + _PIECE], start)
    return np.array(alarms, np.int64)


def feed(detector: Detector, errors: Floats, start: int) -> list[int]:
    """Feed a detector more errors, after `start` earlier ones; return the indices of its alarms."""
    check_errors(detector, errors, start)
    alarms, done = [], 0
    while done < len(errors) and (alarm := next_alarm(detector, errors[done:])) >= 0:
        done += alarm + 1
        alarms.append(start + done - 1)
    return alarms


def next_alarm(detector: Detector, errors: Floats, warned: Flags | None = None) -> int:
    """Call `update`; a detector that is not ours gets a copy, and its answer is checked."""
    if isinstance(detector, OwnDetector):
        return detector.update(errors, warned)
    alarm: Any = detector.update(errors.copy(), warned)
    if not isinstance(alarm, int | np.integer) or not -1 <= alarm < max(1, len(errors)):
        raise UsageError(
            f"{detector}: update returned {alarm!r}; expected the index of the error that raised "
            f"an alarm, at most {len(errors) - 1}, or -1"
        )
    return int(alarm)


def check_errors(detector: Detector, errors: Floats, start: int = 0) -> None:
    """Refuse missing and infinite errors, which would silence a detector for good."""
    if getattr(detector, "binary", False):
        wrong = (errors != 0) & (errors != 1)
        wanted = "0 or 1; PageHinkley and ADWIN accept any numeric loss"
    else:
        low, high = getattr(detector, "accepts", _ANY)
        wrong = ~(np.isfinite(errors) & (errors >= low) & (errors <= high))
        least = "" if low == -np.inf else f" of at least {low:g}"
        most = "" if high == np.inf else f" of at most {high:g}"
        wanted = f"a finite number{least}{most}: drop rows without an error, or count them as wrong"
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InputError(
            f"error {start + i:,} is {errors[i]} ({detector}); expected {wanted}", row=start + i
        )


def warned_or_empty(warned: Flags | None) -> Flags:
    """Return the array a kernel writes warnings to; empty if the caller wants none."""
    return _NO_WARNINGS if warned is None else warned
