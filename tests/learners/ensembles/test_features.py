"""max_features has one meaning in all ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.learners.ensembles._features import count_features

ENSEMBLES = (
    sg.AdaptiveRandomForest,
    sg.StreamingRandomPatches,
    sg.AdaptiveRandomForestRegressor,
    sg.StreamingGradientBoostedTrees,
    sg.StreamingGradientBoostedTreesRegressor,
)


@pytest.mark.parametrize(
    ("max_features", "expected"),
    [(1, 1), (np.int64(2), 2), (99, 5), (1.0, 5), (0.5, 3), (0.49, 2), (1e-9, 1), ("sqrt", 3)],
)
def test_integers_count_and_floats_are_fractions(max_features: Any, expected: int) -> None:
    assert count_features(max_features, 5) == expected


@pytest.mark.parametrize("ensemble", ENSEMBLES)
@pytest.mark.parametrize("wrong", [0, -1, 0.0, 1.5, 2.0, float("nan"), True, "most", None])
def test_anything_else_is_refused(ensemble: Any, wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected max_features"):
        ensemble(max_features=wrong)


def test_forests_for_both_tasks_observe_as_many_features() -> None:
    rng = np.random.default_rng(1)
    X = rng.random((50, 5))
    for max_features, expected in ((1, 1), (0.5, 3), (1.0, 5)):
        forest = sg.AdaptiveRandomForest(2, max_features=max_features)
        forest.start(sg.from_arrays(X, rng.integers(0, 2, 50)).schema, 1)
        assert forest._members[0].pools.leaves.features.shape[1] == expected
        regressor = sg.AdaptiveRandomForestRegressor(2, max_features=max_features)
        regressor.start(sg.from_arrays(X, X[:, 0]).schema, 1)
        assert regressor._members[0].trees.leaves.features.shape[1] == expected
