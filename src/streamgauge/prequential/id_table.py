"""The table of ids: which row of the waiting room an id is, and what has happened to it.

Open addressing over slots of the waiting room, with linear probing; an entry that leaves is closed
up by moving its successors back, so that there are no tombstones.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined, kernel
from streamgauge._support.types import Codes, Flags, Longs, Targets
from streamgauge.prequential.waiting_room import Empty

FREE: Final = 0
WAITING: Final = 1  # a prediction without a label so far
SCORED: Final = 2  # … with its label; remembered for repeats and corrections
EARLY: Final = 3  # a label without a prediction so far

# What is counted while events are joined, in this order.
REPEATED_PREDICTIONS: Final = 0
LABELS_TOO_LATE: Final = 1  # after the time-out
LABELS_BEFORE: Final = 2  # their prediction, by the clocks
TIMED_OUT: Final = 3  # predictions that left without a label
ORPHANS: Final = 4  # labels whose prediction never came
REPEATED_LABELS: Final = 5
CORRECTIONS: Final = 6
COUNTS: Final = 7

_PRIME: Final = np.uint64(0x9E3779B97F4A7C15)
_MOST_FULL: Final = 0.75


UNLIMITED: Final = -1  # as an unsigned number, longer than any two times are apart


class RetentionRules(NamedTuple):
    """How long things are remembered, in the unit of the times, or UNLIMITED."""

    timeout: int
    remember: int


class Entries(NamedTuple):
    """The index, and what is known about every slot."""

    places: Codes  # [hash]: slot, -1 = empty
    first: Longs  # [slot]: the id, see `keys_of`
    second: Longs  # [slot]: … its second number; empty while all ids are integers
    state: Flags  # [slot]
    arrives: Longs  # [slot]: of the waiting room; when the label came, if it is early
    revealed: Longs  # [slot]
    y: Targets  # [slot]: the label that came first
    latest: Targets  # [slot]: … and the one that counts in what is cumulative


class EventBatch(NamedTuple):
    """Events of one kind in order of time."""

    first: Longs
    second: Longs
    times: Longs


class JoinedBatch(NamedTuple):
    """What becomes of a batch; the number of entries in use is returned by `join`."""

    arrivals: Longs  # predictions that arrive: their place in the batch
    arrival_slots: Longs
    revealed: Longs  # slots whose label is revealed
    labels: Longs  # … the label's place in the batch; -1: it came before its prediction
    reveal_times: Longs
    corrected: Longs  # slots of scored rows that get another label
    correction_times: Longs
    freed: Longs
    old: Targets  # of each correction
    new: Targets


class IdTable:
    """Finds the slot of an id."""

    state_fields = ("index", "first", "second", "state", "latest", "used")

    def __init__(self, labels: np.dtype[Any], empty: Empty = np.empty) -> None:
        self._empty = empty
        self.latest: Targets = np.empty(0, labels)
        self.index = np.full(1 << 12, -1, np.int32)
        self.first = np.empty(0, np.int64)
        self.second = np.empty(0, np.int64)
        self.state = np.empty(0, np.uint8)
        self.used = 0

    @property
    def nbytes(self) -> int:
        """Memory of the table."""
        columns = (self.index, self.first, self.second, self.state, self.latest)
        return sum(each.nbytes for each in columns)

    def make_room(self, capacity: int, more: int, wide: bool) -> None:
        """Room for a waiting room of this capacity, `more` new ids, and texts if `wide`."""
        if len(self.state) < capacity:
            self.first = self._longer(self.first, capacity)
            self.state = self._longer(self.state, capacity)
            self.latest = self._longer(self.latest, capacity)
        if (wide or len(self.second)) and len(self.second) < capacity:
            self.second = self._longer(self.second, capacity)
        size = len(self.index)
        while (self.used + more) > _MOST_FULL * size:
            size *= 2
        if size > len(self.index):
            self.index = self._empty((size,), np.int32)
            self.index[:] = -1
            _fill(self.index, self.first, self.second, self.state)

    def _longer(self, array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
        longer = self._empty((length,), array.dtype)
        longer[: len(array)] = array
        longer[len(array) :] = 0
        return longer

    def entries(self, arrives: Longs, revealed: Longs, y: Targets) -> Entries:
        """The table with these columns of the waiting room."""
        return Entries(
            self.index, self.first, self.second, self.state, arrives, revealed, y, self.latest
        )


@inlined
def _home(first: int, second: int, size: int) -> int:
    mixed = np.uint64(first) * _PRIME ^ np.uint64(second)
    mixed ^= mixed >> np.uint64(32)
    mixed *= _PRIME
    return int(np.int64((mixed >> np.uint64(20)) & np.uint64(size - 1)))


@inlined
def _second(second: Longs, slot: int) -> int:
    return second[slot] if len(second) else 0


@kernel
def _fill(index: Codes, first: Longs, second: Longs, state: Flags) -> None:
    mask = len(index) - 1
    for slot in range(len(state)):
        if state[slot] != FREE:
            place = _home(first[slot], _second(second, slot), len(index))
            while index[place] >= 0:
                place = (place + 1) & mask
            index[place] = slot


@inlined
def _find(entries: Entries, first: int, second: int) -> int:
    """The place of an id in the index, or of the empty entry where it belongs."""
    places = entries.places
    mask = len(places) - 1
    place = _home(first, second, len(places))
    while True:
        slot = places[place]
        if slot < 0 or (entries.first[slot] == first and _second(entries.second, slot) == second):
            return place
        place = (place + 1) & mask


@inlined
def _remove(entries: Entries, place: int) -> None:
    """Empty an entry of the index; those that it has pushed on move back."""
    places = entries.places
    mask = len(places) - 1
    entries.state[places[place]] = FREE
    hole = place
    at = place
    while True:
        at = (at + 1) & mask
        slot = places[at]
        if slot < 0:
            break
        row_id = _home(entries.first[slot], _second(entries.second, slot), len(places))
        if ((at - row_id) & mask) >= ((at - hole) & mask):
            places[hole] = slot
            hole = at
    places[hole] = -1


@inlined
def _is_longer(since: int, time: int, first: int, second: int) -> bool:
    """Whether more than two durations have passed; without overflow at any times."""
    passed = np.uint64(time) - np.uint64(since)
    own, other = np.uint64(first), np.uint64(second)
    return bool(time > since and passed > own and passed - own > other)


@inlined
def _is_forgotten(entries: Entries, rules: RetentionRules, slot: int, time: int) -> bool:
    """Whether an id is no longer known at a time."""
    state = entries.state[slot]
    if state == SCORED:
        return _is_longer(entries.revealed[slot], time, rules.remember, 0)
    if state == EARLY:
        return _is_longer(entries.arrives[slot], time, rules.remember, 0)
    return _is_longer(entries.arrives[slot], time, rules.remember, rules.timeout)


@inlined
def _count_leaving(entries: Entries, slot: int, counts: Longs) -> None:
    if entries.state[slot] == WAITING:
        counts[TIMED_OUT] += 1
    elif entries.state[slot] == EARLY:
        counts[ORPHANS] += 1


@inlined
def _write_correction(
    entries: Entries, out: JoinedBatch, place: int, slot: int, time: int, old: float
) -> None:
    out.corrected[place] = slot
    out.correction_times[place] = time
    out.old[place] = old
    out.new[place] = entries.latest[slot]


@kernel
def join(
    entries: Entries,
    rules: RetentionRules,
    predictions: EventBatch,
    labels: EventBatch,
    y: Targets,
    done: npt.NDArray[np.int64],
    slots: Longs,
    counts: Longs,
    out: JoinedBatch,
    sizes: Longs,
) -> int:
    """Go through predictions and labels in order of time; stop when `slots` are used up.

    `done` says how many predictions and labels have been handled, `sizes` how many arrivals,
    reveals, corrections and freed slots were written; both are updated. Returns how many of
    `slots` were taken.
    """
    p, q = done[0], done[1]
    taken = 0
    arrivals, reveals, corrections, freed = sizes[0], sizes[1], sizes[2], sizes[3]
    while p < len(predictions.times) or q < len(labels.times):
        is_prediction = q == len(labels.times) or (
            p < len(predictions.times) and predictions.times[p] <= labels.times[q]
        )
        if is_prediction:
            first, second, time = predictions.first[p], predictions.second[p], predictions.times[p]
        else:
            first, second, time = labels.first[q], labels.second[q], labels.times[q]
        place = _find(entries, first, second)
        slot = entries.places[place]
        if slot >= 0 and _is_forgotten(entries, rules, slot, time):
            _count_leaving(entries, slot, counts)
            _remove(entries, place)
            out.freed[freed] = slot
            freed += 1
            place = _find(entries, first, second)
            slot = -1
        if slot < 0 and taken == len(slots):
            break
        if slot < 0:
            slot = slots[taken]
            taken += 1
            entries.places[place] = slot
            entries.first[slot] = first
            if len(entries.second):
                entries.second[slot] = second
            entries.arrives[slot] = time
            if is_prediction:
                entries.state[slot] = WAITING
                out.arrivals[arrivals] = p
                out.arrival_slots[arrivals] = slot
                arrivals += 1
            else:
                entries.state[slot] = EARLY
                entries.y[slot] = y[q]
                entries.latest[slot] = y[q]
        elif is_prediction:
            if entries.state[slot] == EARLY:
                entries.state[slot] = SCORED
                entries.arrives[slot] = time
                entries.revealed[slot] = time
                counts[LABELS_BEFORE] += 1
                out.arrivals[arrivals] = p
                out.arrival_slots[arrivals] = slot
                arrivals += 1
                out.revealed[reveals] = slot
                out.labels[reveals] = -1
                out.reveal_times[reveals] = time
                reveals += 1
                if entries.latest[slot] != entries.y[slot]:
                    _write_correction(entries, out, corrections, slot, time, entries.y[slot])
                    corrections += 1
            else:
                counts[REPEATED_PREDICTIONS] += 1
        elif entries.state[slot] == WAITING:
            if _is_longer(entries.arrives[slot], time, rules.timeout, 0):
                counts[LABELS_TOO_LATE] += 1
            else:
                entries.state[slot] = SCORED
                entries.revealed[slot] = time
                entries.latest[slot] = y[q]
                out.revealed[reveals] = slot
                out.labels[reveals] = q
                out.reveal_times[reveals] = time
                reveals += 1
        elif entries.latest[slot] == y[q]:
            counts[REPEATED_LABELS] += 1
        else:
            counts[CORRECTIONS] += 1
            before = entries.latest[slot]
            entries.latest[slot] = y[q]
            if entries.state[slot] == SCORED:  # otherwise once the prediction arrives
                _write_correction(entries, out, corrections, slot, time, before)
                corrections += 1
        if is_prediction:
            p += 1
        else:
            q += 1
    done[0], done[1] = p, q
    sizes[0], sizes[1], sizes[2], sizes[3] = arrivals, reveals, corrections, freed
    return taken


@kernel
def sweep(entries: Entries, rules: RetentionRules, time: int, counts: Longs, freed: Longs) -> int:
    """Forget what is no longer needed at a time; return how many slots were freed."""
    count = 0
    for slot in range(len(entries.state)):
        if entries.state[slot] != FREE and _is_forgotten(entries, rules, slot, time):
            _count_leaving(entries, slot, counts)
            place = _find(entries, entries.first[slot], _second(entries.second, slot))
            _remove(entries, place)
            freed[count] = slot
            count += 1
    return count


@kernel
def count_waiting(entries: Entries, rules: RetentionRules, time: int) -> tuple[int, int, int, int]:
    """Rows that wait for a label at a time, rows past their time-out, and the same of labels that
    wait for their prediction."""
    waiting, late, early, orphans = 0, 0, 0, 0
    for slot in range(len(entries.state)):
        if entries.state[slot] == WAITING:
            if _is_longer(entries.arrives[slot], time, rules.timeout, 0):
                late += 1
            else:
                waiting += 1
        elif entries.state[slot] == EARLY:
            if _is_forgotten(entries, rules, slot, time):
                orphans += 1
            else:
                early += 1
    return waiting, late, early, orphans
