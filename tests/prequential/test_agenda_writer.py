"""The agenda writer checks the times of rows, and lets rows wait as long as each policy says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.errors import InputError
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.prequential.sampled import _STREAM
from streamgauge.prequential.waiting_room import WaitingRoom
from tests.oracles import reevaluation as oracle
from tests.oracles import waiting
from tests.prequential.agenda_cases import block_of, cut_rows, times, write

KINDS = {0: "P", 1: "L", 2: "F", 3: "A"}


def written(policy: LabelPolicy, block: Block, cuts: list[int], every: int) -> list[oracle.Event]:
    """All events, and X where a row leaves without a label."""
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(policy, room, every)
    edges = [0, *sorted(cuts), len(block)]
    events: list[oracle.Event] = []

    def record(agenda: object) -> None:
        left: dict[int, list[int]] = {}
        for row_id, at in zip(*(each.tolist() for each in writer.left), strict=True):
            left.setdefault(at, []).append(int(room.X[row_id, 0]))
        ops, ids, moments = agenda.ops, agenda.ids, agenda.times  # type: ignore[attr-defined]
        for e in range(len(ops) + 1):
            events.extend(("X", row, 0) for row in left.get(e, []))
            if e < len(ops):
                events.append((KINDS[int(ops[e])], int(ids[e]), int(moments[e])))

    for start, stop in itertools.pairwise(edges):
        for agenda in writer.write(block.cut(start, stop)):
            record(agenda)
    for agenda in writer.finish():
        record(agenda)
    return without_no_waits(events)


def expected(rows: list[oracle.Row], every: int, labels_first: bool) -> list[oracle.Event]:
    """The oracle's events; when a row leaves has no time of its own in an agenda."""
    events = oracle.events(rows, every, labels_first)
    return without_no_waits([(k, row, 0 if k == "X" else time) for k, row, time in events])


def without_no_waits(events: list[oracle.Event]) -> list[oracle.Event]:
    """Leave out that a row leaves right after it arrived: whether it waited is not seen."""
    before = [("", -1, 0), *events]
    return [
        event
        for event, (kind, row, _) in zip(events, before, strict=False)
        if event[0] != "X" or (kind, row) != ("P", event[1])
    ]


def labels_of(known: list[bool]) -> list[int | None]:
    return [0 if each else None for each in known]


@given(cut_rows(), st.integers(1, 12), st.integers(1, 4))
def test_rows_without_a_label_wait_until_it_would_have_come(
    case: tuple[int, list[bool], list[int]], size: int, every: int
) -> None:
    n, known, cuts = case
    y, block = labels_of(known), block_of(n, known)
    for policy, rows in (
        (sg.Immediate(), waiting.immediate(y)),
        (sg.Delay(size), waiting.delay(y, size)),
        (sg.Chunks(size), waiting.chunks(y, size)),
    ):
        found = written(policy, block, cuts, every)
        assert found == expected(rows, every, policy.labels_first)


@given(times(), st.data(), st.none() | st.integers(1, 12), st.integers(1, 4), st.booleans())
def test_rows_of_a_stream_wait_until_the_timeout(
    case: tuple[list[int], list[int | None]],
    data: st.DataObject,
    timeout: int | None,
    every: int,
    labels_first: bool,
) -> None:
    arrives, revealed = case
    n = len(arrives)
    known = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    cuts = data.draw(st.lists(st.integers(0, n), max_size=3))
    policy = FromStream("labels_first" if labels_first else "arrivals_first", timeout)
    rows = waiting.from_stream(labels_of(known), arrives, revealed, timeout)
    block = block_of(n, known, arrives, revealed)
    assert written(policy, block, cuts, every) == expected(rows, every, labels_first)


@given(cut_rows(), st.integers(1, 12), st.integers(1, 4), st.booleans())
def test_rows_whose_label_is_not_drawn_do_not_wait(
    case: tuple[int, list[bool], list[int]], delay: int, every: int, score_all: bool
) -> None:
    n, known, cuts = case
    drawn = (uniform(np.arange(n), 3, _STREAM) < 0.5).tolist()
    for inner, rows in (
        (sg.Delay(delay), waiting.delay(labels_of(known), delay)),
        (sg.Chunks(delay), waiting.chunks(labels_of(known), delay)),
    ):
        policy = sg.Sampled(0.5, "all" if score_all else "revealed", 3, inner)
        found = written(policy, block_of(n, known), cuts, every)
        assert found == expected(waiting.sampled(rows, drawn, score_all), every, inner.labels_first)


def test_rows_that_leave_without_a_label_free_their_slots() -> None:
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(FromStream(timeout=100), room, every=10)
    n = 10_000
    known = [i % 3 == 0 for i in range(n)]
    block = block_of(n, known, list(range(n)), [i + 50 for i in range(n)])
    for start in range(0, n, 50):
        list(writer.write(block.cut(start, start + 50)))
    assert room.capacity <= 300  # at most 101 wait and 50 arrive; growing adds half
    list(writer.finish())
    assert writer.waiting == 0
    assert writer.awaited == 33  # two thirds of the 50 rows that leave after the last label


def test_rows_without_a_label_take_no_slot_unless_predicted_again() -> None:
    n = 10_000
    block = block_of(n, [False] * n, list(range(n)), [None] * n)
    sizes, awaited = [], []
    for every in (0, 10):
        room = WaitingRoom(1, regression=False)
        writer = AgendaWriter(FromStream(), room, every)
        for start in range(0, n, 50):
            list(writer.write(block.cut(start, start + 50)))
        list(writer.finish())
        sizes.append(room.capacity)
        awaited.append(writer.awaited)
    assert sizes[0] <= 100 < n <= sizes[1]
    assert awaited == [n, n]


@pytest.mark.parametrize("cuts", [[], [2]])
def test_arrival_before_the_previous_row_names_the_row_even_across_blocks(cuts: list[int]) -> None:
    block = block_of(4, None, [1, 5, 3, 9], [10, 10, 10, 10])
    with pytest.raises(InputError, match=r"row 2: arrives at 3.*\(5\)"):
        write(FromStream(), block, cuts)
