"""The first prediction of every row, under any label policy."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge._support.types import PREDICT, Floats
from streamgauge.learners.base import Events, Learner, Player
from streamgauge.prequential.labels import LabelPolicy
from tests.playing import agendas

POLICIES: list[LabelPolicy] = [
    sg.Immediate(), sg.Delay(3), sg.Chunks(5), sg.FromStream(), sg.Sampled(0.6),
]  # fmt: skip


def first_predictions(
    learner: Learner | Player, stream: sg.Stream, policy: LabelPolicy
) -> tuple[list[tuple[str, int]], dict[int, int], dict[int, Floats]]:
    """The events as played; for each row its first predicted label and probabilities."""
    assert isinstance(learner, Player)
    learner.start(stream.schema, 1)
    events, answers, probabilities = [], {}, {}
    for room, (ops, slots, row_ids, ids, weight, _, _) in agendas(stream, policy, 13):
        label = np.empty(len(ops), np.int32)
        proba = np.empty((len(ops), len(stream.schema.classes)))
        learner.play(Events(room.X, room.y, ops, slots, row_ids, weight, label, proba))
        for e in range(len(ops)):
            events.append(("P" if ops[e] == PREDICT else "L", int(ids[e])))
            if ops[e] == PREDICT:
                answers[int(ids[e])], probabilities[int(ids[e])] = int(label[e]), proba[e]
    return events, answers, probabilities
