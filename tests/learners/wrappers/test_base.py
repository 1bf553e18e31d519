"""What the wrappers that use past labels have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN
from streamgauge.learners.base import Events, name_of
from streamgauge.learners.learner_text import parse_learner
from streamgauge.learners.run_events import run_events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.participant import events_of
from streamgauge.prequential.protocols import Prequential
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.testing import check_learner, check_no_peeking, example_stream
from tests.conftest import real_data
from tests.learners.wrappers.toy import (
    OPTIONS,
    POLICIES,
    K,
    Stepped,
    agendas,
)


@pytest.mark.parametrize(
    "name",
    [
        "NaiveBayes()", "river",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("Majority()", "Transition()")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrapper", [sg.TemporallyAugmented, sg.TemporalCorrection])
def test_battery(wrapper: Any, name: str) -> None:
    rows = 120
    base: Any = name
    if name == "river":
        from river import tree

        base, rows = tree.HoeffdingTreeClassifier(grace_period=20), 60
    assert check_learner(wrapper(base), example_stream(rows)) == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_option_peeks(options: dict[str, Any]) -> None:
    stream = example_stream(80)
    check_no_peeking(sg.TemporallyAugmented(sg.NaiveBayes(), **options), stream)
    check_no_peeking(sg.TemporalCorrection(sg.TemporallyAugmented("NaiveBayes", **options)), stream)


class Slow:
    """A compiled learner without its play."""

    def __init__(self, base: Any) -> None:
        self.base = base
        self.start, self.predict, self.learn = base.start, base.predict, base.learn


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_base_that_plays_predicts_the_same(options: dict[str, Any]) -> None:
    for policy in POLICIES:
        for wrap in (
            lambda base: sg.TemporallyAugmented(base, **options),
            lambda base: sg.TemporalCorrection(sg.TemporallyAugmented(base, **options)),
        ):
            said = []
            for base in (sg.NaiveBayes(), Slow(sg.NaiveBayes())):
                learner = wrap(base)
                learner.start(example_stream(90).schema, 1)
                stream: Any = example_stream(90)
                said.append(
                    play_all_quietly(learner, agendas(stream, policy, 3, 30, Prequential()))
                )
            assert said[0] == said[1]


def play_all_quietly(learner: Any, pieces: Iterator[tuple[WaitingRoom, Agenda]]) -> list[int]:
    """Labels alone: naive Bayes then takes its short cut."""
    labels: list[int] = []
    for room, agenda in pieces:
        label = np.empty(len(agenda.ops), np.int32)
        run_events(learner, events_of(agenda, room, label, np.empty((0, K))))
        labels += label[agenda.ops != LEARN].tolist()
    return labels


def test_texts_and_names() -> None:
    for text, shown in {
        "TemporallyAugmented(NaiveBayes(), order=2)": "TemporallyAugmented(NaiveBayes(), order=2)",
        "SWT(NaiveBayes)": "TemporallyAugmented(NaiveBayes())",
        "SWT(Majority(forget=Window(9)), history='both', refresh=True, features=True)":
            "TemporallyAugmented(Majority(forget=Window(9)), features=True, refresh=True, "
            "history='both')",
        "TemporalCorrection(SWT(NaiveBayes(), order=3))":
            "TemporalCorrection(TemporallyAugmented(NaiveBayes(), order=3))",
        "SWT(river:tree.HoeffdingTreeClassifier(grace_period=50), order=2)":
            "TemporallyAugmented(HoeffdingTreeClassifier(grace_period=50), order=2)",
        "TemporalCorrection('river:naive_bayes.GaussianNB()')":
            "TemporalCorrection(GaussianNB())",
        "TemporalCorrection(river:naive_bayes.GaussianNB)": "TemporalCorrection(GaussianNB())",
    }.items():  # fmt: skip
        assert name_of(parse_learner(text)) == shown
    for wrong in ("SWT()", "SWT(print())", "SWT(NaiveBayes().x)", "SWT(3)", "SWT(river:os.system)"):
        with pytest.raises(sg.UsageError, match="learner"):
            parse_learner(wrong)


def test_identity_tells_bases_of_one_name_apart() -> None:
    from river import tree

    stream = sg.SEA(200, seed=1)
    runs = [
        sg.evaluate(stream, sg.SWT(tree.HoeffdingTreeClassifier(grace_period=grace)))
        for grace in (10, 20)
    ]
    assert runs[0].name == runs[1].name
    assert runs[0].id != runs[1].id


def test_regressors_and_bad_options_are_refused() -> None:
    for wrapper in (sg.TemporallyAugmented, sg.TemporalCorrection):
        with pytest.raises(sg.UsageError, match=r"Mean.*expected a classifier"):
            wrapper(sg.Mean())
        quantity = sg.from_arrays(np.zeros((9, 1)), np.linspace(0, 1, 9), task="regression")
        with pytest.raises(sg.UsageError, match="is for classification, this stream is for regr"):
            sg.evaluate(quantity, wrapper("NaiveBayes"))
        with pytest.raises(sg.UsageError, match="is for classification, this stream is for regr"):
            wrapper("NaiveBayes").start(quantity.schema, 1)
    for options, complaint in (
        ({"order": 0}, "order=0: expected at least one"),
        ({"order": 1.5}, "expected an integer"),
        ({"history": "known"}, "expected 'revealed', 'predicted' or 'both'"),
        ({"history": "predicted", "refresh": True}, "refresh=True uses newer labels"),
    ):
        with pytest.raises(sg.UsageError, match=complaint):
            sg.TemporallyAugmented("NaiveBayes", **options)


class Says(Stepped):
    """Makes an invalid prediction at its fifth row."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, 0

    def play(self, events: Events) -> None:
        events.label[:] = 0
        if len(events.proba):
            events.proba[:] = [1, 0]
        for e in np.flatnonzero(events.ops != LEARN):
            self.asked += 1
            if self.asked == 5:
                events.label[e], probabilities = self.answer
                if len(events.proba):
                    events.proba[e] = probabilities


@pytest.mark.parametrize(
    ("learner", "complaint"),
    [
        (sg.SWT(Says((2, 0)), history="predicted"), "class code 2; expected 0 to 1"),
        (sg.SWT(Says((2, 0))), "class code 2; expected 0 to 1"),
        (sg.TemporalCorrection(Says((0, (-1e9, -3e9)))), "expected values in 0..1"),
        (sg.TemporalCorrection(Says((0, (1, 1)))), "expected values in 0..1 that sum to 1"),
    ],
)
def test_invalid_predictions_of_the_base_are_refused(learner: Any, complaint: str) -> None:
    with pytest.raises(sg.LearnerError, match=f"failed at row 4 of .*{complaint}") as caught:
        sg.evaluate(sg.SEA(50, seed=1), learner)
    assert caught.value.runs[0].counts.scored == 4


def test_plain_labels_make_the_wrappers_agree_on_naive_bayes() -> None:
    """P(i|c)/P(i) is P(c|i)/P(c), the factor of one more feature: they differ by smoothing."""
    stream = sg.SEA(3000, seed=5)
    runs = sg.evaluate(stream, [sg.SWT("NaiveBayes"), sg.TemporalCorrection("NaiveBayes")])
    said = [np.array(run.predictions.column("prediction").to_pylist()[100:]) for run in runs]
    assert np.mean(said[0] != said[1]) < 0.002


def accuracies(stream: sg.Stream) -> tuple[Any, dict[str, float]]:
    """Of two bases, plain and wrapped."""
    shapes = ("{}", "SWT({})", "TemporalCorrection({})")
    texts = [shape.format(base) for base in ("NaiveBayes", "HoeffdingTree") for shape in shapes]
    runs = sg.evaluate(stream, texts, predictions=False)
    scores = {text: run.overall["accuracy"] for text, run in zip(texts, runs, strict=True)}
    return runs[0].references["Persistent"]["accuracy"], scores


def test_elec2_as_zliobaite2015_found_it(elec2: sg.Stream) -> None:
    persistent, score = accuracies(elec2)  # 85.3 %
    assert score["NaiveBayes"] < persistent - 0.1  # 73.6 %
    assert score["SWT(NaiveBayes)"] > score["NaiveBayes"] + 0.05  # 78.9 %
    assert score["TemporalCorrection(NaiveBayes)"] > score["NaiveBayes"] + 0.05  # 78.9 %
    assert score["SWT(HoeffdingTree)"] > score["HoeffdingTree"] + 0.07  # 86.6 against 78.9 %
    assert score["TemporalCorrection(HoeffdingTree)"] > score["HoeffdingTree"] + 0.06  # 85.3 %
    assert score["SWT(HoeffdingTree)"] > persistent


@pytest.mark.long
def test_covtype_lifts_the_tree_but_hardly_naive_bayes() -> None:
    """Of most of its wrong answers naive Bayes is too sure for one more factor to count."""
    real_data("covtype")
    persistent, score = accuracies(sg.load("covtype").take(100_000))  # 90.6 %
    for wrapper in ("SWT", "TemporalCorrection"):
        gain = score[f"{wrapper}(NaiveBayes)"] - score["NaiveBayes"]  # 73.0 and 72.5 %
        assert 0.003 < gain < 0.01
    assert score["SWT(HoeffdingTree)"] > score["HoeffdingTree"] + 0.07  # 92.3 against 84.9 %
    assert score["TemporalCorrection(HoeffdingTree)"] > score["HoeffdingTree"] + 0.03  # 88.3 %
    assert score["SWT(HoeffdingTree)"] > persistent
