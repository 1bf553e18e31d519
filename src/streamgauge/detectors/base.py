"""What a detector is: the protocol, and the base of our own."""

from __future__ import annotations

import copy
from typing import Any, Protocol, runtime_checkable

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.parameters import call_of
from streamgauge._support.types import Flags, Floats, Longs

_UNASKED = np.empty(0, np.uint8)
_PIECE = 8192  # errors fed at a time: a detector may prepare all it is given, alarm or not


@runtime_checkable
class Detector(Protocol):
    """Whatever watches errors and raises alarms. Your own class may be one.

    It may also say `warns = True` (it has a warning level), `blind = True` (its alarms do not
    depend on the errors), `binary = True` (errors must be 0 or 1) and how large it is, `nbytes`.
    """

    def start(self, seed: int) -> None:
        """Forget everything."""
        ...

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        """The place of the first alarm among these errors, -1 if there is none.

        Errors up to the alarm, itself included, are consumed: go on with those behind it. `warned`
        is told of each error consumed whether the detector was at its warning level after it.
        """
        ...


class OwnDetector:
    """State in arrays, parameters in `_given`, all alarms over an array."""

    warns = False
    blind = False
    binary = False
    warning = False
    _given: dict[str, Any]
    _state: tuple[Any, ...]

    def start(self, seed: int) -> None:
        raise NotImplementedError

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        """The place of the first alarm among these errors, -1 if there is none."""
        check_errors(self, errors)
        return self._watch(errors, warned)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        """`update`, of errors that can be right."""
        raise NotImplementedError

    def detect(self, errors: Floats, seed: int = 1) -> Longs:
        """The places of all alarms over these errors, from a fresh start; it changes nothing."""
        return all_alarms(copy.deepcopy(self), errors, seed)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._state)

    def __repr__(self) -> str:
        return call_of(self, self._given)


class WarningDetector(OwnDetector):
    """One with a warning level: whether it is there is the last cell of its one array."""

    warns = True

    @property
    def warning(self) -> bool:  # type: ignore[override]
        """Is it at its warning level?"""
        return bool(self._state[0][-1])


def all_alarms(detector: Detector, errors: Floats, seed: int) -> Longs:
    """Start a detector and let it go through errors; where it raised alarms."""
    errors = np.ascontiguousarray(errors, np.float64)
    detector.start(seed)
    alarms: list[int] = []
    for start in range(0, len(errors), _PIECE):
        alarms += feed(detector, errors[start : start + _PIECE], start)
    return np.array(alarms, np.int64)


def feed(detector: Detector, errors: Floats, start: int) -> list[int]:
    """Let a detector go on with errors, of which `start` came before; where it raised alarms."""
    check_errors(detector, errors, start)
    alarms, done = [], 0
    while done < len(errors) and (alarm := detector.update(errors[done:])) >= 0:
        done += alarm + 1
        alarms.append(start + done - 1)
    return alarms


def check_errors(detector: Detector, errors: Floats, start: int = 0) -> None:
    """A missing or infinite error would silence a detector for ever; some know 0 and 1 alone."""
    if getattr(detector, "binary", False):
        wrong = (errors != 0) & (errors != 1)
        wanted = "0 or 1; of numbers PageHinkley or ADWIN can tell a rise"
    else:
        wrong = ~np.isfinite(errors)
        wanted = "a finite number: leave out rows that have none, or count them as wrong"
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InputError(
            f"error {start + i:,} is {errors[i]} ({detector}); expected {wanted}", row=start + i
        )


def or_nowhere(warned: Flags | None) -> Flags:
    """Where a kernel writes warnings; an empty array if nobody asked."""
    return _UNASKED if warned is None else warned
