"""River's drift detectors, and any object with update and drift_detected, as detectors."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import Detector, all_alarms, check_errors


class RiverDetector:
    """Fed one error at a time; it starts anew after an alarm by itself, as River's do.

    The detector handed in is never changed: each start takes a copy, found as `detector`. Its
    randomness, if it has any, is its own: a run's seed does not reach it.
    """

    blind = False

    def __init__(self, detector: Any) -> None:
        self._original = self.detector = detector
        self.warns = hasattr(detector, "warning_detected")

    def start(self, seed: int) -> None:
        self.detector = copy.deepcopy(self._original)

    @property
    def warning(self) -> bool:
        """Is it at its warning level?"""
        return self.warns and bool(self.detector.warning_detected)

    @property
    def nbytes(self) -> int | None:
        """As River measures it; None for an object that cannot tell."""
        size = getattr(self.detector, "_raw_memory_usage", None)
        return None if size is None else int(size)

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        check_errors(self, errors)
        for i, error in enumerate(errors.tolist()):
            self.detector.update(error)
            if warned is not None:
                warned[i] = self.warning
            if self.detector.drift_detected:
                return i
        return -1

    def detect(self, errors: Floats, seed: int = 1) -> Longs:
        """The places of all alarms over these errors, from a fresh start; it changes nothing."""
        return all_alarms(copy.deepcopy(self), np.asarray(errors), seed)

    def __repr__(self) -> str:
        """As the command line takes it, river:drift.KSWIN(seed=1); others as they write it."""
        if not hasattr(self._original, "_get_params"):
            return repr(self._original)
        kind = type(self._original)
        usual = inspect.signature(kind).parameters
        given = self._original._get_params()
        shown = [
            f"{name}={value!r}"
            for name, value in given.items()
            if isinstance(value, int | float | str) and value != usual[name].default
        ]
        place = ".".join([*kind.__module__.split(".")[1:-1], kind.__name__])
        return f"river:{place}({', '.join(shown)})"


def is_rivers(thing: object) -> bool:
    """Does it look like a detector of River's?"""
    return hasattr(thing, "update") and hasattr(thing, "drift_detected")


def as_detector(thing: Any) -> Detector:
    """A detector as it is, a River-like one wrapped."""
    if inspect.isclass(thing):
        raise UsageError(f"{thing.__name__} is a class; expected an object: {thing.__name__}()")
    if isinstance(thing, Detector):
        return thing
    if is_rivers(thing):
        return RiverDetector(thing)
    raise UsageError(
        f"{type(thing).__name__} is no detector; expected one with start and update such as DDM(), "
        "or River's with update and drift_detected"
    )
