"""DDM against its oracles, River's, and MOA's figures on Elec2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.detectors.adapters import RiverDetector
from tests.conftest import real_data
from tests.detectors.error_streams import (
    alarms,
    assert_warns,
    errors_of,
    one_by_one,
)
from tests.oracles import detectors as oracle


@given(st.integers(0, 9999), st.floats(0.1, 2), st.floats(0, 2), st.integers(0, 40))
def test_every_alarm_is_the_oracles(
    seed: int, warning: float, more: float, warm_start: int
) -> None:
    errors = errors_of(seed)
    found = one_by_one(oracle.DDM(warm_start, warning, warning + more), errors)
    ours = sg.DDM(warm_start, warning, warning + more)
    assert ours.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


@given(st.integers(0, 9999), st.floats(0.1, 2), st.floats(0, 2), st.integers(0, 40))
def test_every_alarm_of_moas_rule_is_the_oracles(
    seed: int, warning: float, more: float, min_instances: int
) -> None:
    errors = errors_of(seed)
    found = one_by_one(oracle.MoaDDM(min_instances, warning, warning + more), errors)
    ours = sg.DDM(min_instances, warning, warning + more, compat="moa")
    assert ours.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


def test_moas_rule_begins_two_rows_earlier() -> None:
    """The first alarm may be row 30, counted from 1, after a minimum at row 29; by River's rule
    row 32."""
    for compat, first in ((None, 32), ("moa", 30)):
        detector = sg.DDM(compat=compat)  # type: ignore[arg-type]
        found = [detector.detect(np.r_[np.zeros(calm), np.ones(60)]) for calm in range(60)]
        assert min(rows[0] for rows in found if len(rows)) + 1 == first


@pytest.mark.parametrize(
    ("variant", "compat", "accuracy", "resets"),
    [("papers", None, 63.34, 15), ("papers", "moa", 68.75, 156), (None, "moa", 85.34, 239)],
)
def test_naive_bayes_with_ddm_on_elec2_is_moas(
    variant: str | None, compat: Any, accuracy: float, resets: int
) -> None:
    """MOA itself: 68.75 % and 156 resets with the papers' five features, 85.34 % with six."""
    real_data("elec2")
    learner = sg.Resetting(sg.NaiveBayes(), sg.DDM(compat=compat))
    run = sg.evaluate(sg.load("elec2", variant=variant), learner)
    assert round(100 * run.overall["accuracy"], 2) == accuracy
    assert len(run.learner.resets) == resets


@given(st.integers(0, 9999))
def test_river_raises_the_same_alarms(seed: int) -> None:
    from river import drift

    errors = errors_of(seed, segments=12)
    for ours, rivers in (
        (sg.DDM(), drift.binary.DDM()),
        (sg.DDM(5, 1.0, 1.5), drift.binary.DDM(5, 1.0, 1.5)),
    ):
        assert ours.detect(errors).tolist() == RiverDetector(rivers).detect(errors).tolist()
