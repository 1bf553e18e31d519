"""LabelsOnly against its oracle under any agenda; the features of the row never matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import streamgauge as sg
from streamgauge._support.types import Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import RowRoles
from streamgauge.testing import check_learner, check_no_peeking, example_stream
from tests.learners.wrappers.toy import (
    OPTIONS,
    K,
    Stepped,
    agendas,
    anything,
    hard_stream,
    play_all,
)
from tests.oracles import temporal as oracle

OWN_OPTIONS = [options for options in OPTIONS if "features" not in options]


@pytest.mark.parametrize("options", OWN_OPTIONS, ids=str)
@settings(max_examples=15)
@anything
def test_every_prediction_is_the_oracles(
    options: dict[str, Any], n: int, seed: int, policy: LabelPolicy, every: int, size: int,
    protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.LabelsOnly(toy(), **options)
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    assert answers == oracle.augmented(events, oracle.Toy(K), own_features=False, **options)
    assert labels == [oracle.best(answer) for answer in answers]


@pytest.mark.parametrize("name", ["NaiveBayes", "Transition", "river"])
def test_battery(name: str) -> None:
    base: Any = name
    if name == "river":
        from river import tree

        base = tree.HoeffdingTreeClassifier(grace_period=5)
    assert check_learner(sg.LabelsOnly(base, order=2), example_stream(30)) == []


@pytest.mark.parametrize("options", OWN_OPTIONS, ids=str)
def test_no_option_peeks(options: dict[str, Any]) -> None:
    check_no_peeking(sg.LabelsOnly("NaiveBayes", **options), example_stream(60))


@pytest.mark.parametrize("name", ["HoeffdingTree", "sklearn"])
def test_features_change_nothing(name: str) -> None:
    base: Any = name
    if name == "sklearn":
        from sklearn.naive_bayes import BernoulliNB

        base = BernoulliNB()
    random = np.random.default_rng(1)
    y = np.repeat(random.integers(0, 3, 100), 3)
    said = [
        sg.evaluate(sg.from_arrays(X, y), sg.LabelsOnly(base, order=2)).predictions["prediction"]
        for X in (random.normal(size=(300, 2)), np.zeros((300, 4)))
    ]
    assert said[0] == said[1]


def test_with_all_history_at_hand_it_is_transition() -> None:
    """Naive Bayes on the last label alone is argmax P(c | i) P(i): the usual successor."""
    y = np.arange(600) % 3
    run = sg.evaluate(sg.from_arrays(np.zeros((600, 1)), y), sg.LabelsOnly("NaiveBayes"))
    said = run.predictions
    assert said["prediction"].to_pylist()[20:] == said["transition"].to_pylist()[20:]


def test_schema_and_name() -> None:
    seen: list[Schema] = []

    class Notes(sg.NaiveBayes):
        def start(self, schema: Schema, seed: int) -> None:
            seen.append(schema)
            super().start(schema, seed)

    learner = sg.LabelsOnly(sg.SWT(Notes()), order=2, history="both")
    learner.start(Schema(("x", "label-1"), ((), ("u", "v")), (0, "b")), 1)
    assert seen[0].features == ("label-1", "label-2", "prediction-1", "prediction-2", "label-1'")
    assert set(seen[0].values) == {("0", "b")}
    learner = sg.LabelsOnly("NaiveBayes", order=2)
    assert repr(learner) == "LabelsOnly(NaiveBayes(), order=2)"
    run = sg.evaluate(sg.SEA(100), "LabelsOnly(river:tree.HoeffdingTreeClassifier(), order=3)")
    assert run.name == "LabelsOnly(HoeffdingTreeClassifier(), order=3)"


def test_what_it_cannot_wrap_is_refused() -> None:
    class Sequential(Stepped):
        context = 3

    with pytest.raises(
        sg.UsageError, match=r"LabelsOnly\(Sequential\): expected a learner without"
    ):
        sg.LabelsOnly(Sequential())
    with pytest.raises(sg.UsageError, match=r"LabelsOnly\(Mean\): expected a classifier"):
        sg.LabelsOnly("Mean")
    for options, complaint in (
        ({"order": 0}, "order=0: expected at least one past label"),
        ({"history": "all"}, "expected 'revealed', 'predicted' or 'both'"),
    ):
        with pytest.raises(sg.UsageError, match=complaint):
            sg.LabelsOnly("NaiveBayes", **options)
