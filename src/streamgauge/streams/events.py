"""Event logs as streams: a line when an instance arrives, when its features change, when its label
comes, all with the instance's id.

The kind of a line follows from its place unless a column says it: an id's first line is the
instance, a later one with a label the label, a later one without an update.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.jit import kernel
from streamgauge._support.types import NEVER, Block, Flags, Floats, Label, Longs, Mask, Updates
from streamgauge.streams.blocks import at_row
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.arff import ArffTable
from streamgauge.streams.formats.arrow_cells import as_text, to_times
from streamgauge.streams.formats.encoder import Encoder
from streamgauge.streams.formats.open import open_table
from streamgauge.streams.formats.schema_inference import (
    Roles,
    Task,
    label_of_text,
    label_of_type,
    make_schema,
    new_scan,
)
from streamgauge.streams.frames import ArrayStream, arrow_columns

OnConflict = Literal["error", "skip"]

_INSTANCE: Final = 0
_LABEL: Final = 1
_UPDATE: Final = 2
_KINDS = ("instance", "label", "update")
_FOUND_OUT: Final = 255

_UNKNOWN: Final = 10  # conflicts, as codes beside the kinds
_TWICE: Final = 11
_AGAIN: Final = 12
_LATE: Final = 13
_BACKWARDS: Final = 14
_CONFLICTS = {
    _UNKNOWN: "unknown id",
    _TWICE: "label twice",
    _AGAIN: "instance twice",
    _LATE: "update after its label",
    _BACKWARDS: "time running backwards",
}


def read_events(
    path: str | Path,
    target: str | None = None,
    *,
    id: str | None = None,
    time: str | None = None,
    kind: str | None = None,
    on_conflict: OnConflict = "error",
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    name: str | None = None,
) -> ArrayStream:
    """A file of events (.csv, .csv.gz, .parquet, .arff) as a stream whose labels come late.

    Columns: the instance's `id`, the event's `time`, the `target` (empty until the label comes), an
    optional `kind` (instance, label or update), and features. An empty cell in an update leaves the
    feature as it was; the features of a label's line are not looked at. In an ARFF file the last
    three columns are target, id and time unless named, as in grzenda2019's program.

    `on_conflict="skip"` leaves lines out that contradict earlier ones and counts them by reason:
    `stream.skipped`, `run.counts.skipped`. The log is held in memory.
    """
    table = open_table(path)
    arff = isinstance(table, ArffTable) and len(table.names) > 3
    last = table.names[-3:] if arff else ["", "", ""]
    roles = _EventRoles(
        *_columns(target or last[0], id or last[1], time or last[2]), kind, on_conflict
    )
    more = Roles(roles.target, features, drop, nominal, classes, None, None, task)
    check_columns([c for c in (roles.id, roles.time, roles.kind) if c], table.names, str(path))
    chosen = more.feature_names([n for n in table.names if n not in roles.taken], str(path))
    columns = table.load_columns([*roles.used, *chosen])
    named = name or Path(path).name.removesuffix(".gz").rpartition(".")[0]
    source = _Source(
        columns, table.typed, table.declared_values, table.declared_types, table.where, named
    )
    return _stream(source, roles, more, chosen)


def from_events(
    frame: Any,
    target: str,
    *,
    id: str,
    time: str,
    kind: str | None = None,
    on_conflict: OnConflict = "error",
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    name: str = "events",
) -> ArrayStream:
    """A pandas, polars or Arrow frame of events as a stream; see `read_events`."""
    roles = _EventRoles(target, id, time, kind, on_conflict)
    more = Roles(target, features, drop, nominal, classes, None, None, task)
    columns = arrow_columns(frame)
    check_columns([c for c in (id, time, kind) if c], list(columns), name)
    chosen = more.feature_names([n for n in columns if n not in roles.taken], name)
    return _stream(_Source(columns, True, {}, {}, at_row, name), roles, more, chosen)


def _columns(target: str, id: str, time: str) -> tuple[str, str, str]:
    for option, given in (("target", target), ("id", id), ("time", time)):
        if not given:
            raise UsageError(f"name the {option} column of the events: {option}=...")
    return target, id, time


@dataclass(frozen=True)
class _EventRoles:
    target: str
    id: str
    time: str
    kind: str | None
    on_conflict: OnConflict

    def __post_init__(self) -> None:
        if self.on_conflict not in ("error", "skip"):
            raise UsageError(f"on_conflict={self.on_conflict!r}: it is 'error' or 'skip'")

    @property
    def used(self) -> list[str]:
        return [c for c in (self.target, self.id, self.time, self.kind) if c]

    @property
    def taken(self) -> set[str]:
        """Columns that are no features; the target is told apart elsewhere."""
        return {c for c in (self.id, self.time, self.kind) if c}


@dataclass(frozen=True)
class _Source:
    columns: Mapping[str, pa.Array]
    typed: bool
    declared_values: Mapping[str, tuple[str, ...]]
    declared_types: Mapping[str, str]  # columns that the file declares numeric or text
    where: Callable[[int], str]
    name: str


def _stream(
    source: _Source, roles: _EventRoles, more: Roles, features: tuple[str, ...]
) -> ArrayStream:
    columns, where = source.columns, source.where
    times = _times(columns[roles.time], roles.time, where)
    ids, names = _ids(columns[roles.id], roles.id, where)
    labelled = np.asarray(pc.is_valid(as_text(columns[roles.target])).to_numpy(False))
    kinds = _kinds(columns, roles, where, len(ids))
    _check_labels(kinds, labelled, roles, where)
    found, row_of = np.empty(len(ids), np.uint8), np.empty(len(ids), np.int64)
    instances = _classify(ids, times, labelled, kinds, found, row_of, len(names))
    skipped = _conflicts(found, ids, names, times, roles, where)
    if not instances:
        raise InputError(f"{source.name}: no instance arrives; expected at least one")

    arrivals = np.flatnonzero(found == _INSTANCE)
    changes = np.flatnonzero(found == _UPDATE)
    labels = np.flatnonzero(found == _LABEL)
    told = np.sort(np.r_[arrivals, changes])  # no other line's features are looked at
    encoder = _encoder(source, more, features, told, labels)
    X = np.empty((len(ids), len(features)))
    X[told] = encoder.features({f: columns[f].take(pa.array(told)) for f in features}, len(told))
    given = encoder.target(columns[roles.target].take(pa.array(labels)), labels)
    y = np.full(instances, np.nan if encoder.schema.regression else -1, given.dtype)
    y[row_of[labels]] = given
    revealed = np.full(instances, NEVER, np.int64)
    revealed[row_of[labels]] = times[labels]
    updates = Updates(
        row_of[changes],
        times[changes],
        np.searchsorted(arrivals, changes) - 1,
        _filled(X[changes], row_of[changes], X[arrivals]),
    )
    everything = Block(0, X[arrivals], y, times[arrivals], revealed, updates)
    stream = ArrayStream(source.name, encoder.schema, everything)
    stream.skipped = skipped
    return stream


def _times(column: pa.Array, name: str, where: Callable[[int], str]) -> Longs:
    times = to_times(column, name, where, 0)
    if (times == NEVER).any():
        row = int(np.argmax(times == NEVER))
        raise InputError(f"{where(row)}: no time in column {name!r}; every event has one")
    return times


def _ids(column: pa.Array, name: str, where: Callable[[int], str]) -> tuple[Longs, list[str]]:
    text = as_text(column)
    if text.null_count:
        row = int(np.argmax(np.asarray(pc.is_null(text).to_numpy(False))))
        raise InputError(f"{where(row)}: no id in column {name!r}; every event has one")
    encoded = pc.dictionary_encode(text)
    return np.asarray(encoded.indices.to_numpy(), np.int64), encoded.dictionary.to_pylist()


def _kinds(
    columns: Mapping[str, pa.Array], roles: _EventRoles, where: Callable[[int], str], n: int
) -> Flags:
    if roles.kind is None:
        return np.full(n, _FOUND_OUT, np.uint8)
    words = as_text(columns[roles.kind])
    codes = pc.index_in(pc.utf8_lower(words), value_set=pa.array(_KINDS))
    if codes.null_count:
        row = int(np.argmax(np.asarray(pc.is_null(codes).to_numpy(False))))
        raise InputError(
            f"{where(row)}: column {roles.kind!r} is {str(words[row])!r}; expected instance, label "
            "or update"
        )
    return np.asarray(codes.to_numpy(), np.uint8)


def _check_labels(
    kinds: Flags, labelled: Mask, roles: _EventRoles, where: Callable[[int], str]
) -> None:
    """Where the lines say what they are, a label's line has one."""
    empty = np.flatnonzero((kinds == _LABEL) & ~labelled)
    if len(empty):
        raise InputError(
            f"{where(int(empty[0]))}: a label's line, but column {roles.target!r} is empty; "
            "expected the label"
        )


@kernel
def _classify(
    ids: Longs,
    times: Longs,
    labelled: Flags,
    kinds: Flags,
    found: Flags,
    row_of: Longs,
    names: int,
) -> int:
    """Of each event its kind or its conflict, and its instance's row; how many instances."""
    row = np.full(names, -1, np.int64)  # of each id
    done = np.zeros(names, np.uint8)
    instances = 0
    clock = -NEVER
    for e in range(len(ids)):
        who = ids[e]
        kind = int(kinds[e])
        if kind == _FOUND_OUT:
            kind = _LABEL if labelled[e] else (_INSTANCE if row[who] < 0 else _UPDATE)
        if times[e] < clock:
            kind = _BACKWARDS
        elif kind == _INSTANCE:
            if row[who] >= 0:
                kind = _AGAIN
            else:
                row[who] = instances
                instances += 1
        elif row[who] < 0:
            kind = _UNKNOWN
        elif done[who]:
            kind = _TWICE if kind == _LABEL else _LATE
        elif kind == _LABEL:
            done[who] = 1
        if kind < _UNKNOWN:
            clock = times[e]
        found[e] = kind
        row_of[e] = row[who]
    return instances


def _conflicts(
    found: Flags,
    ids: Longs,
    names: list[str],
    times: Longs,
    roles: _EventRoles,
    where: Callable[[int], str],
) -> dict[str, int]:
    """How many lines are left out, by reason; or an error at the first."""
    wrong = np.flatnonzero(found >= _UNKNOWN)
    if len(wrong) and roles.on_conflict == "error":
        e = int(wrong[0])
        who = repr(names[ids[e]])
        later = bool(((ids[e + 1 :] == ids[e]) & (found[e + 1 :] == _INSTANCE)).any())
        arrived = "arrives only later" if later else "never arrived"
        what = {
            _UNKNOWN: f"id {who} {arrived}; expected its instance before its label or an update",
            _TWICE: f"a second label of id {who}; expected one",
            _AGAIN: f"id {who} arrives a second time; expected ids that are used once",
            _LATE: f"an update of id {who} after its label; expected updates before it",
            _BACKWARDS: f"id {who} at time {times[e]}, earlier than the line before; expected "
            "times that never run backwards: sort the events by time",
        }[int(found[e])]
        raise InputError(
            f"{where(e)}: {what}; repair it, or on_conflict='skip' leaves such lines out and "
            "counts them",
            row=e,
        )
    return {
        reason: int((found == code).sum())
        for code, reason in _CONFLICTS.items()
        if (found == code).any()
    }


def _encoder(
    source: _Source, more: Roles, features: tuple[str, ...], lines: Longs, labels: Longs
) -> Encoder:
    """What the columns are, by the lines that count."""
    scans = {}
    for column in (*features, more.target):
        cells = source.columns[column]
        counted = labels if column == more.target else lines
        kind = cells.type if source.typed else None
        where = _at(source.where, counted)
        scans[column] = new_scan(
            column, kind, more, source.name, where, source.declared_values, source.declared_types
        )
        scans[column].feed(cells.take(pa.array(counted)), 0)
    target = source.columns[more.target].type
    label_of = label_of_type(target) if source.typed else label_of_text(scans[more.target])
    schema = make_schema(more, features, scans, source.name, label_of)
    timed = type(schema)(schema.features, schema.values, schema.classes, True)
    return Encoder(more, timed, source.name, source.where)


def _at(where: Callable[[int], str], lines: Longs) -> Callable[[int], str]:
    """Rows of a selection as they stand in the file."""
    return lambda row: where(int(lines[row]))


def _filled(changed: Floats, rows: Longs, first: Floats) -> Floats:
    """An empty cell in an update leaves the feature as it was."""
    out = changed.copy()
    newest: dict[int, Floats] = {}
    for i, row in enumerate(rows.tolist()):
        before = newest.get(row, first[row])
        out[i] = np.where(np.isnan(out[i]), before, out[i])
        newest[row] = out[i]
    return out
