"""Agendas: arrivals and labels merged into an ordered list of events (semantics §1, §8).

Every protocol is a way to write agendas; what plays them never changes. An agenda depends on times
alone, never on predictions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import (
    AGAIN,
    FINAL,
    LEARN,
    NEVER,
    PREDICT,
    Flags,
    Floats,
    Longs,
)
from streamgauge.prequential._label_queue import Due, drop_first, push


class Agenda(NamedTuple):
    """Events in the order they happen: what, on which slot of the room, of the row that has which
    home there, which row, its weight, when, and of a label whether its row is scored with it."""

    ops: Flags
    slots: Longs
    homes: Longs
    ids: Longs
    weight: Floats
    times: Longs
    scored: Flags

    def first(self, events: int) -> Agenda:
        """The first so many events."""
        part = slice(events)
        return Agenda(
            self.ops[part],
            self.slots[part],
            self.homes[part],
            self.ids[part],
            self.weight[part],
            self.times[part],
            self.scored[part],
        )

    @property
    def apart(self) -> bool:
        """May features be elsewhere than at home?"""
        return self.slots is not self.homes

    @staticmethod
    def empty(events: int, evolving: bool = False) -> Agenda:
        """Room for so many events. Only evolving rows are ever found elsewhere than at home."""
        slots = np.empty(events, np.int64)
        return Agenda(
            np.empty(events, np.uint8),
            slots,
            np.empty(events, np.int64) if evolving else slots,
            np.empty(events, np.int64),
            np.empty(events),
            np.empty(events, np.int64),
            np.empty(events, np.uint8),
        )


class Arrivals(NamedTuple):
    """Rows of a block: when they come, when their labels do, their weights and slots."""

    arrives: Longs
    revealed: Longs
    weight: Floats
    slots: Longs


class Tests(NamedTuple):
    """A held-out set, asked after every so many learned labels: homes and rows. None = no set."""

    every: int
    homes: Longs
    rows: Longs


class Waiting(NamedTuple):
    """Rows that wait, by home. Every `every` learned labels a row is asked again, so rows are kept
    in as many rounds, linked lists in order of arrival: those due at a label are one round."""

    first: Longs  # of each round, -1 = none
    last: Longs
    next: Longs  # of each home
    previous: Longs
    since: Longs  # how many labels had been learned when it arrived
    row: Longs  # -1 = nobody waits here
    current: Longs  # the slot of its newest features
    counts: Longs  # [labels learned, updates applied]


class Changes(NamedTuple):
    """Updates still to come, in order: when, of which row, its home, the slot they are in."""

    time: Longs
    row: Longs
    home: Longs
    slot: Longs


@inlined
def _write(
    agenda: Agenda, event: int, op: int, slot: int, home: int, row: int, weight: float, time: int,
    scored: int,
) -> int:  # fmt: skip
    agenda.ops[event] = op
    agenda.slots[event] = slot
    agenda.homes[event] = home
    agenda.ids[event] = row
    agenda.weight[event] = weight
    agenda.times[event] = time
    agenda.scored[event] = scored
    return event + 1


@inlined
def _link(waiting: Waiting, home: int) -> None:
    """A row arrives: last of its round."""
    learned = waiting.counts[0]
    round_ = learned % len(waiting.first)
    end = waiting.last[round_]
    waiting.since[home] = learned
    waiting.previous[home] = end
    waiting.next[home] = -1
    waiting.last[round_] = home
    if end >= 0:
        waiting.next[end] = home
    else:
        waiting.first[round_] = home


@inlined
def _unlink(waiting: Waiting, home: int) -> None:
    """A row's label has come."""
    round_ = waiting.since[home] % len(waiting.first)
    before, after = waiting.previous[home], waiting.next[home]
    if before >= 0:
        waiting.next[before] = after
    else:
        waiting.first[round_] = after
    if after >= 0:
        waiting.previous[after] = before
    else:
        waiting.last[round_] = before


@inlined
def _ask_again(waiting: Waiting, agenda: Agenda, event: int, time: int) -> int:
    """Ask the rows since whose arrival a multiple of `every` labels, not zero, was learned."""
    learned = waiting.counts[0]
    home = waiting.first[learned % len(waiting.first)]
    while home >= 0 and waiting.since[home] < learned:
        slot = waiting.current[home]
        event = _write(agenda, event, AGAIN, slot, home, waiting.row[home], 1.0, time, 0)
        home = waiting.next[home]
    return event


@inlined
def _update(changes: Changes, waiting: Waiting, until: int, leaving: Longs, gone: int) -> int:
    """Let features change that do so by a moment; slots that are no longer used leave."""
    change = waiting.counts[1]
    while change < len(changes.time) and changes.time[change] <= until:
        home = changes.home[change]
        if waiting.row[home] == changes.row[change]:
            old = waiting.current[home]
            if old != home:
                leaving[gone] = old
                gone += 1
            waiting.current[home] = changes.slot[change]
        else:  # its label came first
            leaving[gone] = changes.slot[change]
            gone += 1
        change += 1
    waiting.counts[1] = change
    return gone


@inlined
def _test(tests: Tests, learned: int, agenda: Agenda, event: int, time: int) -> int:
    """Ask and score the held-out set if it is due; a weight of 0 teaches nothing."""
    if len(tests.homes) and learned % tests.every == 0:
        for i in range(len(tests.homes)):
            home, row = tests.homes[i], tests.rows[i]
            event = _write(agenda, event, PREDICT, home, home, row, 1.0, time, 0)
            event = _write(agenda, event, LEARN, home, home, row, 0.0, time, 1)
    return event


@lean_kernel
def merge(
    rows: Arrivals,
    position: int,
    first_row: int,
    until: int,
    labels_first: int,
    heap: Due,
    size: int,
    waiting: Waiting,
    changes: Changes,
    tests: Tests,
    scored: Flags,
    agenda: Agenda,
    leaving: Longs,
) -> tuple[int, int, int, int, bool]:
    """Arrivals from `position` on, each after the labels that come before it, then labels due
    before `until`, as far as the agenda has room; the new (position, size), how many events, how
    many slots leave, and whether that is all.

    With labels first, `until` lies behind the last arrival's own moment: rows yet to come arrive at
    that moment or later, so a label due then precedes them all.
    """
    arrives, revealed, weights, slots = rows
    again, known = len(waiting.first) > 0, len(waiting.row) > 0
    most = 2 * len(tests.homes)  # events that one label may bring about, beside those of its row
    event, gone = 0, 0
    while True:
        at_end = position == len(arrives)
        moment = until if at_end else arrives[position] + labels_first
        while size > 0 and heap.time[0] < moment:
            if event + most + (size + 1 if again else 1) > len(agenda.ops):
                return position, size, event, gone, False
            time, row, home, weight = heap.time[0], heap.row[0], heap.slot[0], heap.weight[0]
            drop_first(heap, size)
            size -= 1
            slot = home
            if known:
                gone = _update(changes, waiting, time - labels_first, leaving, gone)
                slot = waiting.current[home]
            if again:
                _unlink(waiting, home)
                event = _write(agenda, event, FINAL, slot, home, row, 1.0, time, 0)
                if weight > 0:
                    event = _ask_again(waiting, agenda, event, time)
            event = _write(agenda, event, LEARN, slot, home, row, weight, time, scored[home])
            if weight > 0:
                waiting.counts[0] += 1
                event = _test(tests, waiting.counts[0], agenda, event, time)
            leaving[gone] = home
            gone += 1
            if known:
                waiting.row[home] = -1
                if slot != home:
                    leaving[gone] = slot
                    gone += 1
        if at_end:
            return position, size, event, gone, True
        if event + most + (3 if again else 2) > len(agenda.ops):
            return position, size, event, gone, False
        time, due = arrives[position], revealed[position]
        row, home, weight = first_row + position, slots[position], weights[position]
        event = _write(agenda, event, PREDICT, home, home, row, 1.0, time, 0)
        if due == NEVER or (size == 0 and labels_first and due == time):
            if known:
                waiting.row[home] = -1
            leaving[gone] = home
            gone += 1
            if due != NEVER:  # nobody waits and the label comes at once: no need to queue
                if again:
                    event = _write(agenda, event, FINAL, home, home, row, 1.0, time, 0)
                event = _write(agenda, event, LEARN, home, home, row, weight, time, scored[home])
                if weight > 0:
                    waiting.counts[0] += 1
                    event = _test(tests, waiting.counts[0], agenda, event, time)
        else:
            push(heap, size, due, row, home, weight)
            size += 1
            if known:
                waiting.row[home] = row
                waiting.current[home] = home
            if again:
                _link(waiting, home)
        position += 1
