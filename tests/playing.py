"""Streams as the events that learners get, and the label policies that many tests go through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import streamgauge as sg
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import Prequential, RowRoles
from streamgauge.prequential.waiting_room import WaitingRoom

POLICIES: tuple[LabelPolicy, ...] = (
    sg.Immediate(),
    sg.Delay(1),
    sg.Delay(7),
    sg.Chunks(10),
    sg.FromStream(),
    sg.FromStream("labels_first"),
    sg.Sampled(0.5),
    sg.Sampled(0.5, score="all"),
    sg.Sampled(0.8, labels=sg.RandomDelay("geometric(0.1)", seed=1, timeout=30)),
)


def with_other_labels(block: sg.Block, first: int) -> sg.Block:
    """The block with every known label from row `first` on changed."""
    y = block.y.copy()
    later = y[first:]
    if y.dtype == np.int32:
        known = later >= 0
        later[known] = (later[known] + 1) % (int(block.y.max()) + 1)
    else:
        later *= -3
    return replace(block, y=y)


def agendas(
    stream: sg.Stream,
    policy: LabelPolicy,
    size: int,
    every: int = 0,
    protocol: RowRoles = Prequential(),  # noqa: B008 - it is immutable
) -> Iterator[tuple[WaitingRoom, Agenda]]:
    """The agendas of a stream in blocks of `size` rows, each with the room of its rows."""
    room = WaitingRoom(len(stream.schema.features), stream.schema.regression)
    writer = AgendaWriter(policy, room, every, protocol)
    for block in stream.blocks(size):
        yield from ((room, agenda) for agenda in writer.write(block))
    yield from ((room, agenda) for agenda in writer.finish())
