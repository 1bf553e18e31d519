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
