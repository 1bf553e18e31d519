"""Adaptive trees and ensembles: against oracles, on real streams, on edge cases."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Block, Schema
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    new_adwins,
    update_window,
    window_mean,
    window_width,
)
from streamgauge.learners.base import Events
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import _agendas, check_learner
from tests.oracles.adaptive_trees import AdaptiveTree, Bag, Forest, Window

LEARNERS: dict[str, Any] = {
    "HoeffdingAdaptiveTree": sg.HoeffdingAdaptiveTree,
    "OnlineBagging": lambda **tree: sg.OnlineBagging(n=3, **tree),
    "LeveragingBagging": lambda **tree: sg.LeveragingBagging(n=3, **tree),
    "AdaptiveRandomForest": lambda **tree: sg.AdaptiveRandomForest(n=3, features=2, **tree),
    "drawing alike": lambda **tree: sg.AdaptiveRandomForest(n=3, features=2, alike=True, **tree),
}
ORACLES: dict[str, Any] = {
    "HoeffdingAdaptiveTree": lambda tree: AdaptiveTree(1, **tree),
    "OnlineBagging": lambda tree: Bag(3, 1, 1.0, False, tree),
    "LeveragingBagging": lambda tree: Bag(3, 1, 6.0, True, tree),
    "AdaptiveRandomForest": lambda tree: Forest(3, 1, 2, tree),
    "drawing alike": lambda tree: Forest(3, 1, 2, tree, alike=True),
}
LIVELY = {"grace": 25, "delta": 0.3, "tie": 0.2, "leaf": "nba", "criterion": "info_gain"}


def turning_stream(n: int, seed: int, every: int) -> ArrayStream:
    """The features' relation to the class changes regularly; values and labels are missing."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n).astype(np.int32)
    turned = (y + np.arange(n) // every) % 3
    X = np.column_stack(
        [
            turned + random.normal(0, 0.4, n),
            random.integers(0, 3, n),
            random.normal(0, 1, n),
            (turned + (random.random(n) < 0.2)) % 4,
        ]
    ).astype(np.float64)
    X[random.random(X.shape) < 0.02] = np.nan
    y[random.random(n) < 0.02] = -1
    schema = Schema(tuple("abcd"), ((), tuple("xyz"), (), tuple("uvwx")), (0, 1, 2))
    return ArrayStream("turning", schema, Block(0, X, y))


@numba.njit  # type: ignore[untyped-decorator]
def update_second(pool: AdwinPool, error: float) -> tuple[bool, float, float, float]:
    """Add an error to the second window; Python cannot call inner kernels."""
    shrunk = update_window(pool, 1, error, 0.002)
    return shrunk, window_width(pool, 1), window_mean(pool, 1), window_width(pool, 0)


@given(
    st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1)), min_size=1, max_size=6), st.randoms()
)
@settings(max_examples=60, deadline=None)
def test_adwin_pool_matches_the_oracle(stretches: list[tuple[int, float]], random: Any) -> None:
    pool, oracle = new_adwins(2), Window(0.002)
    for length, rate in stretches:
        for _ in range(length):
            error = float(random.random() < rate)
            shrunk, width, mean, other_width = update_second(pool, error)
            assert shrunk == oracle.update(error)
            assert width == oracle.n
            assert mean == pytest.approx(oracle.mean, abs=1e-9)
            assert other_width == 0


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize(
    ("n", "seed", "every", "policy"),
    [
        (1500, 1, 400, sg.Immediate()),
        (1500, 2, 700, sg.Delay(30)),
        (900, 3, 150, sg.Sampled(0.7)),
        (40, 4, 10, sg.Immediate()),
    ],
)
def test_every_prediction_matches_the_oracle(
    name: str, n: int, seed: int, every: int, policy: Any
) -> None:
    stream = turning_stream(n, seed, every)
    tree = {**LIVELY, "leaf": ["mc", "nb", "nba"][seed % 3]}
    learner = LEARNERS[name](**tree)
    learner.start(stream.schema, 1)
    oracle = ORACLES[name]({"nominal": list(stream.schema.cardinality), "k": 3, **tree})
    ours, theirs = [], []
    for room, (ops, slots, homes, _, weight, _, _) in _agendas(stream, policy, 128):
        label = np.empty(len(ops), np.int32)
        empty = np.empty((0, 3))
        learner.play(Events(room.X, room.y, ops, slots, homes, weight, label, empty))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] != LEARN:
                ours.append(int(label[e]))
                theirs.append(oracle.predict(x))
            elif weight[e]:
                oracle.learn(x, int(room.y[slot]), float(weight[e]))
    assert ours == theirs


@pytest.mark.parametrize("name", LEARNERS)
def test_passes_the_learner_battery(name: str) -> None:
    assert check_learner(LEARNERS[name](**LIVELY)) == []


@pytest.mark.parametrize("name", LEARNERS)
def test_recovers_after_a_drift(name: str) -> None:
    """The plain tree does not recover; bagging without windows need not."""
    stream = sg.drift([sg.Sine1(8000, seed=1), sg.Sine1(8000, seed=2, reverse=True)], at=[8000])
    run = sg.evaluate(stream, LEARNERS[name]())
    plain = sg.evaluate(stream, sg.HoeffdingTree())
    recovered = _last_thousand(run) - _last_thousand(plain)
    assert recovered > (0.03 if name != "OnlineBagging" else -0.05)


def _last_thousand(run: sg.Run) -> float:
    right = np.asarray(run.predictions["y"]) == np.asarray(run.predictions["prediction"])
    return float(right[-1000:].mean())


def test_elec2_accuracy_is_close_to_moa(elec2: sg.Stream) -> None:
    """One seed is close to MOA's accuracy; ten are compared in the long tier."""
    for learner, moas in (
        (sg.HoeffdingAdaptiveTree(), 82.43),
        (sg.AdaptiveRandomForest(), 87.57),
        (sg.LeveragingBagging(), 86.41),
    ):
        ours = 100 * sg.evaluate(elec2, learner).overall["accuracy"]
        assert abs(ours - moas) < 1.0, learner


def test_threads_and_blocks_do_not_change_predictions() -> None:
    stream = turning_stream(3000, 5, 500)
    runs = [
        sg.evaluate(stream, sg.AdaptiveRandomForest(n=4, jobs=jobs), seed=3, block_rows=rows)
        for jobs, rows in ((1, 8192), (2, 8192), (2, 77))
    ]
    answers = [run.predictions["prediction"].to_pylist() for run in runs]
    assert answers[0] == answers[1] == answers[2]
    other = sg.evaluate(stream, sg.AdaptiveRandomForest(n=4), seed=4)
    assert other.predictions["prediction"].to_pylist() != answers[0]


def test_memory_is_reused_after_drifts() -> None:
    """After many drifts the pools are only as large as the trees need."""
    learner = sg.AdaptiveRandomForest(n=2)
    sizes = []
    for rows in (20_000, 60_000):
        run = sg.evaluate(turning_stream(rows, 1, 1000), learner)
        sizes.append(run.learner.nbytes)
    assert sizes[1] <= 2 * sizes[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.AdaptiveRandomForest(n=0),
        lambda: sg.AdaptiveRandomForest(features=0),
        lambda: sg.AdaptiveRandomForest(features="most"),  # type: ignore[arg-type]
        lambda: sg.AdaptiveRandomForest(lam=-1),
        lambda: sg.AdaptiveRandomForest(drift=2),
        lambda: sg.AdaptiveRandomForest(jobs=0),
        lambda: sg.LeveragingBagging(n=0),
        lambda: sg.OnlineBagging(grace=0),
        lambda: sg.HoeffdingAdaptiveTree(delta=7),
    ],
)
def test_invalid_parameters_are_rejected(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()


@pytest.mark.parametrize("name", LEARNERS)
def test_constant_missing_short_and_wide_streams(name: str) -> None:
    n = 300
    y = np.arange(n) % 2
    for X in (np.ones((n, 3)), np.full((n, 3), np.nan)):
        run = sg.evaluate(sg.from_arrays(X, y), LEARNERS[name](grace=20))
        assert run.overall["coverage"] == (n - 1) / n
    one = sg.evaluate(sg.SEA(1, seed=1), LEARNERS[name]())
    assert one.overall["coverage"] == 0
    silent = sg.from_arrays(np.arange(3 * n).reshape(n, 3), y, classes=[0, 1, 2])
    assert sg.evaluate(silent, LEARNERS[name](grace=20)).counts.scored == n
    wide = np.random.default_rng(1).normal(size=(100, 1000))
    assert sg.evaluate(sg.from_arrays(wide, y[:100]), LEARNERS[name](grace=20)).counts.scored == 100
