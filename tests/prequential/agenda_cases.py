"""Blocks, cuts and times to write agendas of, shared by the tests of this folder."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from streamgauge._support.types import NEVER, PREDICT, Block
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.waiting_room import WaitingRoom

Event = tuple[str, int]


def write(policy: LabelPolicy, block: Block, cuts: list[int]) -> list[Event]:
    """The agenda of a block cut into pieces; checks that each slot holds the right row."""
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(policy, room)
    events: list[Event] = []

    def record(agenda: Agenda) -> None:
        for op, slot, row in zip(agenda.ops, agenda.slots, agenda.ids, strict=True):
            assert room.X[slot, 0] == row
            assert room.y[slot] == block.y[row]
            events.append(("P" if op == PREDICT else "L", int(row)))

    edges = [0, *sorted(cuts), len(block)]
    for start, stop in itertools.pairwise(edges):
        for agenda in writer.write(block.cut(start, stop)):
            record(agenda)
    for agenda in writer.finish():
        record(agenda)
    return events


def block_of(
    n: int,
    known: list[bool] | None = None,
    arrives: list[int] | None = None,
    revealed: list[int | None] | None = None,
) -> Block:
    """Rows whose one feature is their number."""
    y = np.array([0 if known is None or known[i] else -1 for i in range(n)], np.int32)
    arrival_times = None if arrives is None else np.array(arrives, np.int64)
    reveal_times = (
        None
        if revealed is None
        else np.array([NEVER if t is None else t for t in revealed], np.int64)
    )
    X = np.arange(n, dtype=np.float64)[:, np.newaxis]
    return Block(0, X, y, arrival_times, reveal_times)


@st.composite
def cut_rows(draw: st.DrawFn) -> tuple[int, list[bool], list[int]]:
    """A number of rows, which of their labels are known, and where blocks are cut."""
    n = draw(st.integers(1, 40))
    known = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    cuts = draw(st.lists(st.integers(0, n), max_size=5))
    return n, known, cuts


@st.composite
def times(draw: st.DrawFn) -> tuple[list[int], list[int | None]]:
    """Arrival times and reveal times, None = never revealed."""
    n = draw(st.integers(1, 30))
    start = draw(st.sampled_from([0, -5, 1_700_000_000_000_000_000]))
    steps = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    arrives = [start + sum(steps[: i + 1]) for i in range(n)]
    waits = draw(st.lists(st.none() | st.integers(0, 12), min_size=n, max_size=n))
    return arrives, [None if w is None else a + w for a, w in zip(arrives, waits, strict=True)]
