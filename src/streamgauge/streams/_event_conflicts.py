"""The kind of every event in a log, and the events that conflict with earlier ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from streamgauge._support.clock import time_text
from streamgauge._support.errors import InputError
from streamgauge._support.jit import kernel
from streamgauge._support.types import NEVER, Clock, Flags, Longs

KINDS = ("instance", "label", "update")
INSTANCE: Final = 0
LABEL: Final = 1
UPDATE: Final = 2
INFERRED: Final = 255  # no kind column: the kind follows from the event's place in the log

_UNKNOWN_ID: Final = 10  # conflicts have codes above those of the kinds
_DUPLICATE_LABEL: Final = 11
_DUPLICATE_INSTANCE: Final = 12
_UPDATE_AFTER_LABEL: Final = 13
_BACKWARDS: Final = 14
_REASONS = {
    _UNKNOWN_ID: "unknown id",
    _DUPLICATE_LABEL: "duplicate label",
    _DUPLICATE_INSTANCE: "duplicate instance",
    _UPDATE_AFTER_LABEL: "update after label",
    _BACKWARDS: "time goes backwards",
}


@kernel
def classify(
    ids: Longs,
    times: Longs,
    labelled: Flags,
    kinds: Flags,
    found: Flags,
    row_of: Longs,
    n_ids: int,
) -> int:
    """Find each event's kind or conflict and its instance's row; return the instance count."""
    row = np.full(n_ids, -1, np.int64)  # by id
    done = np.zeros(n_ids, np.uint8)
    instances = 0
    clock = -NEVER
    for e in range(len(ids)):
        who = ids[e]
        kind = int(kinds[e])
        if kind == INFERRED:
            kind = LABEL if labelled[e] else (INSTANCE if row[who] < 0 else UPDATE)
        if times[e] < clock:
            kind = _BACKWARDS
        elif kind == INSTANCE:
            if row[who] >= 0:
                kind = _DUPLICATE_INSTANCE
            else:
                row[who] = instances
                instances += 1
        elif row[who] < 0:
            kind = _UNKNOWN_ID
        elif done[who]:
            kind = _DUPLICATE_LABEL if kind == LABEL else _UPDATE_AFTER_LABEL
        elif kind == LABEL:
            done[who] = 1
        if kind < _UNKNOWN_ID:
            clock = times[e]
        found[e] = kind
        row_of[e] = row[who]
    return instances


def count_conflicts(found: Flags) -> dict[str, int]:
    """Number of conflicting events by reason."""
    return {
        reason: int((found == code).sum())
        for code, reason in _REASONS.items()
        if (found == code).any()
    }


def raise_first_conflict(
    found: Flags,
    ids: Longs,
    names: list[str],
    timed: tuple[Longs, Clock],
    where: Callable[[int], str],
) -> None:
    """Raise an InputError that describes the first conflicting event, if any."""
    times, clock = timed
    conflicts = np.flatnonzero(found >= _UNKNOWN_ID)
    if not len(conflicts):
        return
    e = int(conflicts[0])
    who = repr(names[ids[e]])
    later = bool(((ids[e + 1 :] == ids[e]) & (found[e + 1 :] == INSTANCE)).any())
    arrival = "arrives only later" if later else "never arrives"
    problem = {
        _UNKNOWN_ID: f"id {who} {arrival}; expected its instance before its label or update",
        _DUPLICATE_LABEL: f"second label for id {who}; expected one label per id",
        _DUPLICATE_INSTANCE: f"id {who} arrives a second time; expected unique ids",
        _UPDATE_AFTER_LABEL: f"update of id {who} after its label; expected updates before it",
        _BACKWARDS: f"id {who} has time {time_text(times[e], clock)}, earlier than the line "
        "before; expected non-decreasing times: sort the events by time",
    }[int(found[e])]
    raise InputError(
        f"{where(e)}: {problem}; correct the line, or use on_conflict='skip' to leave out and "
        "count such lines",
        row=e,
    )
