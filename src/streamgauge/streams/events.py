"""Event logs as streams: one line when an instance arrives, is updated, or is labelled.

Every line carries the instance's id. Without a kind column, the kind follows from the line's place
in the log: the first line of an id is the instance, a later one is its label if the target is
given, else an update.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.clock import clock_of
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import (
    NEVER,
    Block,
    Clock,
    Flags,
    Floats,
    Label,
    Longs,
    Mask,
    Updates,
)
from streamgauge.rendering.plain_values import plain
from streamgauge.streams._event_conflicts import (
    INFERRED,
    INSTANCE,
    KINDS,
    LABEL,
    UPDATE,
    classify,
    count_conflicts,
    raise_first_conflict,
)
from streamgauge.streams.blocks import at_row
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats._encoder import Encoder
from streamgauge.streams.formats.arff import ArffTable
from streamgauge.streams.formats.arrow_cells import as_text, to_times
from streamgauge.streams.formats.open_table import open_table
from streamgauge.streams.formats.schema_inference import (
    Roles,
    Task,
    label_of_text,
    label_of_type,
    make_schema,
    new_scan,
)
from streamgauge.streams.frame_columns import arrow_columns
from streamgauge.streams.frames import ArrayStream
from streamgauge.streams.origin import Origin

OnConflict = Literal["error", "skip"]


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
    r"""Read an event log (.csv, .csv.gz, .parquet, .arff) as a stream with late labels.

    The log is held in memory.

    Parameters
    ----------
    path
        The log, one event per line, in order of time.
    target
        Column of the label; empty until the label is revealed.
    id
        Column of the instance's id.
    time
        Column of the event's time: integers, or ISO times.
    kind
        Column with the kind of the event: instance, label or update. By default the first line of
        an id is the instance, a later one is its label if the target is given, else an update.
    on_conflict
        What to do with a line that conflicts with earlier ones: ``"error"`` raises an InputError,
        ``"skip"`` leaves the line out and counts it by reason in ``stream.skipped`` and
        ``run.counts.skipped``.
    features, drop, nominal, classes, task, name
        As in `read`. An empty cell in an update leaves the feature unchanged. The features of a
        label line are ignored.

    Returns
    -------
    ArrayStream
        One row per instance, with its reveal time; `skipped` counts the lines left out.

    Raises
    ------
    InputError
        If a line conflicts with earlier ones and `on_conflict` is "error".

    Notes
    -----
    In an ARFF file, `target`, `id` and `time` default to the last three columns, as in the program
    of grzenda2019.

    References
    ----------
    grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> lines = ["id,minute,taxi,late", "1,0,3,", "2,5,4,", "1,30,12,", "2,95,,no", "1,120,,yes"]
    >>> _ = Path("flights.csv").write_text("\n".join(lines))
    >>> stream = sg.read_events("flights.csv", "late", id="id", time="minute")
    >>> block = next(stream.blocks(2))
    >>> block.arrives.tolist(), block.revealed.tolist(), block.y.tolist()
    ([0, 5], [120, 95], [1, 0])
    >>> block.updates.X.tolist()  # flight 1 taxies for 12 minutes, not 3
    [[12.0]]
    """
    table = open_table(path)
    arff = isinstance(table, ArffTable) and len(table.names) > 3
    last = table.names[-3:] if arff else ["", "", ""]
    columns = _EventColumns(
        *_required(target or last[0], id or last[1], time or last[2]), kind, on_conflict
    )
    roles = Roles(columns.target, features, drop, nominal, classes, None, None, task)
    check_columns(
        [c for c in (columns.id, columns.time, columns.kind) if c], table.names, str(path)
    )
    chosen = roles.feature_names(
        [n for n in table.names if n not in columns.not_features], str(path)
    )
    cells = table.load_columns([*columns.used, *chosen])
    stream_name = name or Path(path).name.removesuffix(".gz").rpartition(".")[0]
    source = _EventSource(
        cells, table.typed, table.declared_values, table.declared_types, table.where, stream_name
    )
    stream = _stream(source, columns, roles, chosen)
    events = {"id": columns.id, "time": columns.time, "kind": kind}
    given = {"path": str(path), **roles.given} | {key: each for key, each in events.items() if each}
    given |= {} if on_conflict == "error" else {"on_conflict": on_conflict}
    stream._origin = Origin("read_events", plain(given))
    return stream


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
    """Make a stream with late labels from an event log in a pandas, polars or Arrow frame.

    Parameters
    ----------
    frame
        The log, one event per line, in order of time.
    target, id, time, kind, on_conflict
        As in `read_events`.
    features, drop, nominal, classes, task
        As in `read`.
    name
        The stream's name.

    Returns
    -------
    ArrayStream
        One row per instance, with its reveal time; `skipped` counts the lines left out.

    Raises
    ------
    InputError
        If a line conflicts with earlier ones and `on_conflict` is "error".

    References
    ----------
    grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> import pyarrow as pa
    >>> import streamgauge as sg
    >>> log = pa.table(
    ...     {
    ...         "flight": [1, 2, 2, 1],
    ...         "minute": [0, 5, 95, 120],
    ...         "taxi": [3.0, 4.0, None, None],
    ...         "late": [None, None, "no", "yes"],
    ...     }
    ... )
    >>> stream = sg.from_events(log, "late", id="flight", time="minute")
    >>> block = next(stream.blocks(2))
    >>> block.arrives.tolist(), block.revealed.tolist(), block.y.tolist()
    ([0, 5], [120, 95], [1, 0])
    """
    columns = _EventColumns(target, id, time, kind, on_conflict)
    roles = Roles(target, features, drop, nominal, classes, None, None, task)
    cells = arrow_columns(frame)
    check_columns([c for c in (id, time, kind) if c], list(cells), name)
    chosen = roles.feature_names([n for n in cells if n not in columns.not_features], name)
    return _stream(_EventSource(cells, True, {}, {}, at_row, name), columns, roles, chosen)


def _required(target: str, id: str, time: str) -> tuple[str, str, str]:
    for option, given in (("target", target), ("id", id), ("time", time)):
        if not given:
            raise UsageError(f"missing the {option} column of the event log; pass {option}=...")
    return target, id, time


@dataclass(frozen=True)
class _EventColumns:
    target: str
    id: str
    time: str
    kind: str | None
    on_conflict: OnConflict

    def __post_init__(self) -> None:
        if self.on_conflict not in ("error", "skip"):
            raise UsageError(f"on_conflict={self.on_conflict!r}: expected 'error' or 'skip'")

    @property
    def used(self) -> list[str]:
        return [c for c in (self.target, self.id, self.time, self.kind) if c]

    @property
    def not_features(self) -> set[str]:
        """Columns that are not features; `Roles` excludes the target."""
        return {c for c in (self.id, self.time, self.kind) if c}


@dataclass(frozen=True)
class _EventSource:
    cells: Mapping[str, pa.Array]  # by column
    typed: bool
    declared_values: Mapping[str, tuple[str, ...]]
    declared_types: Mapping[str, str]  # columns that the file declares numeric
    where: Callable[[int], str]
    name: str


def _stream(
    source: _EventSource, columns: _EventColumns, roles: Roles, features: tuple[str, ...]
) -> ArrayStream:
    cells, where = source.cells, source.where
    times, clock = _times(cells[columns.time], columns.time, where)
    ids, names = _ids(cells[columns.id], columns.id, where)
    keep = roles.class_texts if roles.classes is not None else ()
    if "" in keep:
        raise UsageError(
            f"classes={roles.classes}: '' cannot be a class of an event log, because the label is "
            "empty until it is revealed; rename the class"
        )
    labelled = np.asarray(pc.is_valid(as_text(cells[columns.target], keep)).to_numpy(False))
    kinds = _kinds(cells, columns.kind, where, len(ids))
    _check_labels(kinds, labelled, columns.target, where)
    found, row_of = np.empty(len(ids), np.uint8), np.empty(len(ids), np.int64)
    instances = classify(ids, times, labelled, kinds, found, row_of, len(names))
    if columns.on_conflict == "error":
        raise_first_conflict(found, ids, names, (times, clock), where)
    if not instances:
        raise InputError(f"{source.name}: no instance arrives; expected at least one")

    arrivals = np.flatnonzero(found == INSTANCE)
    changes = np.flatnonzero(found == UPDATE)
    labels = np.flatnonzero(found == LABEL)
    featured = np.sort(np.r_[arrivals, changes])  # the features of other lines are ignored
    encoder = _encoder(source, roles, features, featured, labels, clock)
    X = np.empty((len(ids), len(features)))
    X[featured] = encoder.features(
        {f: cells[f].take(pa.array(featured)) for f in features}, len(featured)
    )
    targets = encoder.target(cells[columns.target].take(pa.array(labels)), labels)
    y = np.full(instances, np.nan if encoder.schema.regression else -1, targets.dtype)
    y[row_of[labels]] = targets
    revealed = np.full(instances, NEVER, np.int64)
    revealed[row_of[labels]] = times[labels]
    updates = Updates(
        row_of[changes],
        times[changes],
        np.searchsorted(arrivals, changes) - 1,
        _fill_missing(X[changes], row_of[changes], X[arrivals]),
    )
    block = Block(0, X[arrivals], y, times[arrivals], revealed, updates)
    stream = ArrayStream(source.name, encoder.schema, block)
    stream.skipped, stream.last_event = count_conflicts(found), int(times.max())
    return stream


def _times(column: pa.Array, name: str, where: Callable[[int], str]) -> tuple[Longs, Clock]:
    kinds: dict[str, pa.DataType] = {}
    times = to_times(column, name, where, 0, kinds)
    if (times == NEVER).any():
        row = int(np.argmax(times == NEVER))
        raise InputError(f"{where(row)}: empty time in column {name!r}; every event needs one")
    return times, clock_of(kinds.get(name))


def _ids(column: pa.Array, name: str, where: Callable[[int], str]) -> tuple[Longs, list[str]]:
    text = as_text(column)
    if text.null_count:
        row = int(np.argmax(np.asarray(pc.is_null(text).to_numpy(False))))
        raise InputError(f"{where(row)}: empty id in column {name!r}; every event needs one")
    encoded = pc.dictionary_encode(text)
    return np.asarray(encoded.indices.to_numpy(), np.int64), encoded.dictionary.to_pylist()


def _kinds(
    cells: Mapping[str, pa.Array], column: str | None, where: Callable[[int], str], n: int
) -> Flags:
    if column is None:
        return np.full(n, INFERRED, np.uint8)
    words = as_text(cells[column])
    codes = pc.index_in(pc.utf8_lower(words), value_set=pa.array(KINDS))
    if codes.null_count:
        row = int(np.argmax(np.asarray(pc.is_null(codes).to_numpy(False))))
        raise InputError(
            f"{where(row)}: column {column!r} is {str(words[row])!r}; expected instance, label "
            "or update"
        )
    return np.asarray(codes.to_numpy(), np.uint8)


def _check_labels(kinds: Flags, labelled: Mask, column: str, where: Callable[[int], str]) -> None:
    """Check that every line of kind label has one."""
    empty = np.flatnonzero((kinds == LABEL) & ~labelled)
    if len(empty):
        raise InputError(
            f"{where(int(empty[0]))}: label line with an empty column {column!r}; expected the "
            "label"
        )


def _encoder(
    source: _EventSource,
    roles: Roles,
    features: tuple[str, ...],
    featured: Longs,
    labels: Longs,
    clock: Clock,
) -> Encoder:
    """Infer the schema from the lines whose features or label are used."""
    scans = {}
    for column in (*features, roles.target):
        cells = source.cells[column]
        used = labels if column == roles.target else featured
        kind = cells.type if source.typed else None
        where = _where_selected(source.where, used)
        scans[column] = new_scan(
            column, kind, roles, source.name, where, source.declared_values, source.declared_types
        )
        scans[column].feed(cells.take(pa.array(used)), 0)
    scans[roles.target].note_ambiguous(source.cells[roles.target])
    target = source.cells[roles.target].type
    label_of = label_of_type(target) if source.typed else label_of_text(scans[roles.target])
    schema = make_schema(roles, features, scans, source.name, label_of, clock)
    return Encoder(roles, replace(schema, time=True), source.name, source.where)


def _where_selected(where: Callable[[int], str], lines: Longs) -> Callable[[int], str]:
    """The place in the file of a row of a selection."""
    return lambda row: where(int(lines[row]))


def _fill_missing(changed: Floats, rows: Longs, first: Floats) -> Floats:
    """Fill the empty cells of updates with the instance's latest values."""
    out = changed.copy()
    latest: dict[int, Floats] = {}
    for i, row in enumerate(rows.tolist()):
        previous = latest.get(row, first[row])
        out[i] = np.where(np.isnan(out[i]), previous, out[i])
        latest[row] = out[i]
    return out
