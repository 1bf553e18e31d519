"""River's detectors through the adapter."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge.detectors.adapters import RiverDetector, as_detector


def test_any_detector_of_rivers() -> None:
    from river import drift

    errors = np.repeat([0.0, 1.0], 500)
    for each in (drift.KSWIN(seed=1), drift.PageHinkley(threshold=5), drift.binary.EDDM()):
        found = RiverDetector(each).detect(errors)
        assert len(found)
        assert (found >= 500).all()
        assert not each.drift_detected  # the original is unchanged
    assert isinstance(sg.from_river(drift.ADWIN()), RiverDetector)
    assert repr(as_detector(drift.KSWIN(seed=1))) == "river:drift.KSWIN(seed=1)"
    assert repr(as_detector(drift.binary.DDM())) == "river:drift.binary.DDM()"


def test_detector_without_a_seed_gets_that_of_the_run() -> None:
    from river.drift import KSWIN

    errors = np.random.default_rng(1).normal(size=1500) + (np.arange(1500) > 700)
    found = [RiverDetector(KSWIN(alpha=0.1)).detect(errors, seed).tolist() for seed in (2, 2, 2, 3)]
    assert found[0] == found[1] == found[2] != found[3]
    own = [RiverDetector(KSWIN(alpha=0.1, seed=5)).detect(errors, seed).tolist() for seed in (1, 2)]
    assert own[0] == own[1]
