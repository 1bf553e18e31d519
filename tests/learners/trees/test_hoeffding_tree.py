"""The Hoeffding tree: against its oracle, on real streams, on edge cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Block, Schema
from streamgauge.learners.base import Events
from streamgauge.learners.trees import _tables
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, example_stream
from tests.conftest import real_data
from tests.oracles.hoeffding_tree import Tree
from tests.playing import agendas

OPTIONS = st.fixed_dictionaries(
    {
        "grace_period": st.integers(1, 30),
        "delta": st.sampled_from([1e-7, 1e-3, 0.3]),
        "tau": st.sampled_from([0.0, 0.05, 0.5]),
        "leaf_prediction": st.sampled_from(["mc", "nb", "nba"]),
        "split_criterion": st.sampled_from(["info_gain", "gini"]),
        "compat": st.sampled_from([None, "moa"]),
    }
)


def mixed_stream(n: int, k: int, seed: int) -> ArrayStream:
    """Informative numeric features, nominal features, missing values and labels."""
    random = np.random.default_rng(seed)
    y = random.integers(0, k, n).astype(np.int32)
    X = np.column_stack(
        [
            y + random.normal(0, 0.7, n).round(2),
            random.integers(0, 4, n),
            random.choice([1.5, 2.5], n),
            (y + random.integers(0, 2, n)) % 3,
        ]
    ).astype(np.float64)
    X[random.random(X.shape) < 0.05] = np.nan
    y[random.random(n) < 0.05] = -1
    schema = Schema(("a", "b", "c", "d"), ((), tuple("wxyz"), (), tuple("uvw")), tuple(range(k)))
    return ArrayStream("mixed", schema, Block(0, X, y))


def wide_stream(n: int, k: int, seed: int) -> ArrayStream:
    """Nominal features of many values, few of which a leaf has seen, and few that say the class."""
    random = np.random.default_rng(seed)
    y = random.integers(0, k, n).astype(np.int32)
    often, rare = random.integers(0, 300, 6), random.integers(0, 300, n)
    X = np.column_stack(
        [
            np.where(random.random(n) < 0.8, often[y], rare),
            np.where(random.random(n) < 0.3, 64 * random.integers(0, 4, n), rare),
            random.integers(0, 20, n),
            (y + random.integers(0, 2, n)) % 9,
            y + random.normal(0, 0.7, n).round(2),
        ]
    ).astype(np.float64)
    X[random.random(X.shape) < 0.05] = np.nan
    values = tuple(tuple(map(str, range(size))) for size in (300, 300, 20, 9, 0))
    return ArrayStream("wide", Schema(tuple("abcde"), values, tuple(range(k))), Block(0, X, y))


def numeric_stream(n: int, k: int, seed: int) -> ArrayStream:
    """Numeric features only, some constant for a while or in a class: tests log space."""
    random = np.random.default_rng(seed)
    y = random.integers(0, k, n).astype(np.int32)
    y[: n // 2] %= 2
    X = np.column_stack([y + random.normal(0, 0.7, n).round(2), np.arange(n) // 60, y == 0, y])
    X[:, 3] += random.random(n) < 0.01
    spread = random.normal(0.5, 0.2, (n, 3)).round(1)  # one class has no variance
    X = np.column_stack([X[:, [0, 1, 3]], np.where(y[:, None] == 0, 0.5, spread)])
    names = tuple("abcdef")
    return ArrayStream("numbers", Schema(names, ((),) * 6, tuple(range(k))), Block(0, X, y))


@example(  # a split is due or not by the rounding of one sum
    mixed_stream, 161, 2, 161,
    {"grace_period": 2, "delta": 0.3, "tau": 0.0, "leaf_prediction": "mc",
     "split_criterion": "gini"},
    sg.Immediate(),
)  # fmt: skip
@given(
    st.sampled_from([mixed_stream, wide_stream, numeric_stream]),
    st.integers(1, 300), st.integers(2, 4), st.integers(0, 10**6), OPTIONS,
    st.sampled_from([sg.Immediate(), sg.Delay(7), sg.Chunks(20)]),
)  # fmt: skip
def test_every_prediction_matches_the_oracle(
    make: Any, n: int, k: int, seed: int, options: dict[str, Any], policy: LabelPolicy
) -> None:
    stream = make(n, k, seed)
    learner = sg.HoeffdingTree(**options)
    learner.start(stream.schema, 1)
    tree = Tree(list(stream.schema.cardinality), k, **options)
    ours, theirs = [], []
    for room, (ops, slots, row_ids, _, weight, _, _) in agendas(stream, policy, 64):
        label = np.empty(len(ops), np.int32)
        proba = np.empty((0, k))
        learner.play(Events(room.X, room.y, ops, slots, row_ids, weight, label, proba))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] == LEARN:
                tree.learn(x, int(room.y[slot]), float(weight[e]))
            else:
                ours.append(int(label[e]))
                theirs.append(tree.predict(x))
    assert ours == theirs


@pytest.mark.parametrize(
    "learner",
    [
        sg.HoeffdingTree(grace_period=20, tau=0.5),
        sg.HoeffdingTree(grace_period=20, tau=0.5, compat="moa"),
        sg.HoeffdingTree(grace_period=10, leaf_prediction="mc", split_criterion="gini", tau=1.0),
        sg.HoeffdingTree(grace_period=10, leaf_prediction="nb", tau=1.0),
    ],
    ids=repr,
)
def test_passes_the_learner_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(160)) == []


def test_elec2_accuracy_matches_moa_and_is_below_that_of_persistence(elec2: sg.Stream) -> None:
    run = sg.evaluate(elec2, sg.HoeffdingTree())
    assert abs(100 * run.overall["accuracy"] - 79.04) < 1.0  # MOA's
    persistent = run.verdict["Persistent"]
    assert (persistent.word, persistent.test.by_cosines) == ("worse", True)
    assert persistent.t == pytest.approx(-3.40, abs=0.005)
    assert run.verdict["Majority"].word == "better"
    assert run.learner.node_count > 50


def test_reproduces_table_1_of_grzenda2019() -> None:
    real_data("airlines_atl_2008w1")
    run = sg.evaluate(
        sg.load("airlines_atl_2008w1"),
        sg.HoeffdingTree(),
        reevaluate=sg.Reevaluate(compat="moa-fork"),
    )
    ours = 100 * run.bins_at(labels=6227)["accuracy"][[0, 45, 51]]
    assert np.abs(ours - [45.59, 47.13, 47.34]).max() < 0.5


def test_tree_beats_a_single_leaf() -> None:
    stream = sg.RandomTree(20_000, seed=1)
    tree = sg.evaluate(stream, sg.HoeffdingTree())
    leaf = sg.evaluate(stream, sg.NaiveBayes())
    assert tree.overall["accuracy"] > leaf.overall["accuracy"] + 0.05


def test_constant_missing_short_and_wide_streams() -> None:
    n = 500
    ones = np.ones((n, 2))
    y = np.arange(n) % 2
    constant = sg.from_arrays(ones, y)
    run = sg.evaluate(constant, sg.HoeffdingTree(grace_period=50))
    assert run.overall["coverage"] == (n - 1) / n
    assert run.learner.node_count == 1  # nothing to split on
    nothing = sg.from_arrays(np.full((n, 2), np.nan), y)
    assert sg.evaluate(nothing, sg.HoeffdingTree(grace_period=50)).learner.node_count == 1
    one = sg.evaluate(sg.SEA(1, seed=1), sg.HoeffdingTree())
    assert one.overall["coverage"] == 0
    silent = sg.from_arrays(
        np.arange(n)[:, np.newaxis], y, classes=[0, 1, 2]
    )  # class 2 never occurs
    assert sg.evaluate(silent, sg.HoeffdingTree(grace_period=50)).counts.scored == n
    wide = np.random.default_rng(1).normal(size=(300, 2000))
    many = sg.evaluate(sg.from_arrays(wide, y[:300]), sg.HoeffdingTree(grace_period=50))
    assert many.counts.scored == 300
    folds = sg.evaluate(
        sg.SEA(2000, seed=1), sg.HoeffdingTree(), protocol=sg.PrequentialCV(3, "bootstrap")
    )
    assert folds.mean["accuracy"] > 0.9


@pytest.mark.parametrize(
    "wrong",
    [
        {"grace_period": 0},
        {"delta": 0},
        {"delta": 1.5},
        {"tau": -1},
        {"leaf_prediction": "x"},
        {"split_criterion": "y"},
    ],
)
def test_invalid_parameters_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        sg.HoeffdingTree(**wrong)


def test_probabilities_do_not_change_predictions() -> None:
    stream = example_stream(2000, seed=3)
    plain = sg.evaluate(stream, sg.HoeffdingTree(grace_period=50))
    with_probabilities = sg.evaluate(stream, sg.HoeffdingTree(grace_period=50), metrics="all")
    assert plain.predictions.equals(with_probabilities.predictions)
    assert with_probabilities.summary["log_loss"] > 0


@pytest.mark.parametrize("most", [25_000, 50_000, 100_000])
def test_tree_stays_within_max_bytes(most: int) -> None:
    """The least promising leaves become inactive; the tree keeps its structure."""
    stream = sg.RandomTree(30_000, seed=1)
    free = sg.evaluate(stream, sg.HoeffdingTree(grace_period=100, leaf_prediction="mc"))
    tight = sg.evaluate(
        stream, sg.HoeffdingTree(grace_period=100, leaf_prediction="mc", max_byte_size=most)
    )
    leaf = sg.evaluate(stream, sg.HoeffdingTree(grace_period=10**7, leaf_prediction="mc"))
    assert free.learner.nbytes > most >= tight.learner.nbytes
    assert 3 <= tight.learner.node_count <= free.learner.node_count
    assert tight.overall["accuracy"] > leaf.overall["accuracy"]
    if most == 100_000:
        sensor = sg.evaluate(
            stream, sg.HoeffdingTree(grace_period=100, leaf_prediction="mc", memory="sensor")
        )
        assert sensor.overall["accuracy"] == tight.overall["accuracy"]


def test_sufficient_memory_budget_changes_nothing() -> None:
    stream = mixed_stream(2000, 3, 1)
    free = sg.evaluate(stream, sg.HoeffdingTree(grace_period=20, tau=0.5))
    rich = sg.evaluate(stream, sg.HoeffdingTree(grace_period=20, tau=0.5, memory="server"))
    assert free.predictions.equals(rich.predictions)


def test_invalid_memory_budgets_are_rejected() -> None:
    with pytest.raises(
        sg.UsageError, match=r"at least [\d,]+ bytes for a tree with a single split"
    ):
        sg.evaluate(sg.SEA(100, seed=1), sg.HoeffdingTree(max_byte_size=500))
    with pytest.raises(sg.UsageError, match="memory and max_byte_size are both limits; give one"):
        sg.HoeffdingTree(max_byte_size=10**6, memory="sensor")
    with pytest.raises(sg.UsageError, match="'sensor', 'handheld', 'server' or None"):
        sg.HoeffdingTree(memory="watch")  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match="max_byte_size"):
        sg.HoeffdingTree(max_byte_size=1.5)  # type: ignore[arg-type]


def test_single_leaf_predicts_like_naive_bayes() -> None:
    """Features without variance within a class contribute no factor to the product."""
    random = np.random.default_rng(1)
    y = random.integers(0, 3, 3000)
    rare = np.array([[0, 0.03, 0.3], [0.03, 0, 0.3], [0.1, 0.1, 0]])[y]
    X = (random.random((3000, 30)) < np.repeat(rare, 10, axis=1)).astype(float)
    stream = sg.from_arrays(np.column_stack([X, y + random.normal(0, 2, 3000)]), y)
    leaf = sg.evaluate(stream, sg.HoeffdingTree(grace_period=10**7, leaf_prediction="nb"))
    bayes = sg.evaluate(stream, sg.NaiveBayes())
    assert leaf.predictions["prediction"].equals(bayes.predictions["prediction"])


def test_features_with_thousands_of_values_take_memory_as_leaves_are_made() -> None:
    rng = np.random.default_rng(1)
    few = rng.integers(0, 4, (400, 2))  # one split is clear; then every value makes a leaf
    X = np.concatenate([few, np.arange(1500)[:, None].repeat(2, axis=1)]).astype(float)
    schema = sg.Schema(("a", "b"), (tuple(map(str, range(1500))),) * 2, (0, 1))
    stream = ArrayStream("wide", schema, sg.Block(0, X, (X[:, 0] > 1).astype(np.int32)))
    run = sg.evaluate(stream, sg.HoeffdingTree(grace_period=50))
    assert run.learner.node_count > 1000
    # Room for all leaves of one split; room for 16 of the widest splits would take 1.1 GB.
    assert run.learner.nbytes < 500_000_000


def test_tree_that_cannot_fit_into_memory_is_refused_in_words() -> None:
    names = tuple(f"x{j}" for j in range(200_000))
    schema = sg.Schema(names, ((),) * 200_000, tuple(range(50_000)))
    with pytest.raises(sg.UsageError, match="too much memory for a tree: a table of 1 × 50,000 ×"):
        sg.HoeffdingTree().start(schema, 1)


def test_table_that_could_not_be_filled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tables, "free_memory", lambda: 1 << 31)
    column = np.zeros((1, 2, 1 << 20))
    assert len(_tables.padded(column, 99)) == 100  # 1.6 GB, none of which is used
    with pytest.raises(sg.UsageError, match="too much memory for a tree: a table of 201 × 2 ×"):
        _tables.padded(column, 200)


def test_branch_without_rows_predicts_class_0_as_in_moa() -> None:
    """Values a and c split; b lies between them in the header, d after them."""
    y = np.tile([1, 2], 100).astype(np.int32)
    X = np.where(y == 1, 0.0, 2.0)[:, None]
    X = np.r_[X, [[1.0]], [[3.0]]]
    schema = Schema(("x",), (("a", "b", "c", "d"),), (0, 1, 2))
    stream = ArrayStream("s", schema, Block(0, X, np.r_[y, [1, 1]].astype(np.int32)))
    last = {}
    compats: list[Any] = [None, "moa"]
    for compat in compats:
        run = sg.evaluate(stream, sg.HoeffdingTree(grace_period=100, compat=compat))
        last[compat] = run.predictions["prediction"].to_pylist()[-2:]
    assert last[None] == [1, 1]  # the majority of the split
    assert last["moa"] == [0, 1]  # MOA has made no branch for d


def test_unknown_compat_is_an_error() -> None:
    with pytest.raises(sg.UsageError, match="expected compat 'moa' or None"):
        sg.HoeffdingTree(compat="river")  # type: ignore[arg-type]
