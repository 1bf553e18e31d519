"""Streams from what is in memory: arrays, data frames, (dict, label) pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import (
    NEVER,
    Block,
    Label,
    Longs,
    Schema,
    Targets,
    Updates,
)
from streamgauge.streams.base import Stream, at_row
from streamgauge.streams.formats.encoder import Encoder
from streamgauge.streams.formats.schema_inference import (
    ColumnScan,
    Roles,
    Task,
    check_classes,
    check_declared,
    check_task,
    label_of_type,
    make_schema,
    new_scan,
)
from streamgauge.streams.label_codes import are_classes, as_labels, encode_labels, is_missing

_BATCH_ROWS = 1 << 16


class ArrayStream(Stream):
    """Rows that lie in memory."""

    rows: int

    def __init__(self, name: str, schema: Schema, everything: Block) -> None:
        self.name, self.schema, self._all = name, schema, everything
        self.rows = len(everything)
        if not self.rows:
            raise InputError(f"{name}: no rows; expected at least one")

    def take(self, n: int) -> Stream:
        """The first n rows, with all their updates."""
        taken, whole = super().take(n), self._all
        if whole.updates is None or n >= self.rows:
            return taken
        part = whole.cut(0, n)
        ours = whole.updates.rows < n
        rows, times, after, X = whole.updates
        kept = Updates(rows[ours], times[ours], np.minimum(after[ours], n - 1), X[ours])
        stream = ArrayStream(taken.name, self.schema, replace(part, updates=kept))
        stream.skipped = self.skipped
        return stream

    def blocks(self, size: int) -> Iterator[Block]:
        for start in range(0, self.rows, size):
            yield self._all.cut(start, min(self.rows, start + size))


def from_arrays(
    X: npt.ArrayLike,
    y: npt.ArrayLike | Sequence[object],
    *,
    features: Sequence[str] | None = None,
    classes: Sequence[Label] | None = None,
    arrives: npt.ArrayLike | None = None,
    revealed: npt.ArrayLike | None = None,
    task: Task | None = None,
    name: str = "arrays",
) -> Stream:
    """Numeric features (rows × features, NaN = missing) and labels as a stream.

    For nominal features use `from_frame`. Labels are classes if they are text, booleans or at most
    100 different whole numbers; `task` or `classes` overrules. NaN or None = label never known.
    """
    try:
        matrix = np.ascontiguousarray(X, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"X: {error}; expected numbers only: use from_frame for nominal features"
        ) from None
    target = as_labels(y, "y")
    check_task(task)
    if matrix.ndim != 2 or target.ndim != 1 or len(matrix) != len(target):
        raise InputError(
            f"X has shape {matrix.shape} and y {target.shape}; expected (rows, features) and "
            "(rows,) with as many rows"
        )
    names = tuple(features) if features else tuple(f"x{j}" for j in range(matrix.shape[1]))
    if len(names) != matrix.shape[1] or len(set(names)) != len(names):
        raise UsageError(f"features: expected {matrix.shape[1]} different names, got {names}")
    infinite = np.argwhere(np.isinf(matrix))
    if len(infinite):
        row, column = infinite[0]
        raise InputError(
            f"{at_row(row)}: feature {names[column]!r} is infinite; expected a finite number, "
            "or NaN for a missing one"
        )
    times = [times_of(arrives, "arrives", len(target)), times_of(revealed, "revealed", len(target))]
    if target.dtype.kind == "f" and len(target) and np.isnan(target).all():
        check_classes((), name, "y")
    if task == "regression" or (task is None and classes is None and not are_classes(target)):
        if target.dtype.kind not in "iufb":
            raise UsageError("y is text, so not for regression")
        if classes is not None:
            raise UsageError("classes=... and task='regression' contradict each other")
        found: tuple[Label, ...] = ()
        labels: Targets = target.astype(np.float64)
    else:
        declared = None if classes is None else check_declared(classes)
        labels, found = encode_labels(target, declared)
        if classes is None:
            check_classes(found, name, "y")
    timed = any(time is not None for time in times)
    schema = Schema(names, ((),) * len(names), found, timed)
    return ArrayStream(name, schema, Block(0, matrix, labels, times[0], times[1]))


def times_of(values: npt.ArrayLike | None, name: str, rows: int) -> Longs | None:
    """Whole numbers or datetime64 (as nanoseconds, NaT = NEVER)."""
    if values is None:
        return None
    times = np.asarray(values)
    if times.dtype.kind == "M":
        never = np.isnat(times)
        if never.any() and name == "arrives":
            raise InputError(
                f"{at_row(int(np.argmax(never)))}: no arrival time; every row arrives: fill it in "
                "or remove the row"
            )
        times = np.where(never, NEVER, times.astype("datetime64[ns]").astype(np.int64))
    if times.dtype.kind not in "iu" or times.shape != (rows,):
        raise InputError(
            f"{name}: expected {rows:,} whole numbers or datetime64 times, got {times.dtype} of "
            f"shape {times.shape}"
        )
    return times.astype(np.int64)


def from_frame(
    frame: Any,
    target: str,
    *,
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    classes: Sequence[Label] | None = None,
    arrives: str | None = None,
    revealed: str | None = None,
    task: Task | None = None,
    name: str = "frame",
) -> Stream:
    """A pandas, polars or any Arrow-speaking frame as a stream.

    Text, boolean and categorical columns are nominal, and those in `nominal`; see `read` for the
    other arguments.
    """
    roles = Roles(target, features, drop, nominal, classes, arrives, revealed, task)
    names = [str(column) for column in _columns_of(frame)]
    chosen = roles.feature_names(names, name)
    used = {*chosen, *(column for column in (target, arrives, revealed) if column)}
    places = [j for j, column in enumerate(names) if column in used]
    table = _to_arrow(frame, names, places).combine_chunks()
    if not len(table):
        raise InputError(f"{name}: no rows; expected at least one")
    scans = {column: _scan(table, column, roles) for column in (*chosen, target)}
    schema = make_schema(roles, chosen, scans, name, label_of_type(table.column(target).type))
    encoder = Encoder(roles, schema, at_row)
    columns = {column: _chunk(table, column) for column in table.column_names}
    return ArrayStream(name, schema, encoder.block(columns, 0))


def arrow_columns(frame: Any) -> dict[str, pa.Array]:
    """A frame's columns, by name."""
    names = [str(column) for column in _columns_of(frame)]
    table = _to_arrow(frame, names, range(len(names))).combine_chunks()
    columns = {column: _chunk(table, column) for column in table.column_names}
    return {  # polars' own kind of text cannot be picked from
        name: pc.cast(cells, pa.string()) if pa.types.is_string_view(cells.type) else cells
        for name, cells in columns.items()
    }


def _columns_of(frame: Any) -> Sequence[Any]:
    if hasattr(frame, "column_names"):
        return list(frame.column_names)
    if not hasattr(frame, "__arrow_c_stream__") or not hasattr(frame, "columns"):
        raise InputError(
            f"{type(frame).__name__} is no data frame; expected pandas, polars or Arrow: use "
            "from_arrays for numpy arrays and from_rows for (dict, label) pairs"
        )
    return list(frame.columns)


def _to_arrow(frame: Any, names: Sequence[str], places: Sequence[int]) -> pa.Table:
    """The columns at these places."""
    named = [names[j] for j in places]
    if not hasattr(frame, "iloc"):
        return pa.table(frame).select(places).rename_columns(named)
    chosen = frame.iloc[:, places]  # pandas: without its index
    try:
        return pa.Table.from_pandas(chosen, preserve_index=False).rename_columns(named)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # a column of mixed types: which?
        cells = (chosen.iloc[:, j].tolist() for j in range(len(named)))
        return pa.table(list(map(_typed, named, cells)), named)


def _chunk(table: pa.Table, column: str) -> pa.Array:
    chunks = table.column(column)
    return chunks.chunk(0) if chunks.num_chunks else pa.array([], chunks.type)


def _scan(table: pa.Table, column: str, roles: Roles) -> ColumnScan:
    cells = _chunk(table, column)
    scan = new_scan(column, cells.type, roles, at_row)
    for start in range(0, len(cells), _BATCH_ROWS):
        scan.feed(cells[start : start + _BATCH_ROWS], start)
    return scan


def from_rows(
    rows: Iterable[tuple[Mapping[str, Any], Any]],
    *,
    classes: Sequence[Label] | None = None,
    nominal: Sequence[str] = (),
    task: Task | None = None,
    name: str = "rows",
) -> Stream:
    """(dict, label) pairs, River's shape, as a stream; a key that a row lacks is missing there."""
    cells: dict[str, list[Any]] = {}
    labels: list[Any] = []
    for row, pair in enumerate(rows):
        try:
            x, label = pair
            items = x.items()
        except (TypeError, ValueError, AttributeError):
            raise InputError(f"{at_row(row)}: {pair!r}; expected a (dict, label) pair") from None
        for key, value in items:
            column = cells.setdefault(str(key), [None] * row)
            column.append(value)
        labels.append(label)
        for column in cells.values():
            if len(column) <= row:
                column.append(None)
    target = "label"
    while target in cells:
        target += "_"
    cells[target] = labels
    columns = {key: _typed(key, column) for key, column in cells.items()}
    return from_frame(
        pa.table(columns), target, classes=classes, nominal=nominal, task=task, name=name
    )


def _typed(name: str, cells: list[Any]) -> pa.Array:
    known = [None if is_missing(cell) else cell for cell in cells]
    try:
        return pa.array(known)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        places = [i for i, cell in enumerate(known) if cell is not None]
    if all(isinstance(known[i], Real) for i in places):  # of many kinds and sizes
        return pa.array([None if cell is None else float(cell) for cell in known], pa.float64())
    first = known[places[0]]
    text = isinstance(first, str)
    others = [i for i in places if isinstance(known[i], str) != text]
    odd = (others or [i for i in places if type(known[i]) is not type(first)] or places)[0]
    raise InputError(
        f"{at_row(odd)}: {name!r} is {known[odd]!r} after values such as {first!r}; expected "
        "one type per feature: numbers or text"
    )
