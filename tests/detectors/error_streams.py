"""Streams of errors for detectors, and their oracles run over them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Floats


def errors_of(seed: int, numbers: bool = False, segments: int = 6) -> Floats:
    """Error rates that jump about."""
    random = np.random.default_rng(seed)
    parts = [random.random(random.integers(1, 200)) < random.random() for _ in range(segments)]
    errors = np.concatenate(parts).astype(np.float64)
    return errors + random.normal(size=len(errors)) / 4 if numbers else errors


def one_by_one(detector: Any, errors: Floats) -> list[str]:
    return [detector.update(x) for x in errors.tolist()]


def alarms(found: list[str]) -> list[int]:
    return [i for i, each in enumerate(found) if each == "alarm"]


def assert_warns(ours: Any, errors: Floats, found: list[str]) -> None:
    """At every error as the oracle, whose outcomes are `found`."""
    warned, done = np.zeros(len(errors), np.uint8), 0
    while done < len(errors):
        alarm = ours.update(errors[done:], warned[done:])
        done = len(errors) if alarm < 0 else done + alarm + 1
    assert warned.tolist() == [each == "warning" for each in found]
    assert ours.warning == (found[-1] == "warning")


def windows(low: int, high: int) -> Any:
    return st.tuples(st.just("window"), st.integers(low, high))


def fading(low: float, high: float) -> Any:
    return st.tuples(st.just("fading"), st.floats(low, high))


def forgetting(mean: tuple[str, float]) -> Any:
    kind, parameter = mean
    known = {"window": sg.Window, "fading": sg.Fading}
    return known[kind](parameter) if kind in known else sg.Cumulative()
