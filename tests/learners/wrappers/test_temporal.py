"""The wrappers that use past labels: against their oracle under any agenda, and by the battery."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Codes, Floats, Schema, Updates
from streamgauge.learners.base import Events, name_of
from streamgauge.learners.parsing import parse_learner
from streamgauge.learners.run_events import go_through, step
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.participant import events_of
from streamgauge.prequential.protocols import Prequential, RowRoles
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, check_no_peeking, example_stream
from tests.conftest import real_data
from tests.oracles import temporal as oracle

POLICIES: list[LabelPolicy] = [
    sg.Immediate(), sg.Delay(1), sg.Delay(4), sg.Chunks(5), sg.FromStream(),
    sg.FromStream("labels_first"), sg.Sampled(0.6), sg.Sampled(0.6, score="all"),
]  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {},
    {"order": 3},
    {"order": 2, "features": True},
    {"refresh": True},
    {"order": 2, "refresh": True, "features": True},
    {"history": "predicted"},
    {"order": 2, "history": "both", "refresh": True},
    {"order": 2, "history": "both", "features": True},
]
KINDS = "PLFA"
K = 3


def cells(x: Floats) -> tuple[float | None, ...]:
    return tuple(None if value != value else value for value in x.tolist())


class Stepped:
    """The oracle's toy as a learner that is asked and taught."""

    def start(self, schema: Schema, seed: int) -> None:
        self.width, self.toy = len(schema.features), oracle.Toy(len(schema.classes))

    def predict(self, X: Floats) -> Floats:
        assert X.shape[1] == self.width
        answers = [self.toy.predict(cells(x)) for x in X]
        return np.array([[np.nan] * self.toy.k if a is None else a for a in answers])

    def learn(self, X: Floats, y: Codes, w: Floats) -> None:
        for x, label, weight in zip(X, y.tolist(), w.tolist(), strict=True):
            self.toy.learn(cells(x), label, weight)


class Played(Stepped):
    """The same as a player."""

    def play(self, events: Events) -> None:
        step(self, events)


def hard_stream(n: int, seed: int, evolving: bool) -> ArrayStream:
    """Few values, so that cells agree; missing cells, lost labels, rows that change."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (n, 2)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.integers(-1, K, n).astype(np.int32)
    arrives = np.cumsum(random.integers(0, 3, n))
    updates = None
    if evolving:
        after = np.sort(random.integers(0, n, n))
        rows = np.maximum(0, after - random.integers(0, 6, n))
        news = random.integers(0, 3, (n, 2)).astype(float)
        updates = Updates(rows, arrives[after], after, news)
    block = sg.Block(0, X, y, arrives, arrives + random.integers(0, 12, n), updates)
    return ArrayStream("hard", Schema(("a", "b"), ((), ("p", "q", "r")), (0, 1, 2), True), block)


def agendas(
    stream: ArrayStream, policy: LabelPolicy, every: int, size: int, protocol: RowRoles
) -> Iterator[tuple[WaitingRoom, Agenda]]:
    """As the loop has them, some lessons of another weight, as of a bootstrap."""
    room = WaitingRoom(len(stream.schema.features), regression=False)
    writer = AgendaWriter(policy, room, every, protocol)
    for block in [*stream.blocks(size), None]:
        for agenda in writer.finish() if block is None else writer.write(block):
            yield (
                room,
                agenda._replace(weight=agenda.weight * np.array([1, 2, 1, 0])[agenda.ids % 4]),
            )


def play_all(
    learner: Any, pieces: Iterator[tuple[WaitingRoom, Agenda]]
) -> tuple[list[oracle.Event], list[int], list[oracle.Probabilities]]:
    """The events, and to each question label and probabilities; saved and loaded on the way."""
    events: list[oracle.Event] = []
    labels: list[int] = []
    answers: list[oracle.Probabilities] = []
    for room, agenda in pieces:
        label = np.empty(len(agenda.ops), np.int32)
        proba = np.empty((len(agenda.ops), K))
        go_through(learner, events_of(agenda, room, label, proba))
        learner = pickle.loads(pickle.dumps(learner))
        for e, (op, slot) in enumerate(zip(agenda.ops, agenda.slots, strict=True)):
            events.append(
                oracle.Event(
                    KINDS[op], int(agenda.ids[e]), cells(room.X[slot]), int(room.y[slot]),
                    float(agenda.weight[e]),
                )
            )  # fmt: skip
            if op != LEARN:
                labels.append(int(label[e]))
                answers.append(None if np.isnan(proba[e]).any() else proba[e].tolist())
    return events, labels, answers


anything = given(
    st.integers(1, 40),
    st.integers(0, 9999),
    st.sampled_from(POLICIES),
    st.sampled_from([0, 1, 3]),
    st.sampled_from([1, 7, 100]),
    st.sampled_from([Prequential(), sg.Holdout(3, 2, "first"), sg.Holdout(4, 3)]),
    st.booleans(),
    st.sampled_from([Stepped, Played]),
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@settings(max_examples=25)
@anything
def test_augmented(
    options: dict[str, Any], n: int, seed: int, policy: LabelPolicy, every: int, size: int,
    protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.TemporallyAugmented(toy(), **options)
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    assert answers == oracle.augmented(events, oracle.Toy(K), **options)
    assert labels == [oracle.best(answer) for answer in answers]


@settings(max_examples=60)
@anything
def test_correction(
    n: int, seed: int, policy: LabelPolicy, every: int, size: int,
    protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.TemporalCorrection(toy())
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    expected = oracle.corrected(events, oracle.Toy(K))
    assert len(answers) == len(expected)
    for label, ours, theirs in zip(labels, answers, expected, strict=True):
        assert label == oracle.best(ours)
        if theirs is None:
            assert ours is None
        else:
            np.testing.assert_allclose(np.array(ours), theirs, rtol=1e-12)


def test_ties_go_to_the_lowest_class() -> None:
    """All that was seen is one row of each class: pairs and counts weigh both alike."""
    y = np.array([0, 1, 0, 1, 0], np.int32)
    stream = ArrayStream("even", Schema((), (), (0, 1)), sg.Block(0, np.empty((5, 0)), y))
    run = sg.evaluate(stream, sg.TemporalCorrection(sg.Majority()), labels=sg.Chunks(2))
    # Rows 2 and 3 came after label 1; before that no pair was seen. Majority says 1/2 to both.
    assert run.predictions.column("prediction").to_pylist()[:4] == [None, None, 0, 0]


@pytest.mark.parametrize("name", ["NaiveBayes()", "Majority()", "Transition()", "river"])
@pytest.mark.parametrize("wrapper", [sg.TemporallyAugmented, sg.TemporalCorrection])
def test_battery(wrapper: Any, name: str) -> None:
    rows = 400
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
def test_a_base_is_played_as_it_is_stepped(options: dict[str, Any]) -> None:
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
        go_through(learner, events_of(agenda, room, label, np.empty((0, K))))
        labels += label[agenda.ops != LEARN].tolist()
    return labels


def test_texts_and_names() -> None:
    for text, shown in {
        "TemporallyAugmented(NaiveBayes(), order=2)": "TemporallyAugmented(NaiveBayes(), order=2)",
        "SWT(NaiveBayes)": "TemporallyAugmented(NaiveBayes())",
        "SWT(Majority(window=9), history='both', refresh=True, features=True)":
            "TemporallyAugmented(Majority(window=9), features=True, refresh=True, history='both')",
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


def test_what_cannot_be_wrapped() -> None:
    for wrapper in (sg.TemporallyAugmented, sg.TemporalCorrection):
        with pytest.raises(sg.UsageError, match=r"Mean.*wraps classifiers only"):
            wrapper(sg.Mean())
        quantity = sg.from_arrays(np.zeros((9, 1)), np.linspace(0, 1, 9), task="regression")
        with pytest.raises(sg.UsageError, match="is for classification, this stream is for regr"):
            sg.evaluate(quantity, wrapper("NaiveBayes"))
        with pytest.raises(sg.UsageError, match="is for classification, this stream is for regr"):
            wrapper("NaiveBayes").start(quantity.schema, 1)
    for options, complaint in (
        ({"order": 0}, "order=0: expected at least one"),
        ({"order": 1.5}, "whole number"),
        ({"history": "told"}, "expected 'revealed', 'predicted' or 'both'"),
        ({"history": "predicted", "refresh": True}, "refresh=True takes newer labels"),
    ):
        with pytest.raises(sg.UsageError, match=complaint):
            sg.TemporallyAugmented("NaiveBayes", **options)


class Says(Stepped):
    """Fails, or answers what is no class, at its fifth question."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, 0

    def play(self, events: Events) -> None:
        events.label[:] = 0
        if len(events.proba):
            events.proba[:] = [1, 0]
        for e in np.flatnonzero(events.ops != LEARN):
            self.asked += 1
            if self.asked == 5:
                events.label[e], shares = self.answer
                if len(events.proba):
                    events.proba[e] = shares


@pytest.mark.parametrize(
    ("learner", "complaint"),
    [
        (sg.SWT(Says((2, 0)), history="predicted"), "class code 2; expected 0 to 1"),
        (sg.SWT(Says((2, 0))), "class code 2; expected 0 to 1"),
        (sg.TemporalCorrection(Says((0, (-1e9, -3e9)))), "expected numbers in 0..1"),
        (sg.TemporalCorrection(Says((0, (1, 1)))), "expected numbers in 0..1 that sum to 1"),
    ],
)
def test_answers_that_are_none_stay_so(learner: Any, complaint: str) -> None:
    with pytest.raises(sg.LearnerError, match=f"failed at row 4 of .*{complaint}") as caught:
        sg.evaluate(sg.SEA(50, seed=1), learner)
    assert caught.value.runs[0].counts.scored == 4


def test_extended_schema_and_size() -> None:
    seen: list[Schema] = []

    class Notes(sg.NaiveBayes):
        def start(self, schema: Schema, seed: int) -> None:
            seen.append(schema)
            super().start(schema, seed)

    learner = sg.SWT(sg.SWT(Notes(), order=2), features=True)
    learner.start(Schema(("x", "c"), ((), ("u", "v")), (0, "b")), 1)
    names = ("x", "c", "label-1", "x-1", "c-1", "label-1'", "label-2")
    assert seen[0].features == names
    pair = ("0", "b")
    assert seen[0].values == ((), ("u", "v"), pair, (), ("u", "v"), pair, pair)
    assert learner.nbytes is not None
    assert isinstance(learner.base, sg.SWT)
    assert learner.nbytes > (learner.base.nbytes or 0) > 0
    untold = sg.TemporalCorrection(Stepped())
    untold.start(seen[0], 1)
    assert untold.nbytes is None
    assert repr(untold) == "TemporalCorrection(Stepped)"


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
    runs = sg.evaluate(stream, texts, keep="none")
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
