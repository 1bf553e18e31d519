"""Tests that every adaptive tree and ensemble of trees passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN, Block, Schema
from streamgauge.learners.base import Events
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, example_stream
from tests.playing import agendas

LIVELY = {
    "grace_period": 25,
    "delta": 0.3,
    "tau": 0.2,
    "leaf_prediction": "nba",
    "split_criterion": "info_gain",
}


def turning_stream(n: int, seed: int, every: int) -> ArrayStream:
    """The informative features change sides every `every` rows; numeric, nominal and missing
    values, lost labels."""
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


def last_thousand(run: sg.Run) -> float:
    right = np.asarray(run.predictions["y"]) == np.asarray(run.predictions["prediction"])
    return float(right[-1000:].mean())


def assert_same_predictions(
    learner: Any, oracle: Any, stream: ArrayStream, policy: LabelPolicy, block_rows: int = 128
) -> None:
    """Play the stream with the learner, seed 1, and event by event with its oracle."""
    learner.start(stream.schema, 1)
    ours, theirs = [], []
    for room, (ops, slots, row_ids, _, weight, _, _) in agendas(stream, policy, block_rows):
        label = np.empty(len(ops), np.int32)
        empty = np.empty((0, len(stream.schema.classes)))
        learner.play(Events(room.X, room.y, ops, slots, row_ids, weight, label, empty))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] != LEARN:
                ours.append(int(label[e]))
                theirs.append(oracle.predict(x))
            elif weight[e]:
                oracle.learn(x, int(room.y[slot]), float(weight[e]))
    assert ours == theirs


class AdaptiveLearnerTests:
    """A subclass defines the learner and its oracle, both from the parameters of its trees."""

    recovers = 0.03  # gain in accuracy over a plain tree after a drift

    def learner(self, **tree: Any) -> Any:
        raise NotImplementedError

    def oracle(self, tree: dict[str, Any]) -> Any:
        raise NotImplementedError

    @pytest.mark.parametrize(
        ("n", "seed", "every", "policy"),
        [
            (1500, 1, 400, sg.Immediate()),
            (1500, 2, 700, sg.Delay(30)),
            (900, 3, 150, sg.Sampled(0.7)),
            (40, 4, 10, sg.Immediate()),
        ],
    )
    def test_every_prediction_is_the_oracles(
        self, n: int, seed: int, every: int, policy: Any
    ) -> None:
        stream = turning_stream(n, seed, every)
        tree = {**LIVELY, "leaf_prediction": ["mc", "nb", "nba"][seed % 3]}
        oracle = self.oracle({"nominal": list(stream.schema.cardinality), "k": 3, **tree})
        assert_same_predictions(self.learner(**tree), oracle, stream, policy)

    def test_battery(self) -> None:
        assert check_learner(self.learner(**LIVELY), example_stream(160)) == []

    def test_recovers_after_a_drift(self) -> None:
        stream = sg.splice(
            [sg.Sine1(8000, seed=1), sg.Sine1(8000, seed=2, reverse=True)], at=[8000]
        )
        run = sg.evaluate(stream, self.learner())
        plain = sg.evaluate(stream, sg.HoeffdingTree())
        assert last_thousand(run) - last_thousand(plain) > self.recovers

    def test_votes_that_overflow_count(self) -> None:
        random = np.random.default_rng(1)
        y = random.integers(0, 2, 1500)
        X = 3e-9 * y[:, None] + random.normal(0, 1e-9, (1500, 40))  # a density of 4e8 per feature
        assert last_thousand(sg.evaluate(sg.from_arrays(X, y), self.learner())) > 0.9

    def test_streams_without_information(self) -> None:
        n = 300
        y = np.arange(n) % 2
        for X in (np.ones((n, 3)), np.full((n, 3), np.nan)):
            run = sg.evaluate(sg.from_arrays(X, y), self.learner(grace_period=20))
            assert run.overall["coverage"] == (n - 1) / n
        one = sg.evaluate(sg.SEA(1, seed=1), self.learner())
        assert one.overall["coverage"] == 0
        silent = sg.from_arrays(np.arange(3 * n).reshape(n, 3), y, classes=[0, 1, 2])
        assert sg.evaluate(silent, self.learner(grace_period=20)).counts.scored == n
        wide = sg.from_arrays(np.random.default_rng(1).normal(size=(100, 1000)), y[:100])
        assert sg.evaluate(wide, self.learner(grace_period=20)).counts.scored == 100
