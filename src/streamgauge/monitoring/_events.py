"""Events as arrays: predictions and labels that have been read, and those that wait their turn."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Mask, Targets


class PredictionEvents(NamedTuple):
    """Predictions in the order in which they were read."""

    first: Longs  # the id, see `keys_of`
    second: Longs
    times: Longs
    X: Floats  # the prediction (a code of the vocabulary, or a number), then probabilities
    model: Codes
    segments: Codes  # rows × columns

    @staticmethod
    def empty(width: int, segments: int) -> PredictionEvents:
        """No predictions."""
        none = np.empty(0, np.int64)
        codes = np.empty(0, np.int32)
        return PredictionEvents(
            none, none, none, np.empty((0, width)), codes, np.empty((0, segments), np.int32)
        )


class LabelEvents(NamedTuple):
    """Labels in the order in which they were read."""

    first: Longs
    second: Longs
    times: Longs
    y: Targets  # codes of the vocabulary, or numbers

    @staticmethod
    def empty(regression: bool) -> LabelEvents:
        """No labels."""
        none = np.empty(0, np.int64)
        return LabelEvents(none, none, none, np.empty(0, np.float64 if regression else np.int32))


E = TypeVar("E", PredictionEvents, LabelEvents)


def taken(events: E, which: Mask | Longs | slice) -> E:
    """Some of the events."""
    return type(events)._make(column[which] for column in events)


class Order(NamedTuple):
    """The numbers of the lines of a piece, -1 for those of no use; and the order of what counts.

    What counts from now on may be of earlier lines, which had waited, see `FeedClock`. `as_read`:
    it is all lines of use, as they were read.
    """

    numbers: Longs
    counted: Longs
    as_read: bool


class PendingEvents(Generic[E]):
    """Events of a feed that are far ahead of the others, or the first of all."""

    state_fields = ("events", "numbers")

    def __init__(self, empty: E) -> None:
        self.events: E = empty
        self.numbers = np.empty(0, np.int64)

    def place(self, events: E, which: Mask, order: Order) -> E:
        """Those that count from now on, of new events and of those that wait."""
        used = np.flatnonzero(which)
        if order.as_read and not len(self.numbers):
            return taken(events, used)
        new = taken(events, used)
        both = zip(self.events, new, strict=True)
        self.events = type(events)._make(np.concatenate(list(each)) for each in both)
        self.numbers = np.concatenate([self.numbers, order.numbers[used]])
        return self.counted(order.counted)

    def counted(self, order: Longs) -> E:
        """Those with these numbers, in this order; the others go on waiting."""
        if not len(self.numbers):
            return self.events
        places = np.minimum(np.searchsorted(self.numbers, order), len(self.numbers) - 1)
        places = places[self.numbers[places] == order]
        found = taken(self.events, places)
        left = np.ones(len(self.numbers), np.bool_)
        left[places] = False
        self.events, self.numbers = taken(self.events, left), self.numbers[left]
        return found


class Held(Generic[E]):
    """Events that have been read but may still be overtaken by earlier ones."""

    state_fields = ("events",)

    def __init__(self, empty: E) -> None:
        self.events: E = empty
        self._new: list[E] = []

    def __len__(self) -> int:
        return len(self.events.times) + sum(len(each.times) for each in self._new)

    def dump_state(self) -> dict[str, E]:
        """What a snapshot keeps."""
        return {"events": self.gather()}

    def add(self, events: E) -> None:
        """Hold more events."""
        if len(events.times):
            self._new.append(events)

    def gather(self) -> E:
        """All of them, in the order in which they were read."""
        if self._new:
            columns = zip(self.events, *self._new, strict=True)
            joined = (np.concatenate(each) for each in columns)
            self.events = type(self.events)._make(joined)
            self._new = []
        return self.events

    def release(self, before: int | None) -> E:
        """Those before a time (None: all), in order of time; equal times as they were read."""
        events = self.gather()
        early = np.ones(len(events.times), np.bool_) if before is None else events.times < before
        due = np.flatnonzero(early)
        self.events = taken(events, ~early)
        times = events.times[due]
        if len(times) and (np.diff(times) < 0).any():
            due = due[np.argsort(times, kind="stable")]
        return taken(events, due)
