"""TemporalCorrection: its oracle under any agenda and forgetting, which bases it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import RowRoles
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, example_stream
from tests.learners.wrappers.toy import (
    K,
    Stepped,
    agendas,
    anything,
    hard_stream,
    play_all,
)
from tests.oracles import temporal as oracle

FORGETTINGS: list[tuple[sg.Forgetting, dict[str, Any]]] = [
    (sg.Cumulative(), {}), (sg.Window(5), {"window": 5}), (sg.Fading(0.8), {"fading": 0.8}),
    (sg.Fading(1e-60), {"fading": 1e-60}),  # the sums are rescaled all the time
]  # fmt: skip


@pytest.mark.parametrize(("forget", "kept"), FORGETTINGS, ids=str)
@anything
def test_every_prediction_is_the_oracles(
    forget: sg.Forgetting, kept: dict[str, Any], n: int, seed: int, policy: LabelPolicy,
    every: int, size: int, protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.TemporalCorrection(toy(), forget=forget)
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    expected = oracle.corrected(events, oracle.Toy(K), **kept)
    assert len(answers) == len(expected)
    for label, ours, theirs in zip(labels, answers, expected, strict=True):
        assert label == oracle.best(ours)
        if theirs is None:
            assert ours is None
        else:
            np.testing.assert_allclose(np.array(ours), theirs, rtol=1e-12)


@pytest.mark.parametrize("forget", [sg.Window(20), sg.Fading(0.95)], ids=str)
def test_battery_under_forgetting(forget: sg.Forgetting) -> None:
    assert (
        check_learner(sg.TemporalCorrection("NaiveBayes", forget=forget), example_stream(150)) == []
    )


def test_forgetting_follows_a_change_of_the_label_order() -> None:
    """Labels in runs of twenty that then alternate; the feature says nothing."""
    y = np.concatenate([np.arange(4000) // 20 % 2, np.arange(2000) % 2])
    x = np.random.default_rng(1).normal(size=(6000, 1))
    kept, faded = sg.evaluate(
        sg.from_arrays(x, y),
        ["TemporalCorrection(NaiveBayes)", "TemporalCorrection(NaiveBayes, forget=Fading(0.98))"],
    )
    assert faded.name == "TemporalCorrection(NaiveBayes(), forget=Fading(0.98))"
    assert faded.overall["accuracy"] > kept.overall["accuracy"] + 0.1


@pytest.mark.parametrize(
    ("forget", "complaint"),
    [
        (sg.TimeWindow(5), "learners do not see the times of labels; expected Cumulative"),
        (sg.Fading(0.9, estimator="zliobaite2015"), r"is for metrics; expected Fading\(a\)"),
        (100, r"forget=100\): expected Cumulative\(\), Window\(w\) or Fading\(a\)"),
        ([sg.Window(5)], r"expected Cumulative\(\), Window\(w\) or Fading\(a\)"),
    ],
)
def test_forgettings_of_metrics_alone_are_refused(forget: Any, complaint: str) -> None:
    for make in (sg.Majority, lambda forget: sg.TemporalCorrection("NaiveBayes", forget=forget)):
        with pytest.raises(sg.UsageError, match=complaint):
            make(forget=forget)


def test_ties_go_to_the_lowest_class() -> None:
    """All that was seen is one row of each class: pairs and counts weigh both alike."""
    y = np.array([0, 1, 0, 1, 0], np.int32)
    stream = ArrayStream("even", Schema((), (), (0, 1)), sg.Block(0, np.empty((5, 0)), y))
    run = sg.evaluate(stream, sg.TemporalCorrection(sg.Majority()), labels=sg.Chunks(2))
    # Rows 2 and 3 came after label 1; before that no pair was seen. Majority says 1/2 to both.
    assert run.predictions.column("prediction").to_pylist()[:4] == [None, None, 0, 0]


class Sure:
    """The class of the last row it learned, without doubt; it declares nothing."""

    def start(self, schema: Schema, seed: int) -> None:
        self.k, self.last = len(schema.classes), 0

    def predict(self, X: Floats) -> Floats:
        return np.asarray(np.eye(self.k)[np.full(len(X), self.last)])

    def learn(self, X: Floats, y: Codes, w: Floats) -> None:
        self.last = int(y[-1])


def test_bases_known_to_have_no_probabilities_are_refused_at_once() -> None:
    from river import linear_model, multiclass
    from sklearn.linear_model import Perceptron, SGDClassifier

    for base, name in (
        (SGDClassifier(), "SGDClassifier"),
        (Perceptron(), "Perceptron"),
        ("Persistent", "Persistent"),
        ("Seasonal", "Seasonal"),
        (sg.SWT("NoChange"), r"TemporallyAugmented\(Persistent\(\)\)"),
        (multiclass.OneVsOneClassifier(linear_model.ALMAClassifier()), "OneVsOneClassifier"),
    ):
        with pytest.raises(sg.UsageError, match=rf"{name}\): expected a base learner with prob"):
            sg.TemporalCorrection(base)
    sg.TemporalCorrection(SGDClassifier(loss="log_loss"))
    sg.TemporalCorrection(linear_model.Perceptron())  # River's is a sigmoid of the margin
    sg.TemporalCorrection("Majority")


def test_refusal_suggests_only_what_the_base_allows() -> None:
    class Sequential(Sure):
        context = 3
        has_probabilities = False

    with pytest.raises(sg.UsageError, match="can change: use a loss that gives probabilities"):
        sg.TemporalCorrection(Sequential())


@pytest.mark.parametrize("policy", [sg.Immediate(), sg.Delay(7), sg.Chunks(10)], ids=str)
@pytest.mark.parametrize("block_rows", [1, 50, 1000])
def test_base_that_turns_out_to_have_no_probabilities_is_refused(
    policy: LabelPolicy, block_rows: int
) -> None:
    """After the tenth error without doubt that follows on the last one."""
    y = np.arange(600) // 20 % 2
    stream = sg.from_arrays(np.zeros((600, 1)), y)
    with pytest.raises(sg.LearnerError, match="predicts only 0 and 1, which no correction") as made:
        sg.evaluate(stream, sg.TemporalCorrection(Sure()), labels=policy, block_rows=block_rows)
    # Immediate: it is wrong whenever a run of twenty begins, for the tenth time at row 200.
    scored = {"Immediate()": 200, "Delay(7)": 200, "Chunks(10)": 200}[repr(policy)]
    assert made.value.runs[0].counts.scored == scored


@pytest.mark.parametrize("base", ["NaiveBayes", "HoeffdingTree(leaf_prediction='mc')", "KNN"])
@pytest.mark.parametrize("policy", [sg.Immediate(), sg.Chunks(300)], ids=str)
def test_learners_with_probabilities_that_never_doubt_are_not_refused(
    base: str, policy: LabelPolicy
) -> None:
    """A feature that gives the label away: right without doubt, except where labels are new."""
    y = np.arange(3000) // 250 % 3
    stream = sg.from_arrays(y[:, np.newaxis] * 10.0, y)
    run = sg.evaluate(stream, sg.TemporalCorrection(base), labels=policy)
    assert run.counts.scored == 3000


def test_small_example_keeps_its_digits_without_forgetting() -> None:
    """Cumulative counts are those of a window that holds all labels."""
    stream = example_stream(200)
    runs = sg.evaluate(
        stream,
        [sg.TemporalCorrection("NaiveBayes", forget=f) for f in (sg.Cumulative(), sg.Window(200))],
        metrics="all",
    )
    assert runs[0].overall == runs[1].overall
    assert runs[0].summary["log_loss"] == runs[1].summary["log_loss"]
