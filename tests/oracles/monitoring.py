"""The rules of docs/monitoring.md, one event at a time, with dicts and lists."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple


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


@dataclass
class Log:
    """The rows in order of arrival, and what else there was."""

    rows: list[Row] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def in_time(events: list[Event], lateness: int) -> tuple[list[Event], int]:
    """Events that are not too late, in order of time; and the number of the others."""
    kept: list[Event] = []
    newest = None
    for event in events:
        if newest is not None and event.time < newest - lateness:
            continue
        kept.append(event)
        newest = event.time if newest is None else max(newest, event.time)
    return sorted(kept, key=lambda event: event.time), len(events) - len(kept)


def joined(
    predictions: list[Event], labels: list[Event], lateness: int, timeout: int, remember: int
) -> Log:
    """Join all events; at one time predictions come before labels."""
    log = Log()
    asked, late_predictions = in_time(predictions, lateness)
    answered, late_labels = in_time(labels, lateness)
    log.counts["late predictions"], log.counts["late labels"] = late_predictions, late_labels
    both = [(each.time, 0, each) for each in asked] + [(each.time, 1, each) for each in answered]
    both.sort(key=lambda each: each[:2])
    known: dict[str, Row] = {}
    early: dict[str, Event] = {}
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
            log.rows.append(row)
            if label is not None:
                log.counts["labels before"] += 1
                row.label = row.corrected = label.value
                row.revealed = time
                del early[event.id]
        elif row is None:
            if label is not None:
                log.counts["repeated labels"] += 1
            else:
                early[event.id] = event
        elif row.revealed is not None:
            same = event.value == row.corrected
            log.counts["repeated labels" if same else "corrections"] += 1
            row.corrected = event.value
        elif time > row.arrives + timeout:
            log.counts["labels too late"] += 1
        else:
            row.label = row.corrected = event.value
            row.revealed = time
    return log
