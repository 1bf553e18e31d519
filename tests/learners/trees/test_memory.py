"""The memory environments: a tree starts in each on every stream, and says what it leaves out."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.rng import new_rng
from streamgauge._support.types import Block, Schema
from streamgauge.learners.trees._memory import Watched, watched_within
from streamgauge.streams.frames import ArrayStream

SENSOR = 100_000
# The streams of the papers: numeric features, values of each nominal feature, classes.
STREAMS = {
    "SEA": (3, (), 2),
    "Elec2": (7, (7,), 2),
    "LED": (0, (2,) * 24, 10),
    "waveform": (40, (), 3),
    "random tree": (5, (5,) * 5, 2),
    "covtype": (10, (2,) * 44, 7),
    "covtype, numeric": (54, (), 7),
    "airlines": (4, (18, 293, 293), 2),
    "KDD99": (34, (3, 66, 11, 2, 2, 2, 2), 23),
    "poker hand": (5, (4,) * 5, 10),
    "power supply": (2, (), 24),
    "rialto": (27, (), 10),
    "ozone": (72, (), 2),
    "insects": (33, (), 6),
    "keystroke": (10, (), 4),
}


def schema_of(numeric: int, cardinality: tuple[int, ...], classes: int) -> Schema:
    values = [()] * numeric + [tuple(map(str, range(size))) for size in cardinality]
    names = tuple(f"x{j}" for j in range(len(values)))
    return Schema(names, tuple(values), tuple(f"c{i}" for i in range(classes)))


def some_rows(schema: Schema, rows: int) -> sg.Stream:
    """Two classes, which every feature shows."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, rows)
    noise = rng.normal(0, 0.1, (rows, len(schema.features)))
    X = np.where(np.array(schema.cardinality) > 0, y[:, None], y[:, None] + noise)
    return ArrayStream("rows", schema, Block(0, X, y.astype(np.int32)))


@pytest.mark.parametrize("name", STREAMS)
def test_a_tree_grows_in_a_sensor_on_every_stream(name: str) -> None:
    schema = schema_of(*STREAMS[name])
    tree = sg.HoeffdingTree(memory="sensor", grace_period=20, delta=0.5)
    run = sg.evaluate(some_rows(schema, 150), tree)
    assert run.learner.nbytes <= SENSOR
    assert run.learner.node_count >= 3
    assert run.overall["accuracy"] > 0.8


def watched(name: str, most: int) -> tuple[Watched, list[str]]:
    """What a leaf watches, and the features that none does."""
    schema = schema_of(*STREAMS[name])
    left = watched_within(schema, new_rng(1), most, "tree")
    chosen = {schema.features[j] for j in left.features}
    return left, [each for each in schema.features if each not in chosen]


def test_enough_memory_watches_all_without_a_warning() -> None:
    for name, (numeric, nominal, _) in STREAMS.items():
        left, unwatched = watched(name, 32_000_000)
        assert (left.per_leaf, unwatched) == (numeric + len(nominal), [])
        assert left.warning is None


def test_leaves_watch_fewer_features_first() -> None:
    left, unwatched = watched("LED", SENSOR)
    assert not unwatched
    assert re.match(
        r"a tree of 100,000 bytes has leaves that watch only 2\d of 24 features; raise",
        str(left.warning),
    )


def test_features_with_many_values_are_left_out_and_named() -> None:
    """A split into 293 airports alone would need more than the whole memory."""
    left, unwatched = watched("airlines", SENSOR)
    assert (left.per_leaf, unwatched) == (5, ["x5", "x6"])
    assert "none of them 'x5', 'x6'; raise the memory limit" in str(left.warning)


def test_run_says_what_is_left_out() -> None:
    stream = some_rows(schema_of(*STREAMS["LED"]), 50)
    tree = sg.HoeffdingTree(memory="sensor")
    for learner in (tree, sg.TemporalCorrection(tree)):
        run = sg.evaluate(stream, learner)
        assert [w.partition(" bytes")[0] for w in run.warnings] == ["a tree of 100,000"]
        assert run.warnings[0] in run.details
    assert sg.evaluate(stream, sg.HoeffdingTree()).warnings == ()


def test_too_little_memory_is_an_error() -> None:
    with pytest.raises(sg.UsageError, match=r"tree: expected at least [\d,]+ bytes for a tree"):
        watched("SEA", 500)


def test_least_memory_of_an_ensemble_is_that_of_all_trees() -> None:
    stream = sg.SEA(100, seed=1)
    with pytest.raises(sg.UsageError, match=r"expected at least ([\d,]+) bytes for 11 trees") as no:
        sg.evaluate(stream, sg.OnlineAccuracyUpdatedEnsemble(max_byte_size=1000))
    least = int(re.findall(r"least ([\d,]+)", str(no.value))[0].replace(",", ""))
    enough = sg.OnlineAccuracyUpdatedEnsemble(max_byte_size=least)
    assert sg.evaluate(stream, enough).learner.nbytes <= least
    with pytest.raises(sg.UsageError, match=f"at least {least:,}"):
        sg.evaluate(stream, sg.OnlineAccuracyUpdatedEnsemble(max_byte_size=least - 11))


@pytest.mark.parametrize("max_byte_size", [2000, 3000, 5000])
def test_leaves_of_a_tree_that_cannot_grow_go_on_learning(max_byte_size: int) -> None:
    tree = sg.HoeffdingTree(grace_period=20, delta=0.5, max_byte_size=max_byte_size)
    run = sg.evaluate(sg.RandomRBF(20_000, seed=1), tree)
    nodes, before = run.learner.node_count, run.learner._pools.leaves.stats[:, :, :, 0].sum()
    more = next(sg.RandomRBF(500, seed=1).blocks(500))
    run.learner.learn(more.X, more.y, np.ones(500))
    assert run.learner.node_count == nodes
    assert run.learner._pools.leaves.stats[:, :, :, 0].sum() > before
    assert max_byte_size / 2 < run.learner.nbytes <= max_byte_size


def test_watched_features_depend_on_the_seed_alone() -> None:
    stream = some_rows(schema_of(*STREAMS["LED"]), 200)
    tree = sg.HoeffdingTree(memory="sensor", grace_period=20)
    first, again = (sg.evaluate(stream, tree, seed=3, block_rows=size) for size in (200, 7))
    assert first.predictions.equals(again.predictions)
