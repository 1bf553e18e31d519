"""Agendas: every policy against the literal oracle, causality, and independence of block cuts."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import LEARN, NEVER, PREDICT, Block
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import (
    Chunks,
    Delay,
    FromStream,
    Immediate,
    LabelPolicy,
    Sampled,
)
from streamgauge.prequential.waiting_room import WaitingRoom
from tests.oracles import agenda as oracle

Event = tuple[str, int]


def write(policy: LabelPolicy, block: Block, cuts: list[int]) -> list[Event]:
    """The agenda of a block handed over in pieces; checks that slots hold the right rows."""
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(policy, room)
    events: list[Event] = []

    def note(agenda: Any) -> None:
        for op, slot, row in zip(agenda.ops, agenda.slots, agenda.ids, strict=True):
            assert room.X[slot, 0] == row
            assert room.y[slot] == block.y[row]
            events.append(("P" if op == PREDICT else "L", int(row)))

    edges = [0, *sorted(cuts), len(block)]
    for start, stop in itertools.pairwise(edges):
        for agenda in writer.write(block.cut(start, stop)):
            note(agenda)
    for agenda in writer.finish():
        note(agenda)
    return events


def block_of(
    n: int,
    known: list[bool] | None = None,
    arrives: list[int] | None = None,
    revealed: list[int | None] | None = None,
) -> Block:
    y = np.array([0 if known is None or known[i] else -1 for i in range(n)], np.int32)
    times = None if arrives is None else np.array(arrives, np.int64)
    due = (
        None
        if revealed is None
        else np.array([NEVER if t is None else t for t in revealed], np.int64)
    )
    return Block(0, np.arange(n, dtype=np.float64)[:, np.newaxis], y, times, due)


@st.composite
def pieces(draw: st.DrawFn) -> tuple[int, list[bool], list[int]]:
    n = draw(st.integers(1, 40))
    known = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    cuts = draw(st.lists(st.integers(0, n), max_size=5))
    return n, known, cuts


@given(pieces(), st.integers(1, 45))
def test_row_policies_agree_with_the_oracle(
    piece: tuple[int, list[bool], list[int]], size: int
) -> None:
    n, known, cuts = piece
    block = block_of(n, known)
    expected = oracle.events("immediate", n, known=known)
    assert write(Immediate(), block, cuts) == expected
    assert write(Delay(1), block, cuts) == expected
    assert write(Delay(size), block, cuts) == oracle.events("delay", n, delay=size, known=known)
    assert write(Chunks(size), block, cuts) == oracle.events("chunks", n, chunk=size, known=known)


@st.composite
def timed(draw: st.DrawFn) -> tuple[list[int], list[int | None]]:
    n = draw(st.integers(1, 30))
    start = draw(st.sampled_from([0, -5, 1_700_000_000_000_000_000]))
    steps = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    arrives = [start + sum(steps[: i + 1]) for i in range(n)]
    waits = draw(st.lists(st.none() | st.integers(0, 12), min_size=n, max_size=n))
    return arrives, [None if w is None else a + w for a, w in zip(arrives, waits, strict=True)]


@given(timed(), st.lists(st.integers(0, 30), max_size=4), st.booleans())
def test_reveal_times_agree_with_the_oracle(
    times: tuple[list[int], list[int | None]], cuts: list[int], labels_first: bool
) -> None:
    arrives, revealed = times
    n = len(arrives)
    ties = "labels_first" if labels_first else "arrivals_first"
    policy = FromStream("labels_first" if labels_first else "arrivals_first")
    got = write(policy, block_of(n, None, arrives, revealed), [c for c in cuts if c <= n])
    assert got == oracle.events("from_stream", n, arrives=arrives, revealed=revealed, ties=ties)


@given(pieces(), st.integers(1, 9))
def test_from_stream_equals_delay_with_labels_first_only(
    piece: tuple[int, list[bool], list[int]], delay: int
) -> None:
    n, known, cuts = piece
    late: list[int | None] = [i + delay for i in range(n)]
    timed_block = block_of(n, known, None, late)
    delayed = write(Delay(delay), block_of(n, known), cuts)
    assert write(FromStream("labels_first"), timed_block, cuts) == delayed
    assert write(FromStream(), timed_block, cuts) == write(
        Delay(delay + 1), block_of(n, known), cuts
    )


@given(pieces(), st.floats(0.05, 1.0), st.integers(0, 99))
def test_sampled_depends_on_row_and_seed_alone(
    piece: tuple[int, list[bool], list[int]], p: float, seed: int
) -> None:
    n, _, cuts = piece
    policy = Sampled(p, seed=seed)
    events = write(policy, block_of(n), cuts)
    assert events == write(policy, block_of(n), [])
    learned = [row for op, row in events if op == "L"]
    assert events == [
        e for i in range(n) for e in [("P", i), ("L", i)] if e[0] == "P" or i in learned
    ]


def test_sampled_draws_its_share() -> None:
    n, p = 200_000, 0.3
    block = block_of(n)
    chosen = Sampled(p, score="all").timetable(block).weight
    assert set(chosen) == {0.0, 1.0}
    assert abs(chosen.mean() - p) < 4 * np.sqrt(p * (1 - p) / n)
    revealed = Sampled(p).timetable(block).revealed
    np.testing.assert_array_equal(revealed != NEVER, chosen == 1)
    # no runs: neighbours are chosen independently
    both = (chosen[1:] * chosen[:-1]).mean()
    assert abs(both - p * p) < 4 * np.sqrt(p * p / n)


def test_waiting_rows_stay_where_they_are_and_slots_are_reused() -> None:
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(Delay(100), room)
    block = block_of(10_000)
    sizes = []
    for start in range(0, 10_000, 50):
        list(writer.write(block.cut(start, start + 50)))
        sizes.append(room.capacity)
    assert sizes[-1] == sizes[20] <= 300  # 100 wait, 50 come and 50 go; growing adds half


def test_room_for_labels_that_all_come_at_the_end() -> None:
    events = write(Delay(5000), block_of(1000), [400, 800])
    assert events == [("P", i) for i in range(1000)] + [("L", i) for i in range(1000)]


@pytest.mark.parametrize("make", [lambda: Delay(0), lambda: Chunks(0), lambda: Sampled(0.0)])
def test_impossible_policies(make: Any) -> None:
    with pytest.raises(UsageError):
        make()


def test_time_running_backwards_names_the_row_even_across_blocks() -> None:
    block = block_of(4, None, [1, 5, 3, 9], [10, 10, 10, 10])
    for cuts in ([], [2]):
        with pytest.raises(InputError, match=r"row 2: arrives at 3.*\(5\)"):
            write(FromStream(), block, cuts)


def test_reveal_before_arrival_names_the_row() -> None:
    block = block_of(3, None, [1, 5, 6], [2, 4, 9])
    with pytest.raises(InputError, match=r"row 1: its label is revealed at 4.*arrives at 5"):
        write(FromStream(), block, [])


def test_operations_have_the_codes_kernels_rely_on() -> None:
    assert (PREDICT, LEARN) == (0, 1)
