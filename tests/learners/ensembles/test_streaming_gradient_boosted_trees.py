"""StreamingGradientBoostedTrees against its oracle, its subspaces and its threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN
from streamgauge.learners.base import Events
from streamgauge.learners.ensembles._boosting import draw_subspaces
from streamgauge.testing import check_learner, example_stream
from tests.learners.adaptive import turning_stream
from tests.oracles.boosting import BoostedClassifier, Booster
from tests.playing import agendas

LIVELY: dict[str, Any] = {
    "learning_rate": 0.4, "grace_period": 15, "delta": 0.3, "tau": 0.4, "max_depth": 5,
}  # fmt: skip


def oracle_of(stream: sg.Stream, n_models: int, seed: int) -> BoostedClassifier:
    nominal, k = list(stream.schema.cardinality), len(stream.schema.classes)
    subspaces = draw_subspaces(len(nominal), n_models, 0.75, seed).tolist()
    boosters = [
        Booster(
            nominal, subspaces, seed, bag_size=1, bins=64, min_weight=5.0, drift_delta=0.005,
            drift_threshold=50.0, **LIVELY,
        )
        for _ in range(k if k > 2 else 1)
    ]  # fmt: skip
    return BoostedClassifier(boosters, k)


@pytest.mark.parametrize(
    ("stream", "policy", "size"),
    [
        (turning_stream(900, 1, 250), sg.Immediate(), 128),
        (turning_stream(500, 2, 700), sg.Delay(30), 1),
        (sg.SEA(900, seed=3), sg.Sampled(0.7), 1000),
    ],
    ids=["three classes", "late labels", "two classes"],
)
def test_every_prediction_is_the_oracles(stream: sg.Stream, policy: Any, size: int) -> None:
    learner = sg.StreamingGradientBoostedTrees(n_models=6, **LIVELY)
    learner.start(stream.schema, 5)
    oracle = oracle_of(stream, 6, 5)
    k, ours, theirs = len(stream.schema.classes), [], []
    for room, (ops, slots, row_ids, ids, weight, _, _) in agendas(stream, policy, size):
        label, proba = np.empty(len(ops), np.int32), np.empty((len(ops), k))
        heavy = weight * np.array([1.0, 2.0, 0.5, 0.0])[ids % 4]
        learner.play(Events(room.X, room.y, ops, slots, row_ids, heavy, label, proba))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] != LEARN:
                ours.append(proba[e])
                theirs.append(oracle.predict(x))
                assert label[e] == (-1 if np.isnan(theirs[-1][0]) else np.argmax(proba[e]))
            elif heavy[e] > 0:
                oracle.learn(x, int(room.y[slot]), float(heavy[e]))
    np.testing.assert_allclose(np.array(ours), np.array(theirs), rtol=1e-9, atol=1e-9)


def test_keeps_every_promise_of_a_learner() -> None:
    learner = sg.StreamingGradientBoostedTrees(n_models=3, **LIVELY)
    assert check_learner(learner, example_stream(80)) == []


def test_threads_change_nothing() -> None:
    stream = sg.RandomRBFDrift(6000, seed=1, n_classes=3)
    runs = [
        sg.evaluate(stream, sg.StreamingGradientBoostedTrees(n_models=7, n_jobs=n))
        for n in (1, 2, 5)
    ]
    first, *others = (run.predictions["prediction"].to_pylist() for run in runs)
    assert all(first == other for other in others)


def test_limited_depth_limits_the_model() -> None:
    learner = sg.StreamingGradientBoostedTrees(n_models=5, max_depth=3)
    learner.start(sg.SEA(1).schema, 1)
    sizes = []
    for block in sg.SEA(12_000, seed=1).blocks(4000):
        learner.learn(block.X, block.y, np.ones(len(block)))
        sizes.append(learner.nbytes)
    assert sizes[0] == sizes[1] == sizes[2]


def test_subspaces_of_few_features_are_used_equally_often() -> None:
    drawn = draw_subspaces(6, 100, 0.75, seed=1)  # 4.5 features are rounded up, as in MOA
    assert drawn.shape == (100, 5)
    assert (np.diff(drawn) > 0).all()
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert sorted(counts) == [16, 16, 17, 17, 17, 17]
    assert (drawn != draw_subspaces(6, 100, 0.75, seed=2)).any()


@pytest.mark.parametrize(("d", "size"), [(0, 0), (1, 1), (2, 2), (3, 2), (54, 41), (200, 150)])
def test_subspaces_have_three_quarters_of_the_features_but_at_least_two(d: int, size: int) -> None:
    drawn = draw_subspaces(d, 10, 0.75, seed=1)
    assert drawn.shape == (10, size)
    assert all(len(set(features)) == size for features in drawn.tolist())
    assert ((drawn >= 0) & (drawn < max(d, 1))).all()


def test_many_trees_correct_few() -> None:
    few, many = sg.evaluate(
        sg.RandomRBF(4000, seed=1),
        [sg.StreamingGradientBoostedTrees(n_models=n) for n in (1, 30)],
    )
    assert many.overall["accuracy"] > few.overall["accuracy"] + 0.02


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_models": 0}, {"n_models": 100_000}, {"n_models": 2.5}, {"max_features": 0},
        {"max_features": 1.5}, {"learning_rate": 0}, {"learning_rate": 2}, {"grace_period": 0},
        {"delta": 1.0}, {"tau": -1}, {"max_depth": -1}, {"max_depth": 2.5}, {"n_jobs": 0},
    ],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        sg.StreamingGradientBoostedTrees(**wrong)
