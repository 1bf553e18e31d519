"""A toy learner on hard streams, for wrappers that use past labels."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Codes, Floats, Schema, Updates
from streamgauge.learners.base import Events
from streamgauge.learners.run_events import predict_and_learn, run_events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.participant import events_of
from streamgauge.prequential.protocols import Prequential, RowRoles
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.frames import ArrayStream
from tests import playing
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
    """The oracle's toy as a learner that predicts and learns."""

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
        predict_and_learn(self, events)


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
    """As in the loop, with other weights for some rows, as in a bootstrap."""
    for room, agenda in playing.agendas(stream, policy, size, every, protocol):
        heavy = agenda.weight * np.array([1, 2, 1, 0])[agenda.ids % 4]
        yield room, agenda._replace(weight=heavy)


def play_all(
    learner: Any, pieces: Iterator[tuple[WaitingRoom, Agenda]]
) -> tuple[list[oracle.Event], list[int], list[oracle.Probabilities]]:
    """The events, labels and probabilities; the learner is pickled on the way."""
    events: list[oracle.Event] = []
    labels: list[int] = []
    answers: list[oracle.Probabilities] = []
    for room, agenda in pieces:
        label = np.empty(len(agenda.ops), np.int32)
        proba = np.empty((len(agenda.ops), K))
        run_events(learner, events_of(agenda, room, label, proba))
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
