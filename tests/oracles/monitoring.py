"""The join of docs/semantics.md and the rules of docs/monitoring.md, one event at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

FOR_EVER = 1 << 70  # longer than any two times are apart


class Event(NamedTuple):
    """A line: a prediction or a label."""

    id: str
    time: int
    value: str


@dataclass
class Row:
    """A prediction that arrived."""

    id: str
    arrives: int
    prediction: str
    label: str | None = None
    revealed: int | None = None
    corrected: str | None = None  # the label that counts in what is cumulative


class Change(NamedTuple):
    """A label that is revealed, or that replaces another one."""

    time: int
    row: int  # its number, in order of arrival
    old: str | None  # None: revealed
    new: str


@dataclass
class Log:
    """The rows in order of arrival, what happened to their labels, and what else there was."""

    rows: list[Row] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    early: list[Event] = field(default_factory=list)  # labels that still wait for a prediction
    counts: Counter[str] = field(default_factory=Counter)

    def in_order(self) -> list[Change]:
        """Changes in order: at one time in the order of their rows, then as they were read."""
        return sorted(self.changes, key=lambda change: (change.time, change.row))


def bulk(times: list[int], timeout: int) -> int:
    """The latest time that is reached from the median in steps that are not too long."""
    times = sorted(times)
    reached = times[(len(times) - 1) // 2]
    step = max(timeout, reached - times[len(times) // 4])
    for time in times:
        if reached < time <= reached + step:
            reached = time
    return reached


def in_time(events: list[Event], lateness: int, timeout: int = FOR_EVER) -> tuple[list[Event], int]:
    """Events neither too late nor far ahead, in order of time; and how many are too late."""
    kept: list[Event] = []
    waiting: list[Event] = []
    run: list[Event] = []
    recent: list[int] = []
    late = 0
    few = len(events) < 10
    newest = None if few else bulk([event.time for event in events[:10]], timeout)
    for place, event in enumerate(events):
        seen = [each.time for each in events[:place] if newest is None or each.time <= newest]
        reached = max(seen, default=None) if few or place < 10 else newest
        if few or place < 10:
            if newest is not None and event.time > newest:
                waiting.append(event)
            elif reached is not None and event.time < reached - lateness:
                late += 1
            else:
                kept.append(event)
                recent.append(event.time)
            continue
        assert newest is not None
        last = sorted(recent[-20:])
        if event.time - newest > max(timeout, newest - last[len(last) // 4]):
            waiting.append(event)
            run.append(event)
            if len(run) == 20:
                newest = bulk([each.time for each in run], timeout)
                recent = [each.time for each in run if each.time <= newest]
                run = []
        else:
            run = []
            if event.time < newest - lateness:
                late += 1
            else:
                kept.append(event)
                recent.append(event.time)
                newest = max(newest, event.time)
        kept += [each for each in waiting if each.time - newest <= timeout]
        waiting = [each for each in waiting if each.time - newest > timeout]
    return sorted(kept, key=lambda event: event.time), late


@dataclass
class Reader:
    """Reads pieces of two feeds; a feed that is idle does not hold the watermark."""

    lateness: int
    newest: dict[str, int | None] = field(default_factory=lambda: {"p": None, "l": None})
    idle: set[str] = field(default_factory=set)
    watermark: int | None = None
    events: dict[str, list[Event]] = field(default_factory=lambda: {"p": [], "l": []})
    behind: int = 0

    def read(self, feed: str, events: list[Event]) -> None:
        """Take a piece: each event gets the time at which it happens."""
        for event in events:
            newest = self.newest[feed]
            if newest is not None and event.time < newest - self.lateness:
                continue
            self.newest[feed] = event.time if newest is None else max(newest, event.time)
            happens = event.time
            if self.watermark is not None and event.time < self.watermark:
                self.behind += 1
                happens = self.watermark
            self.events[feed].append(event._replace(time=happens))
        self.idle.discard(feed)
        self.move()

    def move(self) -> None:
        """Move the watermark; never back."""
        holding = [self.newest[feed] for feed in ("p", "l") if feed not in self.idle]
        if not holding:
            known = [time for time in self.newest.values() if time is not None]
            holding = [max(known)] if known else [None]
        times = [time for time in holding if time is not None]
        if len(times) == len(holding):
            reached = min(times) - self.lateness
            self.watermark = reached if self.watermark is None else max(self.watermark, reached)


def joined(
    predictions: list[Event], labels: list[Event], lateness: int, timeout: int, remember: int
) -> Log:
    """Join all events; at one time predictions come before labels."""
    log = Log()
    asked, late_predictions = in_time(predictions, lateness, timeout)
    answered, late_labels = in_time(labels, lateness, timeout)
    log.counts["late predictions"], log.counts["late labels"] = late_predictions, late_labels
    both = [(each.time, 0, each) for each in asked] + [(each.time, 1, each) for each in answered]
    both.sort(key=lambda each: each[:2])
    known: dict[str, Row] = {}
    number: dict[str, int] = {}
    early: dict[str, Event] = {}
    latest: dict[str, str] = {}  # of those that are early
    for time, is_label, event in both:
        row, label = known.get(event.id), early.get(event.id)
        if row is not None:
            end = row.arrives + timeout if row.revealed is None else row.revealed
            if time > end + remember:
                log.counts["timed out"] += row.revealed is None
                del known[event.id]
                row = None
        if label is not None and time > label.time + remember:
            log.counts["orphans"] += 1
            del early[event.id]
            label = None
        if not is_label:
            if row is not None:
                log.counts["repeated predictions"] += 1
                continue
            row = known[event.id] = Row(event.id, time, event.value)
            number[event.id] = len(log.rows)
            log.rows.append(row)
            if label is not None:
                log.counts["labels before"] += 1
                _reveal(log, row, number[event.id], time, label.value)
                if latest[event.id] != label.value:
                    _correct(log, row, number[event.id], time, latest[event.id])
                del early[event.id]
        elif row is None:
            if label is None:
                early[event.id] = event
                latest[event.id] = event.value
            elif event.value == latest[event.id]:
                log.counts["repeated labels"] += 1
            else:
                log.counts["corrections"] += 1
                latest[event.id] = event.value
        elif row.revealed is not None:
            if event.value == row.corrected:
                log.counts["repeated labels"] += 1
            else:
                log.counts["corrections"] += 1
                _correct(log, row, number[event.id], time, event.value)
        elif time > row.arrives + timeout:
            log.counts["labels too late"] += 1
        else:
            _reveal(log, row, number[event.id], time, event.value)
    log.early = list(early.values())
    return log


def _reveal(log: Log, row: Row, number: int, time: int, label: str) -> None:
    row.label = row.corrected = label
    row.revealed = time
    log.changes.append(Change(time, number, None, label))


def _correct(log: Log, row: Row, number: int, time: int, label: str) -> None:
    log.changes.append(Change(time, number, row.corrected, label))
    row.corrected = label
