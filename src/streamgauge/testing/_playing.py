"""Plays learners over a stream, under every label policy and without scoring."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import numpy as np

from streamgauge._support.types import LEARN, PREDICT, Floats, Targets
from streamgauge.learners.base import EventFailed, Events, Learner, Player, context_of
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
from streamgauge.prequential.random_delay import RandomDelay
from streamgauge.prequential.sampled import Sampled
from streamgauge.prequential.visible_events import VisibleEvents, check_returned
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.testing._require import require_equal
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


FULLY_LABELLED: tuple[tuple[LabelPolicy, int], ...] = (
    (Immediate(), 0), (Delay(7), 0), (Delay(7), 3), (Chunks(10), 0),
)  # fmt: skip


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
    hidden: bool = False,
    seed: int = 1,
) -> tuple[Targets, Floats]:
    """All predictions in order, and their probabilities.

    `hidden`: the learner gets the events one by one, and sees nothing of what is still to come.
    """
    k = len(stream.schema.classes)
    learner.start(stream.schema, seed)
    context, visible = context_of(learner), VisibleEvents()
    predictions, probabilities = [], []
    for room, agenda in agendas(stream, policy, size, every, context):
        label = np.full(len(agenda.ops), -1 if k else np.nan, np.int32 if k else np.float64)
        proba = np.full((len(agenda.ops) if k else 0, k), np.nan)
        events = visible.events(agenda, room, label, proba, context)
        seen = copy.deepcopy(events) if size == ONE_BLOCK else events
        try:
            for part in _one_by_one(seen, events) if hidden else (events,):
                if generic and isinstance(learner, Learner):
                    predict_and_learn(learner, part)
                else:
                    run_events(learner, part)
        except EventFailed as failed:
            raise failed.__cause__ or failed from None
        if seen is not events and not hidden:
            _require_untouched(events, seen)
        predicts = agenda.ops != LEARN
        predictions.append(label[predicts])
        probabilities.append(proba[predicts] if k else proba)
        if pickled:
            learner = pickle.loads(pickle.dumps(learner))
    return np.concatenate(predictions), np.concatenate(probabilities)


def _one_by_one(seen: Events, events: Events) -> Iterator[Events]:
    """Single events. A row is shown from its first one on, a label from its LEARN on.

    `seen` has the rows and labels. Of `events`, everything that is still to come is removed.
    """
    X, y, ops, slots, _, weight, _, _ = events
    unknown = -1 if y.dtype == np.int32 else np.nan
    first = np.unique(slots, return_index=True)[1]
    X[slots[first[ops[first] == PREDICT]]] = np.nan  # the others wait since an earlier agenda
    y[slots] = unknown
    for e in range(len(ops)):
        slot = slots[e]
        X[slot] = seen.X[slot]
        if ops[e] == LEARN and weight[e] > 0:
            y[slot] = seen.y[slot]
        yield events.cut(e, e + 1)


def _require_untouched(events: Events, seen: Events) -> None:
    """Only predictions may be written, and only in place."""
    for name in ("X", "y", "ops", "slots", "row_ids", "weight"):
        found, expected = getattr(events, name), getattr(seen, name)
        require_equal(found, expected, f"the learner writes into events.{name}")
    check_returned(events, seen.label, seen.proba)
