"""Detectors against their slow oracles and River's, in pieces and in one, saved and copied."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Floats
from streamgauge.detectors.adapters import RiverDetector, as_detector
from streamgauge.detectors.base import Detector
from tests.oracles import detectors as oracle

OURS: list[Any] = [
    sg.DDM(), sg.DDM(5, 0.5, 1.0), sg.ADWIN(), sg.ADWIN(0.5, 1, 2, 1, 0), sg.PageHinkley(),
    sg.PageHinkley(0.005, 4.0), sg.PageHinkley(0.01, 2, sg.Cumulative()),
    sg.PageHinkley(0.01, 2, sg.Window(30)), sg.PageHinkley(0.01, 2, on=sg.Fading(0.95)),
    sg.RatioPageHinkley(threshold=5), sg.RatioPageHinkley(sg.Window(10), sg.Window(90), 0.01, 9),
    sg.EDDM(), sg.EDDM(3, 0.99, 0.98), sg.RandomAlarm(0.1), sg.RandomAlarm(1), sg.RandomAlarm(0, 3),
    sg.PeriodicAlarm(13), sg.NeverAlarm(),
]  # fmt: skip


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


@given(st.integers(0, 9999), st.floats(0, 0.5), st.floats(0.5, 30))
def test_page_hinkley(seed: int, delta: float, threshold: float) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0)
    expected = alarms(one_by_one(oracle.PageHinkley(delta, threshold), errors))
    assert sg.PageHinkley(delta, threshold).detect(errors).tolist() == expected


def windows(low: int, high: int) -> Any:
    return st.tuples(st.just("window"), st.integers(low, high))


def fading(low: float, high: float) -> Any:
    return st.tuples(st.just("fading"), st.floats(low, high))


ALL = st.just(("cumulative", 1))
MEANS = st.one_of(ALL, windows(1, 150), fading(0.3, 1))
SHORT, LONG = windows(1, 30) | fading(0.3, 0.9), st.one_of(ALL, windows(31, 150), fading(0.98, 1))


def forgetting(mean: tuple[str, float]) -> Any:
    kind, parameter = mean
    known = {"window": sg.Window, "fading": sg.Fading}
    return known[kind](parameter) if kind in known else sg.Cumulative()


@given(st.integers(0, 9999), st.floats(0, 0.1), st.floats(0.5, 20), MEANS)
def test_page_hinkley_on_estimates(
    seed: int, delta: float, threshold: float, mean: tuple[str, float]
) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0, segments=3)
    slow = oracle.OnEstimate(mean, delta, threshold)
    expected = alarms(one_by_one(slow, errors))
    assume(slow.test.closest > 1e-9)  # else rounding decides
    found = sg.PageHinkley(delta, threshold, forgetting(mean)).detect(errors)
    assert found.tolist() == expected


@given(st.integers(0, 9999), st.floats(0, 0.5), st.floats(0.5, 40), SHORT, LONG)
def test_ratio(
    seed: int, delta: float, threshold: float, short: tuple[str, float], long: tuple[str, float]
) -> None:
    errors = errors_of(seed, segments=3)
    ours = sg.RatioPageHinkley(forgetting(short), forgetting(long), delta, threshold)
    slow = oracle.OnRatio(short, long, delta, threshold)
    expected = alarms(one_by_one(slow, errors))
    assume(slow.test.closest > 1e-9)
    assert ours.detect(errors).tolist() == expected


def test_ratio_before_any_error() -> None:
    """R is 1 while there is no error: nothing rises, however long that is."""
    assert len(sg.RatioPageHinkley(threshold=0.01).detect(np.zeros(20_000))) == 0
    late = np.r_[np.zeros(500), np.ones(500)]
    assert sg.RatioPageHinkley(threshold=1).detect(late)[0] > 500


@given(st.integers(0, 9999), st.floats(0.5, 1), st.floats(0.5, 1), st.integers(0, 40))
def test_eddm(seed: int, one: float, other: float, minimum: int) -> None:
    from river import drift

    errors, warning, alarm = errors_of(seed, segments=8), max(one, other), min(one, other)
    slow = oracle.EDDM(minimum, warning, alarm)
    found = one_by_one(slow, errors)
    assume(slow.closest > 1e-9)
    ours = sg.EDDM(minimum, warning, alarm)
    assert ours.detect(errors).tolist() == alarms(found)
    rivers = RiverDetector(drift.binary.EDDM(minimum, warning, alarm))
    assert rivers.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


@given(st.integers(0, 9999), st.floats(0.1, 2), st.floats(0, 2), st.integers(0, 40))
def test_ddm(seed: int, warning: float, more: float, minimum: int) -> None:
    errors = errors_of(seed)
    found = one_by_one(oracle.DDM(minimum, warning, warning + more), errors)
    ours = sg.DDM(minimum, warning, warning + more)
    assert ours.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


@given(
    st.integers(0, 9999), st.floats(0.001, 0.9), st.integers(1, 40), st.integers(2, 6),
    st.integers(1, 8), st.integers(0, 40),
)  # fmt: skip
def test_adwin(
    seed: int, delta: float, clock: int, buckets: int, shortest: int, grace: int
) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0, segments=3)
    given = (delta, clock, buckets, shortest, grace)
    assert sg.ADWIN(*given).detect(errors).tolist() == alarms(
        one_by_one(oracle.ADWIN(*given), errors)
    )


@given(st.integers(0, 9999))
def test_as_in_river(seed: int) -> None:
    from river import drift

    errors, numbers = errors_of(seed, segments=12), errors_of(seed, numbers=True, segments=12)
    for ours, rivers, xs in (
        (sg.DDM(), drift.binary.DDM(), errors),
        (sg.DDM(5, 1.0, 1.5), drift.binary.DDM(5, 1.0, 1.5), errors),
        (sg.ADWIN(), drift.ADWIN(), errors),
        (sg.ADWIN(0.3), drift.ADWIN(0.3), numbers),
        (sg.ADWIN(0.1, 3, 3, 2, 20), drift.ADWIN(0.1, 3, 3, 2, 20), errors),
    ):
        assert ours.detect(xs).tolist() == RiverDetector(rivers).detect(xs).tolist()


@pytest.mark.parametrize("detector", OURS, ids=repr)
def test_pieces_copies_and_pickles(detector: Any) -> None:
    """However the errors are cut, and whoever goes on: the same alarms."""
    errors = errors_of(7, segments=20)
    whole = detector.detect(errors)
    assert detector.detect(errors).tolist() == whole.tolist()
    other = copy.deepcopy(detector)
    other.start(1)
    found, done = [], 0
    for size in np.random.default_rng(1).integers(0, 40, len(errors)).tolist():
        stop = min(done + size, len(errors))
        while done < stop:
            alarm = other.update(errors[done:stop])
            done = stop if alarm < 0 else done + alarm + 1
            if alarm >= 0:
                found.append(done - 1)
        other = pickle.loads(pickle.dumps(other)) if size % 2 else copy.deepcopy(other)
    assert found == whole.tolist()
    assert other.nbytes > 0
    assert isinstance(other, Detector)


def test_dummies() -> None:
    zeros = np.zeros(100_000)
    assert sg.RandomAlarm(1).detect(zeros[:100]).tolist() == [29, 59, 89]
    assert len(sg.RandomAlarm(0).detect(zeros)) == len(sg.NeverAlarm().detect(zeros)) == 0
    for p in (0.01, 0.1, 0.5):
        gaps = np.diff(sg.RandomAlarm(p).detect(zeros))
        assert gaps.min() >= 30
        mean, sd = 29 + 1 / p, np.sqrt(1 - p) / p  # geometric
        assert abs(gaps.mean() - mean) < 4 * sd / np.sqrt(len(gaps))
    some = [sg.RandomAlarm(0.01, seed).detect(zeros, run).tolist() for seed, run in
            ((None, 1), (1, 2), (None, 2), (2, 5))]  # fmt: skip
    assert some[0] == some[1] != some[2] == some[3]


def test_ten_million_errors() -> None:
    import time

    errors = (np.random.default_rng(0).random(10_000_000) < 0.3).astype(np.float64)
    sg.PageHinkley().detect(errors[:1])
    began = time.perf_counter()
    assert len(sg.PageHinkley(threshold=20).detect(errors)) < 1000
    assert time.perf_counter() - began < 2


def test_any_detector_of_rivers() -> None:
    from river import drift

    errors = np.repeat([0.0, 1.0], 500)
    for each in (drift.KSWIN(seed=1), drift.PageHinkley(threshold=5), drift.binary.EDDM()):
        found = RiverDetector(each).detect(errors)
        assert len(found)
        assert (found >= 500).all()
        assert not each.drift_detected  # the one handed in is as it was
    assert isinstance(sg.from_river(drift.ADWIN()), RiverDetector)
    assert repr(as_detector(drift.KSWIN(seed=1))) == "river:drift.KSWIN(seed=1)"
    assert repr(as_detector(drift.binary.DDM())) == "river:drift.binary.DDM()"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.DDM(30, 3, 2), lambda: sg.DDM(warm_start=-1), lambda: sg.DDM(warm_start=1.5),  # type: ignore[arg-type]
        lambda: sg.ADWIN(0), lambda: sg.ADWIN(clock=0), lambda: sg.ADWIN(max_buckets=1),
        lambda: sg.PageHinkley(-1), lambda: sg.PageHinkley(threshold=0),
        lambda: sg.RandomAlarm(1.1), lambda: sg.RandomAlarm(0.1, warm_start=0),
        lambda: sg.PageHinkley(np.nan), lambda: sg.PageHinkley(threshold=np.inf),
        lambda: sg.PageHinkley(on=sg.TimeWindow(9)), lambda: sg.PageHinkley(on=0.997),  # type: ignore[arg-type]
        lambda: sg.PageHinkley(on=sg.Fading(0.9, "zliobaite2015")),
        lambda: sg.PageHinkley(on=sg.Cumulative),  # type: ignore[arg-type]
        lambda: sg.RatioPageHinkley(sg.Fading(0.99), sg.Fading(0.99)),
        lambda: sg.RatioPageHinkley(sg.Window(900), sg.Window(90)),
        lambda: sg.RatioPageHinkley(sg.Cumulative(), sg.Window(90)),
        lambda: sg.RatioPageHinkley(threshold=0), lambda: sg.RatioPageHinkley(long=5),  # type: ignore[arg-type]
        lambda: sg.EDDM(30, 0.9, 0.95), lambda: sg.EDDM(30, 0.9, 0), lambda: sg.EDDM(warm_start=-1),
        lambda: sg.PeriodicAlarm(0), lambda: as_detector(sg.DDM), lambda: as_detector("DDM"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()


@pytest.mark.parametrize("detector", [*OURS, "river"], ids=repr)
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_errors_that_are_none(detector: Any, wrong: float) -> None:
    from river import drift

    watcher = RiverDetector(drift.ADWIN()) if detector == "river" else copy.deepcopy(detector)
    errors = np.zeros(20_000)
    errors[17_123] = wrong
    with pytest.raises(sg.InputError, match=r"error 17,123 is (nan|inf).*expected"):
        watcher.detect(errors)
    with pytest.raises(sg.InputError, match="error 3 is") as raised:
        watcher.update(np.array([0, 1, 0, wrong]))
    assert raised.value.row == 3


def test_errors_between_none_and_one() -> None:
    with pytest.raises(sg.InputError, match=r"error 2 is 0\.5 .*expected 0 or 1"):
        sg.EDDM().detect(np.array([0, 1, 0.5]))
