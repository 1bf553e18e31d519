"""`check_detector`: passes ours, catches detectors that break a rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge.testing import check_detector


class Every:
    """An alarm after every nth error."""

    def __init__(self, n: int = 100) -> None:
        self.n = n

    def start(self, seed: int) -> None:
        self.seen = 0

    def update(self, errors: Any, warned: Any = None) -> int:
        for i in range(len(errors)):
            self.seen += 1
            if self.seen % self.n == 0:
                return i
        return -1


class Peeks(Every):
    def update(self, errors: Any, warned: Any = None) -> int:
        return int(np.argmax(errors)) if errors[-1] == 1 else -1


class DependsOnCalls(Every):
    def update(self, errors: Any, warned: Any = None) -> int:
        return len(errors) - 1


class NeverStarts(Every):
    seen = 0

    def start(self, seed: int) -> None:
        NeverStarts.seen += 7
        self.seen = NeverStarts.seen


class ChangesErrors(Every):
    def update(self, errors: Any, warned: Any = None) -> int:
        errors += 1
        return -1


class CountsFromOne(Every):
    def update(self, errors: Any, warned: Any = None) -> int:
        return len(errors)


class CannotBePickled(Every):
    def __reduce__(self) -> Any:
        raise TypeError("a lock")

    def __deepcopy__(self, memo: Any) -> CannotBePickled:
        return CannotBePickled(self.n)


class ForgetsWhenPickled(Every):
    def __reduce__(self) -> Any:
        return _restarted, (self.n,)

    def __deepcopy__(self, memo: Any) -> ForgetsWhenPickled:
        return ForgetsWhenPickled(self.n)


def _restarted(n: int) -> ForgetsWhenPickled:
    detector = ForgetsWhenPickled(n)
    detector.start(1)
    return detector


@pytest.mark.parametrize("name", registry.own_names("detector"))
def test_our_detectors_pass(name: str) -> None:
    required = {"RandomAlarm": (0.01,), "PeriodicAlarm": (200,), "EDetector": (0.3,)}
    assert check_detector(getattr(sg, name)(*required.get(name, ()))) == []


def test_detector_of_ones_own_and_of_river_pass() -> None:
    from river.drift import ADWIN

    assert check_detector(Every()) == []
    assert check_detector(ADWIN()) == []


@pytest.mark.parametrize(
    ("detector", "message"),
    [
        (Peeks(), "calls with 7 errors change the alarms|an alarm depends on later errors"),
        (DependsOnCalls(), "calls with 1 errors change the alarms"),
        (NeverStarts(), "two passes differ"),
        (ChangesErrors(), "changes the errors that it gets"),
        (CountsFromOne(), "expected an index, or -1 for none"),
        (ForgetsWhenPickled(150), "pickling the detector changes the alarms"),
    ],
)
def test_broken_detector_is_caught(detector: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_detector(detector)


def test_detector_that_cannot_be_pickled_gets_a_remark() -> None:
    assert check_detector(CannotBePickled()) == ["not checkpointable: TypeError: a lock"]
