"""What a detector is: the protocol, and the base of our own."""

from __future__ import annotations

import copy
from typing import Any, Protocol, runtime_checkable

import numpy as np

from streamgauge.showing import call_of
from streamgauge.types import Flags, Floats, Longs

_UNASKED = np.empty(0, np.uint8)


@runtime_checkable
class Detector(Protocol):
    """Whatever watches errors and raises alarms. Your own class may be one.

    It may also say `warns = True` (it has a warning level), `blind = True` (its alarms do not
    depend on the errors) and how large it is, `nbytes`.
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
    warning = False
    _given: dict[str, Any]
    _state: tuple[Any, ...]

    def start(self, seed: int) -> None:
        raise NotImplementedError

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        raise NotImplementedError

    def detect(self, errors: Floats, seed: int = 1) -> Longs:
        """The places of all alarms over these errors, from a fresh start; it changes nothing."""
        return all_alarms(copy.deepcopy(self), errors, seed)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._state)

    def __repr__(self) -> str:
        return call_of(self, self._given)


def all_alarms(detector: Detector, errors: Floats, seed: int) -> Longs:
    """Start a detector and let it go through errors; where it raised alarms."""
    errors = np.ascontiguousarray(errors, np.float64)
    detector.start(seed)
    alarms, done = [], 0
    while (alarm := detector.update(errors[done:])) >= 0:
        alarms.append(done + alarm)
        done += alarm + 1
    return np.array(alarms, np.int64)


def or_nowhere(warned: Flags | None) -> Flags:
    """Where a kernel writes warnings; an empty array if nobody asked."""
    return _UNASKED if warned is None else warned
