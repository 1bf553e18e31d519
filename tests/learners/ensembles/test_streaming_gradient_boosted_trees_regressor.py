"""StreamingGradientBoostedTreesRegressor against its oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import streamgauge as sg
from streamgauge.learners.ensembles._boosting import draw_subspaces
from tests.learners.regression import cases, compare, friedman, same, stream_of
from tests.oracles.boosting import BoostedRegressor, Booster


@settings(max_examples=6, deadline=None)
@cases
def test_every_prediction_is_the_oracles(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 400)
    rule = {"grace_period": grace, "tau": 0.6 if loose else 0.05, "delta": 0.1}
    rate, bag_size = (1.0, 3) if loose else (0.3, 1)
    learner = sg.StreamingGradientBoostedTreesRegressor(
        3,
        bag_size,
        learning_rate=rate,
        **rule,  # type: ignore[arg-type]
    )
    learner.start(stream.schema, seed)
    nominal = list(stream.schema.cardinality)
    booster = Booster(
        nominal, draw_subspaces(len(nominal), 3, 0.75, seed).tolist(), seed, bag_size=bag_size,
        learning_rate=rate, bins=64, min_weight=5.0, drift_delta=0.005, drift_threshold=50.0,
        **rule,
    )  # fmt: skip
    compare(learner, BoostedRegressor(booster), stream, policy, size, np.array(weights))


def test_threads_change_nothing() -> None:
    stream = friedman(3000)
    runs = [
        sg.evaluate(stream, sg.StreamingGradientBoostedTreesRegressor(5, 2, n_jobs=n))
        for n in (1, 2)
    ]
    assert same(*runs)


@pytest.mark.parametrize("wrong", [{"bag_size": 0}, {"bag_size": 2.5}, {"n_models": 0}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        sg.StreamingGradientBoostedTreesRegressor(**wrong)
