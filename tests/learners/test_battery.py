"""The public battery on every learner we have, and that it catches learners that cheat."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.types import LEARN, Codes, Floats, Schema
from streamgauge.learners.base import Events
from streamgauge.testing import check_learner, check_no_peeking, check_stream, example_stream
from streamgauge.testing._playing import play

LEARNERS = {*registry.own_names("learner", "reference")}
REGRESSORS = ("AMRules", "HoeffdingTreeRegressor", "LastValue", "Mean")
ENSEMBLES = (  # a few models suffice
    "AdaptiveRandomForest", "StreamingRandomPatches", "LeveragingBagging", "OnlineBagging",
    "ADWINBagging", "OnlineAccuracyUpdatedEnsemble", "StreamingGradientBoostedTrees",
)  # fmt: skip
LIVELY_ELSEWHERE = (
    *ENSEMBLES, "DynamicWeightedMajority", "HoeffdingTree", "HoeffdingAdaptiveTree",
    "ExtremelyFastDecisionTree", "HoeffdingTreeRegressor", "AMRules", "KNN", "SAMkNN",
)  # fmt: skip
# Fewer trees: tests/learners/test_regressors.py
FORESTS = {"AdaptiveRandomForestRegressor", "StreamingGradientBoostedTreesRegressor"}


@pytest.mark.parametrize(
    "name",
    [
        # Those whose own tests run the battery, with parameters that make them lively, run it
        # with their defaults in the long tier.
        pytest.param(name, marks=pytest.mark.long if name in LIVELY_ELSEWHERE else ())
        for name in sorted(LEARNERS - {*FORESTS, "CLSTM"})  # with own tests
    ],
)
def test_every_registered_learner(name: str) -> None:
    stream = example_stream(120, regression=name in REGRESSORS)
    parameters = {"n_models": 3} if name in ENSEMBLES else {}
    assert check_learner(registry.find(name)(**parameters), stream) == []


@pytest.mark.parametrize(
    "learner",
    [sg.Majority(forget=sg.Window(9)), sg.Majority(forget=sg.Fading(0.7)), sg.Majority(start_as=1)],
)
def test_variants(learner: Any) -> None:
    assert check_learner(learner, example_stream(150)) == []


@pytest.mark.long
def test_river_models() -> None:
    from river import linear_model, naive_bayes, preprocessing, tree

    assert check_learner(tree.HoeffdingTreeClassifier(grace_period=20), example_stream(60)) == []
    assert check_learner(naive_bayes.GaussianNB(), sg.SEA(40, seed=1)) == []
    scaled = preprocessing.StandardScaler() | linear_model.LinearRegression()
    numbers = sg.from_arrays(np.random.default_rng(0).normal(size=(60, 2)), np.linspace(0, 9, 60))
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


class PeeksIfAllAreLabelled(Peeking):
    """Reads labels early, unless some label never comes: a stream without one gives it away."""

    def play(self, events: Events) -> None:
        labelled = (events.y >= 0).mean() > 0.99
        events.label[:] = 0
        if labelled:
            super().play(events)


class IsSureIfRight(Constant):
    """Predicts the first class, with probabilities by the label to come."""

    def play(self, events: Events) -> None:
        events.label[:] = 0
        if len(events.proba):
            sure = np.where(events.y[events.slots] == 0, 0.9, 0.6)
            events.proba[:] = ((1 - sure) / (self.k - 1))[:, None]
            events.proba[:, 0] = sure


class ReadsTheNextRow(Constant):
    """Predicts by the features of the row that arrives next."""

    def play(self, events: Events) -> None:
        following = events.X[np.append(events.slots[1:], events.slots[-1:]), 0]
        events.label[:] = following > 0
        if len(events.proba):
            events.proba[:] = np.eye(self.k)[events.label]


class KnowsWhetherALabelComes(Constant):
    """Predicts another class for rows that are learned later in the agenda."""

    def play(self, events: Events) -> None:
        learned = events.slots[events.ops == LEARN]
        events.label[:] = np.isin(events.slots, learned)
        if len(events.proba):
            events.proba[:] = np.eye(self.k)[events.label]


class Writes(Constant):
    """Writes into one of the arrays that it gets."""

    def __init__(self, name: str) -> None:
        self.name = name

    def play(self, events: Events) -> None:
        events.label[:] = 0
        if len(events.proba):
            events.proba[:] = np.eye(self.k)[events.label]
        getattr(events, self.name)[:] = 1


class Forgetful(Constant):
    """Cannot be saved."""

    def __reduce__(self) -> str:
        raise TypeError("no")


def test_an_honest_user_class_passes() -> None:
    assert check_learner(Constant(), example_stream(80)) == []
    assert check_learner(Forgetful(), example_stream(80)) == ["not checkpointable: TypeError: no"]


@pytest.mark.parametrize(
    ("cheat", "complaint"),
    [
        (Impure(), "not pure"),
        (Improper(), "probabilit"),
        (Moody(), "two runs with the same seed differ"),
        (Peeking(), "still to come"),
        (PeeksIfAllAreLabelled(), "still to come|blocks of 1 rows"),
        (IsSureIfRight(), "still to come"),
        (ReadsTheNextRow(), "still to come"),
        (KnowsWhetherALabelComes(), "still to come"),
        *((Writes(name), rf"writes into events\.{name}") for name in ("X", "y", "ops", "weight")),
    ],
)
def test_cheats_are_caught(cheat: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_learner(cheat)


@pytest.mark.parametrize(
    "cheat",
    [
        Peeking(), PeeksIfAllAreLabelled(), IsSureIfRight(), ReadsTheNextRow(),
        KnowsWhetherALabelComes(),
    ],
)  # fmt: skip
def test_every_kind_of_peeking_is_caught(cheat: Any) -> None:
    with pytest.raises(AssertionError, match="still to come"):
        check_no_peeking(cheat)


@pytest.mark.long
def test_checks_do_not_depend_on_assert_statements() -> None:
    code = (
        "from streamgauge.testing import check_learner, check_no_peeking\n"
        "from tests.learners.test_battery import Improper, Peeking\n"
        "for check, cheat in ((check_learner, Improper()), (check_no_peeking, Peeking())):\n"
        "    try:\n        check(cheat)\n    except AssertionError:\n        print('caught')\n"
    )
    found = subprocess.run(
        [sys.executable, "-O", "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["caught", "caught"]


def test_peeking_is_caught_under_every_policy() -> None:
    for policy in (sg.Immediate(), sg.Delay(7), sg.Chunks(10), sg.FromStream()):
        for cheat in (Peeking(), sg.Persistent(oracle=True)):
            whole, _ = play(cheat, example_stream(100), policy)
            hidden, _ = play(cheat, example_stream(100), policy, hidden=True)
            assert (whole != hidden).any()


class Shifty(sg.Stream):
    """Another pass, other rows."""

    name, rows, schema = "shifty", 10, Schema(("x",), ((),), (0, 1))

    def blocks(self, size: int) -> Any:
        X = np.random.default_rng().random((10, 1))
        for start in range(0, 10, size):
            stop = min(10, start + size)
            yield sg.Block(start, X[start:stop], np.zeros(stop - start, np.int32))


class OneBuffer(sg.Stream):
    """Fills the same arrays again for every block."""

    name, rows, schema = "one buffer", 20, sg.Schema(("a",), ((),), ("x", "y"))

    def blocks(self, size: int) -> Any:
        X, y = np.empty((size, 1)), np.zeros(size, np.int32)
        for start in range(0, 20, size):
            n = min(size, 20 - start)
            X[:n, 0] = np.arange(start, start + n)
            yield sg.Block(start, X[:n], y[:n])


def test_check_stream_passes_and_catches() -> None:
    check_stream(example_stream())
    check_stream(sg.SEA(3000, seed=2).take(1234))
    with pytest.raises(AssertionError, match="differ in X"):
        check_stream(Shifty())
    with pytest.raises(AssertionError, match="row 0 changes when the next one is read"):
        check_stream(OneBuffer())
