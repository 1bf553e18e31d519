"""Adapters for River's drift detectors and objects with `update` and `drift_detected`."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.pickled_size import pickled_bytes
from streamgauge._support.seeding import seed_parts
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import Detector, all_alarms, check_errors


class RiverDetector:
    """A River detector, fed one error at a time. River's detectors reset themselves after an alarm.

    The detector passed in is never changed: each start takes a copy, available as `detector`. The
    seed of the run goes to every part whose `seed` is None.
    """

    blind = False

    def __init__(self, detector: Any) -> None:
        self._original = self.detector = detector
        self.unseeded: tuple[str, ...] = ()  # why the seed does not determine its alarms
        self.warns = hasattr(detector, "warning_detected")

    def start(self, seed: int) -> None:
        self.detector = copy.deepcopy(self._original)
        self.unseeded = seed_parts(self.detector, seed, getattr(self._original, "clone", None))

    @property
    def warning(self) -> bool:
        """Whether it is at its warning level."""
        return self.warns and bool(self.detector.warning_detected)

    def get_params(self) -> dict[str, Any]:
        """The detector that was wrapped."""
        return {"detector": self._original}

    @property
    def nbytes(self) -> int | None:
        """The size as River measures it, or the pickled size of an object that is not River's."""
        if self.measured_by == "pickled":
            return pickled_bytes(self.detector)
        return int(self.detector._raw_memory_usage)

    @property
    def measured_by(self) -> str:
        """Whether the detector reports its size ("own"), or is "pickled" to measure it."""
        return "own" if hasattr(type(self.detector), "_raw_memory_usage") else "pickled"

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
        """Return the indices of all alarms on these errors, from a fresh copy of this detector."""
        return all_alarms(copy.deepcopy(self), np.asarray(errors), seed)

    def __repr__(self) -> str:
        """The text for the command line, e.g. river:drift.KSWIN(seed=1), or the object's repr."""
        if not hasattr(self._original, "_get_params"):
            return repr(self._original)
        kind = type(self._original)
        defaults = inspect.signature(kind).parameters
        given = self._original._get_params()
        shown = [
            f"{name}={value!r}"
            for name, value in given.items()
            if isinstance(value, int | float | str) and value != defaults[name].default
        ]
        place = ".".join([*kind.__module__.split(".")[1:-1], kind.__name__])
        return f"river:{place}({', '.join(shown)})"


def is_river_like(thing: object) -> bool:
    """Return whether an object has the interface of River's detectors."""
    return hasattr(thing, "update") and hasattr(thing, "drift_detected")


def as_detector(thing: Any) -> Detector:
    """Return detectors unchanged; wrap River-like objects."""
    if inspect.isclass(thing):
        raise UsageError(f"{thing.__name__} is a class; expected an object: {thing.__name__}()")
    if isinstance(thing, Detector):
        return thing
    if is_river_like(thing):
        return RiverDetector(thing)
    raise UsageError(
        f"expected a detector, got {type(thing).__name__}; a detector has start and update, like "
        "DDM(), or update and drift_detected, like River's detectors"
    )
