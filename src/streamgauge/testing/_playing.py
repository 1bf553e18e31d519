"""Plays learners over a stream, under every label policy and without scoring."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np

from streamgauge._support.types import LEARN, Floats, Targets
from streamgauge.learners.base import EventFailed, Learner, Player, context_of
from streamgauge.learners.run_events import predict_and_learn, run_events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import (
    Chunks,
    Delay,
    FromStream,
    Immediate,
    LabelPolicy,
)
from streamgauge.prequential.participant import events_of
from streamgauge.prequential.random_delay import RandomDelay
from streamgauge.prequential.sampled import Sampled
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.testing._streams import ONE_BLOCK

POLICIES: tuple[LabelPolicy, ...] = (
    Immediate(),
    Delay(1),
    Delay(7),
    Chunks(10),
    FromStream(),
    FromStream("labels_first"),
    Sampled(0.5),
    Sampled(0.5, score="all"),
    Sampled(0.8, labels=RandomDelay("geometric(0.1)", seed=1, timeout=30)),
)


def settings(stream: Stream) -> list[tuple[LabelPolicy, int]]:
    """Label policies that fit the stream, without (0) and with re-evaluation after 3 labels."""
    timed = next(stream.blocks(1)).revealed is not None
    policies = [policy for policy in POLICIES if timed or not isinstance(policy, FromStream)]
    waits = (Immediate, Chunks, FromStream)
    return [(policy, 0) for policy in policies] + [
        (policy, 3) for policy in policies if isinstance(policy, waits) or policy == Delay(7)
    ]


def agendas(
    stream: Stream, policy: LabelPolicy, size: int, every: int = 0, context: int = 1
) -> Iterator[tuple[WaitingRoom, Agenda]]:
    room = WaitingRoom(len(stream.schema.features), stream.schema.regression, context)
    writer = AgendaWriter(policy, room, every)
    for block in stream.blocks(size):
        for agenda in writer.write(block):
            yield room, agenda
    for agenda in writer.finish():
        yield room, agenda


def play(
    learner: Learner | Player,
    stream: Stream,
    policy: LabelPolicy,
    size: int = ONE_BLOCK,
    every: int = 0,
    generic: bool = False,
    pickled: bool = False,
) -> tuple[Targets, Floats]:
    """All predictions in order, and their probabilities."""
    k = len(stream.schema.classes)
    learner.start(stream.schema, 1)
    context = context_of(learner)
    predictions, probabilities = [], []
    for room, agenda in agendas(stream, policy, size, every, context):
        label = np.empty(len(agenda.ops), np.int32 if k else np.float64)
        proba = np.empty((len(agenda.ops) if k else 0, k))
        events = events_of(agenda, room, label, proba, context)
        try:
            if generic:
                assert isinstance(learner, Learner)
                predict_and_learn(learner, events)
            else:
                run_events(learner, events)
        except EventFailed as failed:
            raise failed.__cause__ or failed from None
        predicts = agenda.ops != LEARN
        predictions.append(label[predicts])
        probabilities.append(proba[predicts] if k else proba)
        if pickled:
            learner = pickle.loads(pickle.dumps(learner))
    return np.concatenate(predictions), np.concatenate(probabilities)
