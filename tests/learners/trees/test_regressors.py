"""Regression trees, their forest and rules: against oracles, in the battery, on edge cases."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Floats
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import POLICIES, _agendas, check_learner, example_stream
from tests.oracles.am_rules import RuleList
from tests.oracles.regression_trees import Member, Tree
from tests.oracles.rng import Rng

REGRESSORS = (sg.HoeffdingTreeRegressor, sg.AdaptiveRandomForestRegressor, sg.AMRules)


class Oracle(Protocol):
    def predict(self, x: list[float]) -> float: ...

    def learn(self, x: list[float], y: float, w: float) -> None: ...


def drifting(rows: int, seed: int) -> sg.Stream:
    """Numeric and nominal features with gaps; half-way their relation to the target reverses."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.integers(0, 40, rows) / 8,
            random.integers(0, 3, rows),
            random.normal(size=rows).round(3),
            np.arange(rows),
        ]
    )
    sign = np.where(np.arange(rows) < rows // 2, 1.0, -3.0)
    y = sign * (X[:, 0] > 2) + (X[:, 1] == 1) + 0.2 * random.normal(size=rows)
    X[random.random(X.shape) < 0.03] = np.nan
    colours = ("blue", "green", "red")
    schema = sg.Schema(("a", "b", "c", "d"), ((), colours, (), ()), ())
    return ArrayStream("drifting", schema, sg.Block(0, X, y))


def compare(learner: CompiledLearner, oracle: Oracle, stream: sg.Stream, policy: Any, size: int,
            weights: Floats) -> None:  # fmt: skip
    """Compare every prediction, event by event; the learner has been started."""
    ours, theirs = [], []
    for room, (ops, slots, homes, ids, weight, _, _) in _agendas(stream, policy, size):
        label, heavy = np.empty(len(ops)), weight * weights[ids % len(weights)]
        learner.play(Events(room.X, room.y, ops, slots, homes, heavy, label, np.empty((0, 0))))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] != LEARN:
                ours.append(label[e])
                theirs.append(oracle.predict(x))
            elif heavy[e] > 0:
                oracle.learn(x, float(room.y[slot]), float(heavy[e]))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


cases = given(
    seed=st.integers(0, 1000),
    grace=st.sampled_from([10, 40]),
    loose=st.booleans(),
    policy=st.sampled_from(POLICIES),
    size=st.sampled_from([1, 7, 64, 1000]),
    weights=st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0]), min_size=1, max_size=4),
    plain=st.booleans(),
)


def stream_of(plain: bool, seed: int, policy: Any, rows: int) -> sg.Stream:
    timed = isinstance(policy, sg.FromStream)
    return example_stream(rows, seed, regression=True) if plain or timed else drifting(rows, seed)


@settings(max_examples=10, deadline=None)
@cases
def test_tree_predicts_like_its_oracle(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    leaf, linear = ("perceptron", 1) if seed % 2 else ("mean", 0)
    given_rule = {"grace": grace, "tie": 0.6 if loose else 0.05, "drift_threshold": 0.5}
    learner = sg.HoeffdingTreeRegressor(leaf=leaf, **given_rule)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    nominal = list(stream.schema.cardinality)
    oracle = Tree(
        nominal, Rng(seed), list(range(len(nominal))), leaf_features=len(nominal), bins=128,
        linear=linear, min_weight=5.0, delta=1e-7, rate=0.02, decay=0.001, drift_delta=0.005,
        **given_rule,
    )  # fmt: skip
    compare(learner, oracle, stream, policy, size, np.array(weights))


@settings(max_examples=6, deadline=None)
@cases
def test_forest_member_predicts_like_its_oracle(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    rule = {"grace": grace, "tie": 0.6 if loose else 0.05, "warning": 0.3, "drift": 0.2}
    learner = sg.AdaptiveRandomForestRegressor(1, **rule)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    nominal = list(stream.schema.cardinality)
    own_seed = int(np.random.SeedSequence(seed).generate_state(1)[0])
    member = Member(
        nominal, own_seed, leaf_features=round(0.6 * len(nominal)), bins=64, linear=0,
        min_weight=30.0, delta=0.01, drift_delta=0.005, drift_threshold=50.0, **rule,
    )  # fmt: skip
    compare(learner, member, stream, policy, size, np.array(weights))


@settings(max_examples=10, deadline=None)
@cases
def test_rules_predict_like_their_oracle(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    rule = {"grace": grace, "tie": 0.6 if loose else 0.05, "drift_threshold": 5.0}
    learner = sg.AMRules(**rule)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    oracle = RuleList(list(stream.schema.cardinality), seed, delta=1e-7, drift_delta=0.05, **rule)
    compare(learner, oracle, stream, policy, size, np.array(weights))


@pytest.mark.parametrize(
    "learner",
    [
        sg.HoeffdingTreeRegressor(grace=20, tie=0.6, drift_threshold=1.0),
        sg.AdaptiveRandomForestRegressor(2, grace=20, warning=0.3, drift=0.2),
        sg.AMRules(grace=20, tie=0.6, drift_threshold=5.0),
    ],
    ids=repr,
)
def test_passes_the_learner_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(regression=True)) == []


def friedman(rows: int, seed: int = 1) -> sg.Stream:
    random = np.random.default_rng(seed)
    X = random.random((rows, 10))
    curve = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return sg.from_arrays(X, curve + 10 * X[:, 3] + 5 * X[:, 4] + random.normal(size=rows))


def same(one: sg.Run, other: sg.Run) -> bool:
    first, second = (run.predictions["prediction"].to_numpy() for run in (one, other))
    return np.array_equal(first, second, equal_nan=True)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_beats_the_mean_and_depends_only_on_the_seed(kind: Callable[[], Any]) -> None:
    stream = friedman(8000)
    mean, ours = sg.evaluate(stream, [sg.Mean(), kind()])
    assert ours.overall["mae"] < 0.75 * mean.overall["mae"]
    again = sg.evaluate(stream, kind(), block_rows=333)
    assert same(ours, again)
    other = sg.evaluate(stream, kind(), seed=2)
    assert not same(ours, other)
    assert abs(other.overall["mae"] / ours.overall["mae"] - 1) < 0.1


def test_threads_do_not_change_predictions() -> None:
    stream = friedman(3000)
    alone = sg.evaluate(stream, sg.AdaptiveRandomForestRegressor(4))
    shared = sg.evaluate(stream, sg.AdaptiveRandomForestRegressor(4, jobs=2))
    assert same(alone, shared)


def test_alternate_replaces_subtree_after_drift() -> None:
    random = np.random.default_rng(1)
    X, sign = random.random((20_000, 3)), np.where(np.arange(20_000) < 10_000, 1.0, -1.0)
    stream = sg.from_arrays(X, sign * (X[:, 0] > 0.5) + 0.1 * random.normal(size=20_000))
    runs = sg.evaluate(
        stream,
        [
            sg.HoeffdingTreeRegressor(leaf="mean"),
            sg.HoeffdingTreeRegressor(leaf="mean", drift_threshold=1e9),
        ],
    )
    adapts, stays = (
        np.abs(run.predictions["y"].to_numpy() - run.predictions["prediction"].to_numpy())
        for run in runs
    )
    assert adapts[10_500:12_000].mean() < 0.5 * stays[10_500:12_000].mean()


def test_large_targets_do_not_lose_precision() -> None:
    stream = friedman(3000)
    block = next(stream.blocks(3000))
    far = sg.from_arrays(block.X, block.y + 1e9)
    for kind in REGRESSORS:
        near, moved = sg.evaluate(stream, kind()), sg.evaluate(far, kind())
        assert abs(near.overall["mae"] - moved.overall["mae"]) < 1e-3


@pytest.mark.parametrize("kind", REGRESSORS)
def test_constant_missing_short_and_wide_streams(kind: Callable[[], Any]) -> None:
    n = 600
    y = np.random.default_rng(1).normal(size=n)
    constant = sg.evaluate(sg.from_arrays(np.ones((n, 2)), y), kind())
    assert np.isfinite(constant.overall["mae"])
    gaps = sg.from_arrays(np.full((n, 2), np.nan), y)
    nothing = sg.evaluate(gaps, kind())
    assert (
        abs(
            nothing.overall["mae"]
            - sg.evaluate(sg.from_arrays(y[:, None], y), sg.Mean()).overall["mae"]
        )
        < 0.2
    )
    sevens = sg.from_arrays(y[:, None], np.full(n, 7.0), task="regression")
    flat = sg.evaluate(sevens, kind())
    assert flat.overall["mae"] == 0
    one = sg.evaluate(sg.from_arrays(y[:1, None], y[:1]), kind())
    assert one.overall["coverage"] == 0
    wide = np.random.default_rng(1).normal(size=(250, 10_000))
    many = sg.evaluate(sg.from_arrays(wide, y[:250]), kind())
    assert np.isfinite(many.overall["mae"])
    learner = kind()
    learner.start(gaps.schema, 1)
    learner.learn(np.ones((1, 2)), np.ones(1), np.zeros(1))
    assert np.isnan(learner.predict(np.ones((1, 2)))).all()  # a row of weight 0 is not learned
    learner.learn(np.ones((1, 2)), np.ones(1), np.full(1, 1e12))
    assert learner.predict(np.ones((1, 2))) == 1.0


def test_feature_that_rises_with_time_is_still_split() -> None:
    rows = 6000
    x = np.arange(rows, dtype=float)
    y = np.where(x < 3000, 0.0, 10.0) + np.random.default_rng(1).normal(size=rows)
    learner = sg.HoeffdingTreeRegressor(leaf="mean", grace=rows)
    learner.start(sg.from_arrays(x[:, None], y).schema, 1)
    learner.learn(x[:, None], y, np.ones(rows))
    low, high = learner.predict(np.array([[1000.0], [5000.0]]))
    assert abs(low) < 1
    assert abs(high - 10) < 1


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (sg.HoeffdingTreeRegressor, {"grace": 0}),
        (sg.HoeffdingTreeRegressor, {"delta": 1.0}),
        (sg.HoeffdingTreeRegressor, {"tie": -1}),
        (sg.HoeffdingTreeRegressor, {"leaf": "x"}),
        (sg.HoeffdingTreeRegressor, {"rate": 0}),
        (sg.HoeffdingTreeRegressor, {"decay": -1}),
        (sg.HoeffdingTreeRegressor, {"drift_threshold": 0}),
        (sg.AdaptiveRandomForestRegressor, {"n": 0}),
        (sg.AdaptiveRandomForestRegressor, {"n": 2.5}),
        (sg.AdaptiveRandomForestRegressor, {"features": 0}),
        (sg.AdaptiveRandomForestRegressor, {"jobs": 0}),
        (sg.AdaptiveRandomForestRegressor, {"drift": 2}),
        (sg.AdaptiveRandomForestRegressor, {"grace": 0}),
        (sg.AMRules, {"grace": 0}),
        (sg.AMRules, {"delta": float("nan")}),
        (sg.AMRules, {"drift_threshold": -1}),
    ],
)
def test_invalid_parameters_are_rejected(kind: Callable[..., Any], wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        kind(**wrong)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_stream_of_the_wrong_task_is_rejected(kind: Callable[[], Any]) -> None:
    with pytest.raises(sg.UsageError, match="is for regression"):
        sg.evaluate(sg.SEA(100, seed=1), kind())
    with pytest.raises(sg.UsageError, match="is for classification"):
        sg.evaluate(friedman(100), sg.HoeffdingTree())


def test_plain_python_and_compiled_kernels_agree() -> None:
    code = (
        "import sys, numpy as np, streamgauge as sg\n"
        "from streamgauge.testing import example_stream\n"
        "stream = example_stream(250, 3, regression=True)\n"
        "for learner in (sg.HoeffdingTreeRegressor(grace=20, tie=0.6, drift_threshold=0.5),\n"
        "                sg.AdaptiveRandomForestRegressor(2, grace=20),\n"
        "                sg.AMRules(grace=20, tie=0.6)):\n"
        "    run = sg.evaluate(stream, learner)\n"
        "    print(repr(run.overall['mae']), repr(run.overall['rmse']))\n"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    compiled = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(plain) == 6
    np.testing.assert_allclose([float(a) for a in plain], [float(a) for a in compiled], rtol=1e-12)
