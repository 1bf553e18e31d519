"""Cut, join and check blocks of rows."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.jit import kernel
from streamgauge._support.types import Block, Floats, Longs, Schema, Updates


def recut(blocks: Iterable[Block], size: int) -> Generator[Block]:
    """Turn blocks of any length into blocks of `size` rows; only rows at the seams are copied."""
    parts: list[Block] = []
    count = 0
    try:
        for block in blocks:
            taken = 0
            while taken < len(block):
                part = block.cut(taken, min(len(block), taken + size - count))
                taken += len(part)
                count += len(part)
                parts.append(part)
                if count == size:
                    yield concatenate(parts)
                    parts, count = [], 0
    except InputError:  # the rows before the bad one are valid
        if parts:
            yield concatenate(parts)
        raise
    if parts:
        yield concatenate(parts)


def concatenate(parts: list[Block]) -> Block:
    """Join consecutive blocks into one."""
    if len(parts) == 1:
        return parts[0]

    def joined(field: str) -> Any:
        columns = [getattr(part, field) for part in parts]
        return None if columns[0] is None else np.concatenate(columns)

    updates = [part.updates for part in parts if part.updates is not None]
    return Block(
        parts[0].start,
        joined("X"),
        joined("y"),
        joined("arrives"),
        joined("revealed"),
        Updates(*map(np.concatenate, zip(*updates, strict=True))) if updates else None,
    )


def check_codes(block: Block, schema: Schema, name: str) -> None:
    """Raise an error for a class or a nominal value that the schema does not have, by its code.

    Compiled code uses codes as unchecked indices. `name` is the stream's name, for the message.
    """
    for column, kind in (("X", block.X), ("y", block.y)):
        if not isinstance(kind, np.ndarray):
            raise InputError(
                f"{name}: {column} of the block at row {block.start:,} is a "
                f"{type(kind).__name__}; expected a NumPy array"
            )
    if block.y.ndim != 1:
        raise InputError(
            f"{name}: y of the block at row {block.start:,} has the shape {block.y.shape}; "
            "expected one label per row"
        )
    shape = (len(block.y), len(schema.features))
    if block.X.shape != shape:
        raise InputError(
            f"{name}: a block at row {block.start:,} has features of shape {block.X.shape} for "
            f"{len(block.y):,} labels; expected {shape[0]:,} × {shape[1]:,}, as its schema says"
        )
    updates = block.updates
    if updates is not None and updates.X.shape != (len(updates.rows), shape[1]):
        raise InputError(
            f"{name}: a block at row {block.start:,} has new features of shape {updates.X.shape} "
            f"for {len(updates.rows):,} updates; expected {shape[1]:,} features each"
        )
    k = len(schema.classes)
    if k and len(block) and not (block.y.min() >= -1 and block.y.max() < k):  # also if y is NaN
        row = int((~((block.y >= -1) & (block.y < k))).argmax())
        raise InputError(
            f"{name}: row {block.start + row:,} has class code {block.y[row]:g}; expected 0 to "
            f"{k - 1}, or -1 if the label is never known",
            row=block.start + row,
        )
    if any(schema.values):
        sizes = np.array(schema.cardinality, np.int64)
        _check_nominal(block.X, sizes, schema, name, block.start + np.arange(len(block)))
        if updates is not None:
            _check_nominal(updates.X, sizes, schema, name, updates.rows)


def _check_nominal(X: Floats, sizes: Longs, schema: Schema, name: str, rows: Longs) -> None:
    cell = _first_wrong_code(np.ascontiguousarray(X, np.float64), sizes)
    if cell >= 0:
        i, j = divmod(cell, len(sizes))
        raise InputError(
            f"{name}: row {rows[i]:,}: nominal feature {schema.features[j]!r} is {X[i, j]:g}; "
            f"expected the code of a value, 0 to {sizes[j] - 1}, or NaN",
            row=int(rows[i]),
        )


@kernel
def _first_wrong_code(X: Floats, sizes: Longs) -> int:
    """The first cell that is neither missing nor the code of a nominal value; -1 without any."""
    d = X.shape[1]
    for i in range(len(X)):
        for j in range(d):
            value = X[i, j]
            wrong = not 0 <= value < sizes[j] or value != np.floor(value)
            if wrong and sizes[j] and not np.isnan(value):
                return int(i * d + j)
    return -1


def at_row(row: int) -> str:
    """Name a row in an error message, for sources without line numbers."""
    return f"row {row:,}"
