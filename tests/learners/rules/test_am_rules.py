"""AMRules against its oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings

import streamgauge as sg
from tests.learners.regression import cases, compare, stream_of
from tests.oracles.am_rules import RuleList


@settings(max_examples=10, deadline=None)
@cases
def test_every_prediction_is_the_oracles(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    rule = {"grace_period": grace, "tau": 0.6 if loose else 0.05, "drift_threshold": 5.0}
    learner = sg.AMRules(**rule)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    oracle = RuleList(list(stream.schema.cardinality), seed, delta=1e-7, drift_delta=0.05, **rule)
    compare(learner, oracle, stream, policy, size, np.array(weights))
