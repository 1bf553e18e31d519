"""Resetting against its slow oracle, however it is played, and zliobaite2015's false alarms."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, PREDICT, Codes, Floats, Schema
from streamgauge.learners._snapshot import Snapshot, in_arrays, state_of
from streamgauge.learners.base import Events
from streamgauge.learners.learner_text import parse_learner
from streamgauge.learners.run_events import run_events
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, check_no_peeking, example_stream
from tests.oracles import detectors as detector_oracle
from tests.oracles import resetting as oracle
from tests.playing import agendas

POLICIES: list[LabelPolicy] = [
    sg.Immediate(), sg.Delay(7), sg.Chunks(10), sg.FromStream(), sg.Sampled(0.6),
    sg.Sampled(0.6, score="all"),
]  # fmt: skip
DETECTORS: list[tuple[Any, Any]] = [  # ours, and how to make the oracle's; all of them alarm often
    (sg.DDM(5, 0.2, 0.8), lambda: detector_oracle.DDM(5, 0.2, 0.8)),
    (sg.DDM(2, 0.5, 0.5), lambda: detector_oracle.DDM(2, 0.5, 0.5)),
    (sg.DDM(9, 0.3, 1.0, "moa"), lambda: detector_oracle.MoaDDM(9, 0.3, 1.0)),
    (sg.PageHinkley(0.0, 1.5), lambda: detector_oracle.PageHinkley(0.0, 1.5)),
    (sg.ADWIN(0.9, 1, 3, 2, 3), lambda: detector_oracle.ADWIN(0.9, 1, 3, 2, 3)),
    (sg.PeriodicAlarm(11), lambda: detector_oracle.Every(11)),
    (sg.EDDM(3, 0.9, 0.7), lambda: detector_oracle.EDDM(3, 0.9, 0.7)),
    (
        sg.RatioPageHinkley(sg.Window(4), sg.Window(20), 0.01, 3.0),
        lambda: detector_oracle.OnRatio(("window", 4), ("window", 20), 0.01, 3.0),
    ),
]


def turning(rows: int, seed: int = 0) -> sg.Stream:
    """The example stream, its classes changing their names every 40 rows: drift to be found."""
    stream = example_stream(rows, seed)
    block = next(stream.blocks(rows))
    turned = (block.y + np.arange(rows, dtype=np.int32) // 40) % 3
    y = np.where(block.y >= 0, turned, -1).astype(np.int32)
    return ArrayStream("turning", stream.schema, replace(block, y=y))


class Counts:
    """A user's learner: the majority class, without play, never copied."""

    def start(self, schema: Schema, seed: int) -> None:
        self.counts = np.zeros(len(schema.classes))

    def predict(self, X: Floats) -> Floats:
        best = np.eye(len(self.counts))[np.argmax(self.counts)]
        return np.tile(best if self.counts.any() else best * np.nan, (len(X), 1))

    def learn(self, X: Floats, y: Codes, w: Floats) -> None:
        np.add.at(self.counts, y, w)


class Single:
    """A base for the oracle, handed one event at a time."""

    def __init__(self, base: Any, schema: Schema) -> None:
        self.base = base
        base.start(schema, 1)

    def ask(self, event: Events) -> int:
        run_events(self.base, event)
        return int(event.label[0])

    learn = ask


def all_events(
    stream: sg.Stream, policy: LabelPolicy, size: int, again: int
) -> Iterator[tuple[Events, list[tuple[str, int, Any, int]]]]:
    """Agendas, as players take them and as the oracle does."""
    k = len(stream.schema.classes)
    for room, (ops, slots, row_ids, _, weight, _, _) in agendas(stream, policy, size, again):
        label, proba = np.full(len(ops), -9, np.int32), np.empty((0, k))
        events = Events(room.X, room.y, ops, slots, row_ids, weight, label, proba)
        singles = []
        for e in range(len(ops)):
            learns = ops[e] == LEARN and weight[e] > 0
            kind = "L" if ops[e] == LEARN else "P" if ops[e] == PREDICT else "A"
            one = events._replace(label=label.copy()).cut(e, e + 1)
            singles.append((kind, int(row_ids[e]), one, int(room.y[slots[e]]) if learns else -1))
        yield events, singles


def answers_of(
    learner: Any, stream: sg.Stream, policy: LabelPolicy, size: int, again: int, cut: int = 1 << 30
) -> list[int]:
    """Every prediction, played in pieces of `cut` events."""
    learner.start(stream.schema, 1)
    answers = []
    for events, _ in all_events(stream, policy, size, again):
        for start in range(0, len(events.ops), cut):
            learner.play(events.cut(start, start + cut))
        answers += events.label[events.ops != LEARN].tolist()
    return answers


@given(
    st.integers(0, 9999), st.sampled_from(POLICIES), st.sampled_from(range(len(DETECTORS))),
    st.sampled_from([0, 3]), st.sampled_from([sg.NaiveBayes, Counts, sg.HoeffdingTree]),
)  # fmt: skip
def test_against_the_oracle(
    seed: int, policy: LabelPolicy, which: int, again: int, base: Any
) -> None:
    if again and isinstance(policy, sg.Sampled):
        again = 0
    stream = turning(130, seed)
    detector, slow = DETECTORS[which]
    learner = sg.Resetting(base(), detector)
    answers = answers_of(learner, stream, policy, 1 << 20, again)

    def singles() -> Iterator[tuple[str, int, Any, int]]:
        for _, each in all_events(stream, policy, 1 << 20, again):
            yield from each

    expected, alarms = oracle.play(singles(), lambda: Single(base(), stream.schema), slow())
    assert answers == expected
    assert learner.resets.tolist() == alarms


@pytest.mark.parametrize("which", range(len(DETECTORS)))
@pytest.mark.parametrize("policy", [sg.Immediate(), sg.Delay(7), sg.FromStream()], ids=repr)
def test_the_cut_into_pieces_changes_nothing(which: int, policy: LabelPolicy) -> None:
    """Event by event, in odd pieces, and in one: the same answers and alarms."""
    stream, learner = turning(250, 5), sg.Resetting(sg.NaiveBayes(), DETECTORS[which][0])
    whole, resets = answers_of(learner, stream, policy, 1 << 20, 0), learner.resets.tolist()
    assert len(resets)
    for size, cut in ((1 << 20, 1), (13, 1 << 30), (1, 1), (64, 5)):
        assert answers_of(learner, stream, policy, size, 0, cut) == whole
        assert learner.resets.tolist() == resets


@pytest.mark.parametrize(
    "detector",
    [
        sg.DDM(5, 0.3, 1.0), sg.PageHinkley(0.005, 3.0), sg.RandomAlarm(0.2, warm_start=3),
        *(
            pytest.param(detector, marks=pytest.mark.long)
            for detector in (sg.DDM(), sg.ADWIN(0.9, 4), sg.PeriodicAlarm(17), sg.NeverAlarm())
        ),
    ],
    ids=repr,
)  # fmt: skip
def test_battery(detector: Any) -> None:
    assert check_learner(sg.Resetting(sg.NaiveBayes(), detector), turning(140)) == []


@pytest.mark.long
def test_foreign_learners_and_detectors() -> None:
    from river import drift, naive_bayes

    stream = sg.SEA(60, seed=1)
    rivers = sg.Resetting(naive_bayes.GaussianNB(), drift.binary.DDM(5, 0.5, 1.0))
    assert check_learner(rivers, stream) == []
    run = sg.evaluate(stream, rivers)
    ours = sg.evaluate(stream, sg.Resetting(naive_bayes.GaussianNB(), sg.DDM(5, 0.5, 1.0)))
    assert run.learner.resets.tolist() == ours.learner.resets.tolist() != []
    assert run.overall == ours.overall
    assert "'warm_start': 5" in run.identity
    assert "GaussianNB" in run.name
    check_no_peeking(sg.Resetting(Counts(), drift.PageHinkley(threshold=2)), turning(90))


def test_wrappers_around_wrappers() -> None:
    inner = sg.Resetting(sg.TemporallyAugmented(sg.NaiveBayes()), sg.PageHinkley(0.0, 3.0))
    assert check_learner(inner, turning(90)) == []
    outer = sg.Resetting(sg.Resetting(sg.Transition(), sg.DDM(5, 0.3, 1.0)), sg.PeriodicAlarm(40))
    assert check_learner(outer, turning(90)) == []
    run = sg.evaluate(sg.SEA(300, seed=1), sg.TemporalCorrection(inner))
    assert run.counts.scored == 300


def test_silence_changes_nothing() -> None:
    stream = example_stream(300)
    for policy in POLICIES:
        for base in (sg.NaiveBayes(), sg.Transition(), sg.Majority(forget=sg.Window(20))):
            plain = answers_of(base, stream, policy, 64, 0)
            assert answers_of(sg.Resetting(base, sg.NeverAlarm()), stream, policy, 64, 0) == plain
            deaf = sg.Resetting(base, sg.PageHinkley(threshold=1e9))
            assert answers_of(deaf, stream, policy, 64, 0) == plain


def test_alarms_at_every_chance() -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.Resetting(sg.NaiveBayes(), sg.RandomAlarm(1)))
    assert run.learner.resets.tolist() == list(range(29, 1000, 30))
    assert run.cost.model_bytes > 0
    assert pickle.loads(pickle.dumps(run.learner)).resets.tolist() == run.learner.resets.tolist()


def test_a_failure_names_its_event() -> None:
    class Fails(Counts):
        def learn(self, X: Floats, y: Codes, w: Floats) -> None:
            super().learn(X, y, w)
            if self.counts.sum() > 40:
                raise ValueError("no more")

    with pytest.raises(sg.LearnerError, match="failed at row 40") as caught:
        sg.evaluate(sg.SEA(100, seed=1), sg.Resetting(Fails(), sg.NeverAlarm()))
    assert caught.value.runs[0].counts.scored == 40
    run = sg.evaluate(sg.SEA(100, seed=1), sg.Resetting(Fails(), sg.PeriodicAlarm(30)))
    assert run.counts.scored == 100


def test_by_text_and_by_name() -> None:
    assert repr(parse_learner("Resetting(NaiveBayes(), DDM())")) == "Resetting(NaiveBayes(), DDM())"
    text = "Resetting(HoeffdingTree(grace_period=50), RandomAlarm(0.1, seed=3))"
    assert repr(parse_learner(text)) == text
    rivers = parse_learner(
        "Resetting(river:naive_bayes.GaussianNB(), river:drift.ADWIN(delta=0.1))"
    )
    assert repr(rivers) == "Resetting(GaussianNB(), river:drift.ADWIN(delta=0.1))"
    for wrong in ("DDM()", "Resetting(DDM(), NaiveBayes())", "Resetting(NaiveBayes())"):
        with pytest.raises(sg.UsageError):
            sg.evaluate(sg.SEA(10), wrong)
    with pytest.raises(sg.UsageError, match="regress"):
        sg.Resetting(sg.Mean(), sg.DDM())


def test_states_are_copied_whole() -> None:
    from river import naive_bayes

    schema = example_stream().schema
    for base in (sg.NaiveBayes(), sg.Transition(), sg.TemporalCorrection(sg.HoeffdingTree())):
        base.start(schema, 1)
        assert in_arrays(base)
        before = pickle.dumps(state_of(base))
        kept = Snapshot(base)
        answers_of(base, example_stream(50), sg.Immediate(), 64, 0)
        assert pickle.dumps(state_of(base)) != before
        kept.restore(base)
        assert pickle.dumps(state_of(base)) == before
        snapshot, other = Snapshot(base), copy.deepcopy(base)
        for learner in (base, base, other, base):  # into its arrays of the last time, or others
            snapshot.restore(learner)
            assert pickle.dumps(state_of(learner)) == before
            answers_of(learner, example_stream(50), sg.Immediate(), 64, 0)
        assert pickle.dumps(state_of(other)) == pickle.dumps(state_of(base)) != before
        snapshot.restore(base)
        assert pickle.dumps(state_of(other)) != before  # which has arrays of its own
    foreign = sg.TemporalCorrection(naive_bayes.GaussianNB())
    foreign.start(schema, 1)
    assert not in_arrays(foreign)


def test_false_alarms_and_the_order_of_labels(elec2_papers: sg.Stream) -> None:
    """zliobaite2015 Fig. 7 with the papers' five features: false alarms raise accuracy on Elec2 for
    nothing but the order of its labels, also where the features are shuffled within classes, and
    lower it where the order is lost."""
    probabilities = (0, 0.01, 0.1, 1)
    accuracy = {
        (name, type(base)): [
            run.overall["accuracy"]
            for run in sg.evaluate(
                stream, [sg.Resetting(base, sg.RandomAlarm(p)) for p in probabilities]
            )
        ]
        for name, stream in (
            ("original", elec2_papers),
            ("labels kept", sg.shuffled_within_class(elec2_papers, seed=1)),
            ("shuffled", sg.shuffled(elec2_papers, seed=1)),
        )
        for base in (sg.NaiveBayes(), sg.Majority())
    }
    calm = sg.evaluate(elec2_papers, sg.NaiveBayes()).overall["accuracy"]
    assert accuracy["original", sg.NaiveBayes][0] == calm
    for base, least in ((sg.NaiveBayes, 0.05), (sg.Majority, 0.1)):
        for name in ("original", "labels kept"):
            rising = accuracy[name, base]
            assert rising == sorted(rising)
            assert rising[-1] > rising[0] + least
        falling = accuracy["shuffled", base]
        assert falling[-1] < falling[0] - 0.03
    falling = accuracy["shuffled", sg.NaiveBayes]
    assert falling == sorted(falling, reverse=True)


def test_false_alarms_do_not_help_with_a_feature_that_leaks_the_label(elec2: sg.Stream) -> None:
    """With six features, one of them the price, naive Bayes loses about what it gains."""
    kept = sg.shuffled_within_class(elec2, seed=1)
    calm, *alarmed = [
        run.overall["accuracy"]
        for run in sg.evaluate(
            kept, [sg.Resetting(sg.NaiveBayes(), sg.RandomAlarm(p)) for p in (0, 0.01, 0.1, 1)]
        )
    ]
    assert max(abs(each - calm) for each in alarmed) < 0.02
