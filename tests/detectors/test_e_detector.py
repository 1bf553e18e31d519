"""EDetector: its oracle, its guarantee, and what a baseline gives it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.testing import check_detector
from tests.detectors.error_streams import alarms, errors_of, one_by_one
from tests.oracles import detectors as oracle


@given(
    st.integers(0, 9999), st.floats(0.02, 0.9), st.integers(100, 130), st.integers(10, 40),
    st.sampled_from([(0.0, 1.0), (-0.5, 2.0)]), st.booleans(),
)  # fmt: skip
def test_every_alarm_is_the_oracles(
    seed: int, x: float, block: int, blocks: int, bounds: tuple[float, float], above: bool
) -> None:
    errors = np.tile(errors_of(seed, segments=8), 3)
    low, high = bounds
    slow = oracle.EDetector(x, blocks * block, block, low, high, above)
    expected = alarms(one_by_one(slow, errors))
    assume(slow.closest > 1e-9)  # else rounding decides
    above_x, below_x = (x, None) if above else (None, x)
    found = sg.EDetector(above_x, below_x, blocks * block, block, low, high).detect(errors)
    assert found.tolist() == expected


@pytest.mark.parametrize("detector", [sg.EDetector(0.3, guarantee=1000), sg.EDetector(below=0.5)])
def test_keeps_every_promise_of_a_detector(detector: sg.EDetector) -> None:
    assert check_detector(detector) == []


@pytest.mark.parametrize("run", [1, 20])
def test_false_alarms_are_at_most_as_many_as_guaranteed(run: int) -> None:
    """On losses at the limit; docs/calibration.md has more kinds of dependence."""
    random = np.random.default_rng(run)
    errors = np.repeat(random.random(2_000_000 // run) < 0.2, run).astype(float)
    guaranteed = len(errors) / 10_000
    alarms = len(sg.EDetector(above=0.2, guarantee=10_000).detect(errors))
    assert 0.5 * guaranteed < alarms <= guaranteed + 2 * np.sqrt(guaranteed)


def test_a_loss_beyond_the_bound_counts_as_the_bound() -> None:
    losses = np.random.default_rng(1).random(5000) * 3
    detector = sg.EDetector(above=0.7, guarantee=2000)
    assert detector.detect(losses).tolist() == detector.detect(np.minimum(losses, 1)).tolist()
    with pytest.raises(sg.InputError, match=r"error 2 is -0.1.*at least 0"):
        detector.detect(np.array([0, 1, -0.1]))
    with pytest.raises(sg.InputError, match=r"error 0 is 1.5.*at most 1"):
        sg.EDetector(below=0.7).detect(np.array([1.5]))


def test_of_a_baseline_the_limit_is_beyond_the_uncertainty_of_its_mean() -> None:
    errors = (np.random.default_rng(1).random(20_000) < 0.2).astype(float)
    few, many = (sg.EDetector.from_baseline(errors[:n]) for n in (2000, 20_000))
    assert errors[:2000].mean() + 0.01 < few.limit < 0.3
    assert errors.mean() + 0.004 < many.limit < 0.22
    shifted = sg.EDetector.from_baseline(errors, margin=0.05)
    assert shifted.limit == pytest.approx(many.limit + 0.05, abs=1e-4)
    lower = sg.EDetector.from_baseline(1 - errors, worse="lower")
    assert lower.above is None
    assert lower.limit == pytest.approx(1 - many.limit)
    assert sg.EDetector.from_baseline(np.zeros(20_000)).limit > 0  # none seen is not none ever


def test_of_a_baseline_the_block_is_longer_than_its_dependence_and_the_wait() -> None:
    random = np.random.default_rng(1)
    blocks = [
        sg.EDetector.from_baseline(np.repeat(random.random(40_000 // run) < 0.2, run)).block
        for run in (1, 20, 400)
    ]
    assert blocks[0] <= 200
    assert blocks[1] <= 400
    assert blocks[2] >= 400
    errors = random.random(20_000) < 0.2
    assert sg.EDetector.from_baseline(errors, guarantee=50_000, wait=1234).block == 1234
    assert sg.EDetector.from_baseline(errors, block=300).block == 300
    known = sg.EDetector.from_baseline(errors, limit=0.3, worse="lower", wait=500)
    assert (known.above, known.below, known.block) == (None, 0.3, 500)


def test_text_of_a_detector_from_a_baseline_is_the_detector() -> None:
    errors = np.random.default_rng(3).random(20_000) < 0.137
    detector = sg.EDetector.from_baseline(errors)
    found = sg.detect(errors.astype(float), [detector, repr(detector)])
    one, two = found.watched.detectors.values()
    assert repr(one) == repr(two)


def test_a_baseline_that_says_too_little_is_refused() -> None:
    random = np.random.default_rng(1)
    for wrong in (
        np.zeros(1000),
        np.repeat(random.random(10) < 0.5, 1000),  # depends over a tenth of it
        np.ones(5000),  # no limit above it
        np.full(5000, np.nan),
        np.full(5000, -1.0),
    ):
        with pytest.raises((sg.InputError, sg.UsageError), match="expected"):
            sg.EDetector.from_baseline(wrong)
    with pytest.raises(sg.UsageError, match="expected worse"):
        sg.EDetector.from_baseline(np.zeros(5000), worse="above")
