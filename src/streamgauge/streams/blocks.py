"""Cut, join and check blocks of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.types import Block, Schema, Updates


def recut(blocks: Iterable[Block], size: int) -> Iterator[Block]:
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


def check_class_codes(block: Block, schema: Schema, name: str) -> None:
    """Raise an error for a class code out of range: compiled code uses codes as unchecked indices.

    `name` is the stream's name, for the message.
    """
    k = len(schema.classes)
    if not k or not len(block) or (block.y.min() >= -1 and block.y.max() < k):
        return
    row = int(((block.y < -1) | (block.y >= k)).argmax())
    raise InputError(
        f"{name}: row {block.start + row:,} has class code {block.y[row]}; expected 0 to "
        f"{k - 1}, or -1 if the label is never known",
        row=block.start + row,
    )


def at_row(row: int) -> str:
    """Name a row in an error message, for sources without line numbers."""
    return f"row {row:,}"
