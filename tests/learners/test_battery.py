"""The public battery on every learner we have, and that it catches learners that cheat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.learners.base import Events
from streamgauge.testing import check_learner, check_no_peeking, check_stream, example_stream

LEARNERS = {*registry.own_names("learner", "reference")}
REGRESSORS = ("AMRules", "HoeffdingTreeRegressor", "LastValue", "Mean")
ENSEMBLES = ("AdaptiveRandomForest", "LeveragingBagging", "OnlineBagging")  # a few models suffice
FOREST = "AdaptiveRandomForestRegressor"  # fewer trees: tests/learners/test_regressors.py


@pytest.mark.parametrize("name", sorted(LEARNERS - {FOREST, "CLSTM"}))  # with own tests
def test_every_registered_learner(name: str) -> None:
    stream = example_stream(regression=name in REGRESSORS)
    parameters = {"n_models": 3} if name in ENSEMBLES else {}
    assert check_learner(registry.find(name)(**parameters), stream) == []


@pytest.mark.parametrize(
    "learner",
    [sg.Majority(forget=sg.Window(9)), sg.Majority(forget=sg.Fading(0.7)), sg.Majority(start_as=1)],
)
def test_variants(learner: Any) -> None:
    assert check_learner(learner) == []


def test_river_models() -> None:
    from river import linear_model, naive_bayes, preprocessing, tree

    assert check_learner(tree.HoeffdingTreeClassifier(grace_period=20), example_stream(150)) == []
    assert check_learner(naive_bayes.GaussianNB(), sg.SEA(200, seed=1)) == []
    scaled = preprocessing.StandardScaler() | linear_model.LinearRegression()
    numbers = sg.from_arrays(np.random.default_rng(0).normal(size=(200, 2)), np.linspace(0, 9, 200))
    assert check_learner(sg.from_river(scaled, name="scaled"), numbers) == []


class Constant:
    """Always the first class."""

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Floats) -> Floats:
        return np.asarray(np.eye(self.k)[np.zeros(len(X), int)])

    def learn(self, X: Floats, y: Codes, w: Floats) -> None: ...


class Impure(Constant):
    """Predicts differently at each call."""

    def start(self, schema: Schema, seed: int) -> None:
        super().start(schema, seed)
        self.asked = 0

    def predict(self, X: Floats) -> Floats:
        self.asked += 1
        return np.asarray(np.eye(self.k)[np.full(len(X), self.asked % self.k)])


class Improper(Constant):
    """Probabilities that sum to two."""

    def predict(self, X: Floats) -> Floats:
        return np.full((len(X), self.k), 2 / self.k)


class Moody(Constant):
    """Ignores its seed."""

    def predict(self, X: Floats) -> Floats:
        return np.asarray(np.eye(self.k)[np.random.default_rng().integers(0, self.k, len(X))])


class Peeking(Constant):
    """Reads the label of the row it predicts."""

    def play(self, events: Events) -> None:
        events.label[:] = np.maximum(events.y[events.slots], 0)
        if len(events.proba):
            events.proba[:] = np.eye(self.k)[events.label]


class Forgetful(Constant):
    """Cannot be saved."""

    def __reduce__(self) -> str:
        raise TypeError("no")


def test_an_honest_user_class_passes() -> None:
    assert check_learner(Constant()) == []
    assert check_learner(Forgetful()) == ["not checkpointable: TypeError: no"]


@pytest.mark.parametrize(
    ("cheat", "complaint"),
    [
        (Impure(), "change the predictions|not pure"),
        (Improper(), "probabilit"),
        (Moody(), "two runs with the same seed differ"),
        (Peeking(), "play differs|depends on labels"),
    ],
)
def test_cheats_are_caught(cheat: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_learner(cheat)


def test_peeking_is_caught_under_every_policy() -> None:
    with pytest.raises(AssertionError, match="Immediate"):
        check_no_peeking(Peeking())
    with pytest.raises(AssertionError, match=r"Delay\(7\)"):
        check_no_peeking(sg.Persistent(oracle=True))


class Shifty(sg.Stream):
    """Another pass, other rows."""

    name, rows, schema = "shifty", 10, Schema(("x",), ((),), (0, 1))

    def blocks(self, size: int) -> Any:
        X = np.random.default_rng().random((10, 1))
        for start in range(0, 10, size):
            stop = min(10, start + size)
            yield sg.Block(start, X[start:stop], np.zeros(stop - start, np.int32))


def test_check_stream_passes_and_catches() -> None:
    check_stream(example_stream())
    check_stream(sg.SEA(3000, seed=2).take(1234))
    with pytest.raises(AssertionError, match="differ in X"):
        check_stream(Shifty())
