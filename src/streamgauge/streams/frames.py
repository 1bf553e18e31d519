"""Streams from memory: arrays, data frames, (dict, label) pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import (
    Block,
    Floats,
    Label,
    Schema,
    Targets,
    Updates,
)
from streamgauge._support.valid_text import valid_text
from streamgauge.streams.arrays import feature_matrix
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import at_row
from streamgauge.streams.columns import is_frame, target_among
from streamgauge.streams.formats._column_scan import ColumnScan, inexact_integer
from streamgauge.streams.formats._encoder import Encoder
from streamgauge.streams.formats.arrow_cells import first_inexact, to_floats
from streamgauge.streams.formats.schema_inference import (
    Roles,
    Task,
    check_classes,
    check_declared,
    check_task,
    label_of_type,
    make_schema,
    new_scan,
)
from streamgauge.streams.frame_columns import chunk_of, columns_of, to_array, to_arrow
from streamgauge.streams.label_codes import are_classes, as_labels, as_targets, encode_labels
from streamgauge.streams.times import first_clock, times_of

_BATCH_ROWS = 1 << 16


class ArrayStream(Stream):
    """A stream whose rows are in memory."""

    rows: int

    def __init__(self, name: str, schema: Schema, data: Block) -> None:
        self.name, self.schema, self._data = name, schema, data
        self.rows = len(data)
        if not self.rows:
            raise InputError(f"{name}: no rows; expected at least one")

    def take(self, n: int) -> Stream:
        """Return the first n rows as a stream, with all their updates."""
        taken, whole = super().take(n), self._data
        if whole.updates is None or n >= self.rows:
            return taken
        part = whole.cut(0, n)
        kept = whole.updates.rows < n
        rows, times, after, X = whole.updates
        updates = Updates(rows[kept], times[kept], np.minimum(after[kept], n - 1), X[kept])
        stream = ArrayStream(taken.name, self.schema, replace(part, updates=updates))
        stream.skipped, stream._origin = self.skipped, taken.origin
        return stream

    def blocks(self, size: int) -> Iterator[Block]:
        for start in range(0, self.rows, size):
            yield self._data.cut(start, min(self.rows, start + size))


@valid_text()
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
    """Make a stream from arrays of numeric features and labels.

    Parameters
    ----------
    X
        Rows × features; NaN or masked is missing. For nominal features use `from_frame`.
    y
        Labels; NaN, None, masked or an empty text is a label that is never known. They are classes
        if they are text, booleans or at most 100 different integers, otherwise a regression target.
        `task` and `classes` override this.
    features
        Feature names; x0, x1, … by default.
    classes
        All classes, in order, including those that may not occur.
    arrives, revealed
        Times when a row arrives and when its label is revealed: integers, datetimes, or ISO 8601
        texts. Those with a time zone are converted to UTC. A missing reveal time is never.
    task
        "classification" or "regression".
    name
        The stream's name.

    Returns
    -------
    Stream
        The rows of the arrays, in order.

    Raises
    ------
    InputError
        If the arrays differ in length or have invalid values.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[1.5, 0.0], [2.5, 1.0], [3.5, 0.0]], ["a", "b", "a"])
    >>> stream.schema.features, stream.schema.classes
    (('x0', 'x1'), ('a', 'b'))
    >>> next(stream.blocks(3)).y.tolist()
    [0, 1, 0]
    """
    matrix = _matrix(X)
    target = as_labels(y, "y")
    check_task(task)
    if matrix.ndim != 2 or target.ndim != 1 or len(matrix) != len(target):
        raise InputError(
            f"X has shape {matrix.shape} and y {target.shape}; expected (rows, features) and "
            "(rows,) with the same number of rows"
        )
    names = tuple(features) if features else tuple(f"x{j}" for j in range(matrix.shape[1]))
    if len(names) != matrix.shape[1] or len(set(names)) != len(names):
        raise UsageError(f"features: got {names}; expected {matrix.shape[1]} different names")
    infinite = np.argwhere(np.isinf(matrix))
    if len(infinite):
        row, column = infinite[0]
        raise InputError(
            f"{at_row(row)}: feature {names[column]!r} is infinite; expected a finite number, "
            "or NaN if the value is missing"
        )
    arrived, known_at, clock = times_of(arrives, revealed, len(target), name)
    if target.dtype.kind == "f" and len(target) and np.isnan(target).all():
        check_classes((), name, "y")
    if task == "regression" or (task is None and classes is None and not are_classes(target)):
        if classes is not None:
            raise UsageError(
                "classes=... and task='regression' contradict each other; pass only one of them"
            )
        found: tuple[Label, ...] = ()
        labels: Targets = as_targets(target, "y")
    else:
        declared = None if classes is None else check_declared(classes)
        labels, found = encode_labels(target, declared)
        if classes is None:
            check_classes(found, name, "y")
    timed = arrives is not None or revealed is not None
    schema = Schema(names, ((),) * len(names), found, timed, clock)
    return ArrayStream(name, schema, Block(0, matrix, labels, arrived, known_at))


@valid_text()
def from_frame(
    frame: Any,
    target: str | None = None,
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
    """Make a stream from a pandas, polars or Arrow data frame.

    Text, boolean and categorical columns are nominal, and so are those in `nominal`.

    Parameters
    ----------
    frame
        The data frame.
    target, features, drop, nominal, classes, arrives, revealed, task
        As in `read`.
    name
        The stream's name.

    Returns
    -------
    Stream
        The rows of the frame, in order.

    Raises
    ------
    UsageError
        If a column does not exist or an option does not fit it.
    InputError
        If a value is invalid.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import streamgauge as sg
    >>> frame = pa.table({"age": [31, 28, 45], "job": ["cook", "smith", "cook"], "paid": [1, 0, 1]})
    >>> stream = sg.from_frame(frame, target="paid")
    >>> stream.schema.values, stream.schema.classes
    (((), ('cook', 'smith')), (0, 1))
    >>> next(stream.blocks(3)).X.tolist()
    [[31.0, 0.0], [28.0, 1.0], [45.0, 0.0]]
    """
    names = [str(column) for column in columns_of(frame)]
    target = target_among(names, name) if target is None else target
    roles = Roles(target, features, drop, nominal, classes, arrives, revealed, task)
    chosen = roles.feature_names(names, name)
    used = {*chosen, *(column for column in (target, arrives, revealed) if column)}
    indices = [j for j, column in enumerate(names) if column in used]
    table = to_arrow(frame, names, indices).combine_chunks()
    if not len(table):
        raise InputError(f"{name}: no rows; expected at least one")
    scans = {column: _scan(table, column, roles, name) for column in (*chosen, target)}
    clock = "integers" if arrives is None else first_clock(chunk_of(table, arrives))
    label_of = label_of_type(table.column(target).type)
    schema = make_schema(roles, chosen, scans, name, label_of, clock)
    encoder = Encoder(roles, schema, name, at_row)
    columns = {column: chunk_of(table, column) for column in table.column_names}
    return ArrayStream(name, schema, encoder.block(columns, 0))


def _matrix(X: Any) -> Floats:
    """Convert numeric features; those of a frame column by column, because each has its type."""
    expected = "numeric features: use from_frame for nominal ones"
    if not is_frame(X):
        return feature_matrix(X, "X", expected)
    names = [str(column) for column in columns_of(X)]
    table = to_arrow(X, names, range(len(names)))
    matrix = np.empty((table.num_rows, len(names)))
    for j, name in enumerate(names):
        column = table.column(j).combine_chunks()
        try:
            matrix[:, j] = to_floats(column)
        except pa.ArrowException as error:
            raise InputError(f"X: column {name!r}: {error}; expected {expected}") from None
        row = first_inexact(column, matrix[:, j])
        if row is not None:
            raise inexact_integer(at_row(row), name, column[row])
    return matrix


def _scan(table: pa.Table, column: str, roles: Roles, source: str) -> ColumnScan:
    cells = chunk_of(table, column)
    scan = new_scan(column, cells.type, roles, source, at_row)
    for start in range(0, len(cells), _BATCH_ROWS):
        scan.feed(cells[start : start + _BATCH_ROWS], start)
    return scan


@valid_text()
def from_rows(
    rows: Iterable[tuple[Mapping[str, Any], Any]],
    *,
    classes: Sequence[Label] | None = None,
    nominal: Sequence[str] = (),
    drop: Sequence[str] = (),
    task: Task | None = None,
    name: str = "rows",
) -> Stream:
    """Make a stream from (dict, label) pairs, as River yields them.

    A row may lack keys: those features are missing.

    Parameters
    ----------
    rows
        The pairs: features by name, and the label.
    classes, nominal, drop, task, name
        As in `read`.

    Returns
    -------
    Stream
        The rows in order, held in memory.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_rows([({"age": 31}, "yes"), ({"age": 28, "job": "cook"}, "no")])
    >>> stream.schema.features, stream.schema.classes
    (('age', 'job'), ('no', 'yes'))
    >>> next(stream.blocks(2)).X.tolist()
    [[31.0, nan], [28.0, 0.0]]
    """
    cells: dict[str, list[Any]] = {}
    labels: list[Any] = []
    for row, pair in enumerate(rows):
        try:
            x, label = pair
            items = x.items()
        except (TypeError, ValueError, AttributeError):
            raise InputError(
                f"{at_row(row)}: got {pair!r}; expected a (dict, label) pair"
            ) from None
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
    columns = {key: to_array(key, column) for key, column in cells.items()}
    return from_frame(
        pa.table(columns), target, classes=classes, nominal=nominal, drop=drop, task=task, name=name
    )
