"""Agendas: arrivals and labels merged into one ordered list of events (semantics §1, §8).

Every protocol only writes agendas; one loop plays them all. An agenda depends on times only, never
on predictions.
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
from streamgauge.prequential._label_queue import NO_LABEL, LabelQueue, drop_first, push


class Agenda(NamedTuple):
    """Events in order, as parallel arrays. `WaitingRoom` defines slot and row id."""

    ops: Flags  # PREDICT, LEARN, FINAL or AGAIN
    slots: Longs  # where the row's current features are
    row_ids: Longs  # the row's first slot
    ids: Longs  # row numbers
    weight: Floats  # 0 at LEARN: scored but not learned; 0 at PREDICT: a row of a held-out set
    times: Longs
    scored: Flags  # at LEARN: is the row scored?

    def first(self, events: int) -> Agenda:
        """The first `events` events."""
        return self.cut(0, events)

    def cut(self, start: int, stop: int) -> Agenda:
        """The events from start to stop."""
        part = slice(start, stop)
        return Agenda(
            self.ops[part],
            self.slots[part],
            self.row_ids[part],
            self.ids[part],
            self.weight[part],
            self.times[part],
            self.scored[part],
        )

    @property
    def evolving(self) -> bool:
        """Whether a row's slot may differ from its row id."""
        return self.slots is not self.row_ids

    @staticmethod
    def empty(events: int, evolving: bool = False) -> Agenda:
        """Room for `events` events. Unless rows evolve, slots and row ids share one array."""
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
    """The rows of a block: their times, weights and slots."""

    arrives: Longs
    revealed: Longs  # NEVER: no label comes
    leaves: Longs  # when a row without a label stops waiting
    weight: Floats
    slots: Longs


class HeldOutSet(NamedTuple):
    """A held-out set, tested after every `every` learned labels. May be empty."""

    every: int
    row_ids: Longs
    rows: Longs


class WaitingRows(NamedTuple):
    """Rows that wait for their labels, by row id.

    A row is predicted again after every K learned labels. Rows are therefore kept in K rounds,
    linked lists in order of arrival; the rows to predict again at a label form one round.
    """

    every: int  # K; 0: never
    first: Longs  # [round]: row id of its first row, -1 = empty
    last: Longs  # [round]
    next: Longs  # [row_id]: the next row of its round
    previous: Longs  # [row_id]
    since: Longs  # [row_id]: labels learned before the row arrived
    row: Longs  # [row_id]: row number, -1 = no row waits here
    current: Longs  # [row_id]: the slot of its newest features
    left: Longs  # row ids of the rows that left without a label during this agenda, in order
    left_at: Longs  # … and the number of events before each
    counts: Longs  # [labels learned, feature updates applied, rows that left]


class FeatureUpdates(NamedTuple):
    """New features of waiting rows that are not applied yet, in order of time."""

    time: Longs
    row: Longs
    row_id: Longs
    slot: Longs  # where the new features are


@inlined
def _write(
    agenda: Agenda, event: int, op: int, slot: int, row_id: int, row: int, weight: float, time: int,
    scored: int,
) -> int:  # fmt: skip
    at = np.uint64(event)  # unsigned: numba need not ask whether it counts from the end
    agenda.ops[at] = op
    agenda.slots[at] = slot
    agenda.row_ids[at] = row_id
    agenda.ids[at] = row
    agenda.weight[at] = weight
    agenda.times[at] = time
    agenda.scored[at] = scored
    return event + 1


@inlined
def _link(waiting: WaitingRows, row_id: int) -> None:
    """A row arrives: append it to its round."""
    learned = waiting.counts[0]
    round_ = learned % waiting.every
    end = waiting.last[round_]
    waiting.since[row_id] = learned
    waiting.previous[row_id] = end
    waiting.next[row_id] = -1
    waiting.last[round_] = row_id
    if end >= 0:
        waiting.next[end] = row_id
    else:
        waiting.first[round_] = row_id


@inlined
def _unlink(waiting: WaitingRows, row_id: int) -> None:
    """A row's label is revealed, or it leaves without one: remove it from its round."""
    round_ = waiting.since[row_id] % waiting.every
    before, after = waiting.previous[row_id], waiting.next[row_id]
    if before >= 0:
        waiting.next[before] = after
    else:
        waiting.first[round_] = after
    if after >= 0:
        waiting.previous[after] = before
    else:
        waiting.last[round_] = before


@inlined
def _predict_again(waiting: WaitingRows, agenda: Agenda, event: int, time: int) -> int:
    """Predict the rows that arrived K, 2K, 3K … learned labels ago."""
    learned = waiting.counts[0]
    row_id = waiting.first[learned % waiting.every]
    while row_id >= 0 and waiting.since[row_id] < learned:
        slot = waiting.current[row_id]
        event = _write(agenda, event, AGAIN, slot, row_id, waiting.row[row_id], 1.0, time, 0)
        row_id = waiting.next[row_id]
    return event


@inlined
def _apply_updates(
    updates: FeatureUpdates, waiting: WaitingRows, until: int, freed: Longs, n_freed: int
) -> int:
    """Apply the feature updates up to a time; slots no longer in use are freed."""
    update = waiting.counts[1]
    while update < len(updates.time) and updates.time[update] <= until:
        row_id = updates.row_id[update]
        if waiting.row[row_id] == updates.row[update]:
            old = waiting.current[row_id]
            if old != row_id:
                freed[n_freed] = old
                n_freed += 1
            waiting.current[row_id] = updates.slot[update]
        else:  # the row's label came first
            freed[n_freed] = updates.slot[update]
            n_freed += 1
        update += 1
    waiting.counts[1] = update
    return n_freed


@inlined
def _test(held_out: HeldOutSet, learned: int, agenda: Agenda, event: int, time: int) -> int:
    """Predict and score the held-out set if it is time; its rows have the weight 0."""
    if len(held_out.row_ids) and learned % held_out.every == 0:
        for i in range(len(held_out.row_ids)):
            row_id, row = held_out.row_ids[i], held_out.rows[i]
            event = _write(agenda, event, PREDICT, row_id, row_id, row, 0.0, time, 0)
            event = _write(agenda, event, LEARN, row_id, row_id, row, 0.0, time, 1)
    return event


@lean_kernel
def merge(
    arrivals: Arrivals,
    position: int,
    first_row: int,
    until: int,
    labels_first: int,
    queue: LabelQueue,
    size: int,
    waiting: WaitingRows,
    updates: FeatureUpdates,
    held_out: HeldOutSet,
    scored: Flags,
    agenda: Agenda,
    freed: Longs,
) -> tuple[int, int, int, int, bool]:
    """Write the arrivals from `position` on and all labels revealed before `until`, in order.

    A row whose label never comes waits as others do, until it leaves without an event.

    Stops early when the agenda is full. Returns the new position and queue size, the number of
    events written, the number of slots freed, and whether everything was written.

    With labels first, `until` is one after the time of the last arrival: the rows still to come
    arrive at that time or later, so a label revealed at that time precedes them all.
    """
    arrives, revealed, leaves, weights, slots = arrivals
    again, tracked = waiting.every > 0, len(waiting.row) > 0
    test_events = 2 * len(held_out.row_ids)  # events that one label may add, besides its own
    event, n_freed = 0, 0
    while True:
        at_end = position == len(arrives)
        moment = until if at_end else arrives[position] + labels_first
        while size > 0 and queue.time[0] < moment:
            if event + test_events + (size + 1 if again else 1) > len(agenda.ops):
                return position, size, event, n_freed, False
            time, row, row_id, weight = (
                queue.time[0],
                queue.row[0],
                queue.row_id[0],
                queue.weight[0],
            )
            drop_first(queue, size)
            size -= 1
            slot = row_id
            if tracked:
                n_freed = _apply_updates(updates, waiting, time - labels_first, freed, n_freed)
                slot = waiting.current[row_id]
            if again:
                _unlink(waiting, row_id)
                if weight == NO_LABEL:
                    waiting.left[waiting.counts[2]] = row_id
                    waiting.left_at[waiting.counts[2]] = event
                    waiting.counts[2] += 1
                else:
                    event = _write(agenda, event, FINAL, slot, row_id, row, 1.0, time, 0)
                    if weight > 0:
                        event = _predict_again(waiting, agenda, event, time)
            if weight >= 0:
                event = _write(
                    agenda, event, LEARN, slot, row_id, row, weight, time, scored[row_id]
                )
            if weight > 0:
                waiting.counts[0] += 1
                event = _test(held_out, waiting.counts[0], agenda, event, time)
            freed[n_freed] = row_id
            n_freed += 1
            if tracked:
                waiting.row[row_id] = -1
                if slot != row_id:
                    freed[n_freed] = slot
                    n_freed += 1
        if at_end:
            return position, size, event, n_freed, True
        if event + test_events + (3 if again else 2) > len(agenda.ops):
            return position, size, event, n_freed, False
        at = np.uint64(position)
        time, reveal = arrives[at], revealed[at]
        row, row_id, weight = first_row + position, slots[at], weights[at]
        event = _write(agenda, event, PREDICT, row_id, row_id, row, 1.0, time, 0)
        never_labelled = reveal == NEVER  # such a row waits only to be predicted again
        if (never_labelled and not (again and leaves[position] >= time + labels_first)) or (
            size == 0 and labels_first and reveal == time
        ):
            if tracked:
                waiting.row[row_id] = -1
            freed[n_freed] = row_id
            n_freed += 1
            if not never_labelled:  # the queue is empty and the label comes at once: skip the queue
                if again:
                    event = _write(agenda, event, FINAL, row_id, row_id, row, 1.0, time, 0)
                event = _write(
                    agenda, event, LEARN, row_id, row_id, row, weight, time, scored[row_id]
                )
                if weight > 0:
                    waiting.counts[0] += 1
                    event = _test(held_out, waiting.counts[0], agenda, event, time)
        else:
            if never_labelled:
                push(queue, size, leaves[position], row, row_id, NO_LABEL)
            else:
                push(queue, size, reveal, row, row_id, weight)
            size += 1
            if tracked:
                waiting.row[row_id] = row
                waiting.current[row_id] = row_id
            if again:
                _link(waiting, row_id)
        position += 1
