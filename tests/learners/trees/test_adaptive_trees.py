"""Trees that adapt, alone and in ensembles: against literal oracles, on real streams, at limits."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Block, Schema
from streamgauge.detectors.adwin_pool import Windows, error_rate, feed, new_windows, width
from streamgauge.learners.base import Events
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import _agendas, check_learner
from tests.oracles.adaptive_trees import AdaptiveTree, Bag, Forest, Window

LEARNERS: dict[str, Any] = {
    "HoeffdingAdaptiveTree": sg.HoeffdingAdaptiveTree,
    "OnlineBagging": lambda **tree: sg.OnlineBagging(n_models=3, **tree),
    "LeveragingBagging": lambda **tree: sg.LeveragingBagging(n_models=3, **tree),
    "AdaptiveRandomForest": lambda **tree: sg.AdaptiveRandomForest(
        n_models=3, max_features=2, **tree
    ),
    "drawing alike": lambda **tree: sg.AdaptiveRandomForest(
        n_models=3, max_features=2, compat="moa", **tree
    ),
}
ORACLES: dict[str, Any] = {
    "HoeffdingAdaptiveTree": lambda tree: AdaptiveTree(1, **tree),
    "OnlineBagging": lambda tree: Bag(3, 1, 1.0, False, tree),
    "LeveragingBagging": lambda tree: Bag(3, 1, 6.0, True, tree),
    "AdaptiveRandomForest": lambda tree: Forest(3, 1, 2, tree),
    "drawing alike": lambda tree: Forest(3, 1, 2, tree, alike=True),
}
LIVELY = {
    "grace_period": 25,
    "delta": 0.3,
    "tau": 0.2,
    "leaf_prediction": "nba",
    "split_criterion": "info_gain",
}


def turning_stream(n: int, seed: int, every: int) -> ArrayStream:
    """What tells the class changes sides every so many rows; numbers, names, gaps, lost labels."""
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
def fed(windows: Windows, error: float) -> tuple[bool, float, float, float]:
    """The second window gets an error; Python cannot call inner kernels."""
    shrunk = feed(windows, 1, error, 0.002)
    return shrunk, width(windows, 1), error_rate(windows, 1), width(windows, 0)


@given(
    st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1)), min_size=1, max_size=6), st.randoms()
)
@settings(max_examples=60, deadline=None)
def test_windows_are_the_oracles(stretches: list[tuple[int, float]], random: Any) -> None:
    windows, oracle = new_windows(2), Window(0.002)
    for length, rate in stretches:
        for _ in range(length):
            error = float(random.random() < rate)
            shrunk, size, rate_there, size_beside = fed(windows, error)
            assert shrunk == oracle.feed(error)
            assert size == oracle.n
            assert rate_there == pytest.approx(oracle.rate, abs=1e-9)
            assert size_beside == 0


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
def test_every_answer_is_the_oracles(name: str, n: int, seed: int, every: int, policy: Any) -> None:
    stream = turning_stream(n, seed, every)
    tree = {**LIVELY, "leaf_prediction": ["mc", "nb", "nba"][seed % 3]}
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
def test_the_battery(name: str) -> None:
    assert check_learner(LEARNERS[name](**LIVELY)) == []


@pytest.mark.parametrize("name", LEARNERS)
def test_after_a_drift_they_recover(name: str) -> None:
    """The plain tree does not; bagging without windows need not."""
    stream = sg.drift([sg.Sine1(8000, seed=1), sg.Sine1(8000, seed=2, reverse=True)], at=[8000])
    run = sg.evaluate(stream, LEARNERS[name]())
    plain = sg.evaluate(stream, sg.HoeffdingTree())
    recovered = _last_thousand(run) - _last_thousand(plain)
    assert recovered > (0.03 if name != "OnlineBagging" else -0.05)


def _last_thousand(run: sg.Run) -> float:
    right = np.asarray(run.predictions["y"]) == np.asarray(run.predictions["prediction"])
    return float(right[-1000:].mean())


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; ten are compared in the long tier."""
    for learner, moas in (
        (sg.HoeffdingAdaptiveTree(), 82.43),
        (sg.AdaptiveRandomForest(), 87.57),
        (sg.LeveragingBagging(), 86.41),
    ):
        ours = 100 * sg.evaluate(elec2, learner).overall["accuracy"]
        assert abs(ours - moas) < 1.0, learner


def test_threads_and_blocks_change_nothing() -> None:
    stream = turning_stream(3000, 5, 500)
    runs = [
        sg.evaluate(
            stream, sg.AdaptiveRandomForest(n_models=4, n_jobs=jobs), seed=3, block_rows=rows
        )
        for jobs, rows in ((1, 8192), (2, 8192), (2, 77))
    ]
    answers = [run.predictions["prediction"].to_pylist() for run in runs]
    assert answers[0] == answers[1] == answers[2]
    other = sg.evaluate(stream, sg.AdaptiveRandomForest(n_models=4), seed=4)
    assert other.predictions["prediction"].to_pylist() != answers[0]


def test_memory_is_given_back() -> None:
    """Over many drifts the pools stay as large as the trees need."""
    learner = sg.AdaptiveRandomForest(n_models=2)
    sizes = []
    for rows in (20_000, 60_000):
        run = sg.evaluate(turning_stream(rows, 1, 1000), learner)
        sizes.append(run.learner.nbytes)
    assert sizes[1] <= 2 * sizes[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.AdaptiveRandomForest(n_models=0),
        lambda: sg.AdaptiveRandomForest(max_features=0),
        lambda: sg.AdaptiveRandomForest(max_features="most"),  # type: ignore[arg-type]
        lambda: sg.AdaptiveRandomForest(lambda_value=-1),
        lambda: sg.AdaptiveRandomForest(drift_delta=2),
        lambda: sg.AdaptiveRandomForest(n_jobs=0),
        lambda: sg.LeveragingBagging(n_models=0),
        lambda: sg.OnlineBagging(grace_period=0),
        lambda: sg.HoeffdingAdaptiveTree(delta=7),
    ],
)
def test_absurd_parameters(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()


@pytest.mark.parametrize("name", LEARNERS)
def test_hopeless_streams(name: str) -> None:
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
