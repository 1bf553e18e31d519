"""Lines of JSON objects as columns: all at once where their types are known, else one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.json as pa_json

from streamgauge.monitoring.sources.base import MOST_EXAMPLES, Piece
from streamgauge.streams.formats.arrow_cells import EXACT

_AT_ONCE = (pa.string(), pa.int64(), pa.float64())
_NOT_JSON = (b"NaN", b"Inf")  # Arrow takes them for numbers


class JsonLines:
    """Lines that are JSON objects; a key that is missing is an empty cell.

    Arrow parses several times faster than msgspec, but only columns of one type, which it has to
    know: a text that looks like a time would become one. So the first lines are decoded one by one;
    later ones only if they do not fit the types of those before.
    """

    def __init__(self, columns: Sequence[str], name: str) -> None:
        self._columns, self._name = list(columns), name
        fields = [
            (f"c{i}", Any, msgspec.field(default=None, name=column))
            for i, column in enumerate(columns)
        ]
        line = msgspec.defstruct("Line", fields)
        self._one = msgspec.json.Decoder(line)
        self._slots = [f"c{i}" for i in range(len(columns))]
        self._types: pa.Schema | None = None  # of the lines before, if Arrow can parse them

    def parse(self, text: bytes, first_line: int) -> Piece:
        """Parse whole lines; `first_line` is the number of the first one, for messages."""
        count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        found = None if self._types is None else _parse_at_once(text, self._types, count)
        if found is not None:
            return Piece({name: found[name].chunk(0) for name in self._columns}, count)
        return self._parse_each(text, first_line, count)

    def _parse_each(self, text: bytes, first_line: int, count: int) -> Piece:
        bad: list[str] = []
        try:
            rows = self._one.decode_lines(text)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            rows = []
            for place, line in enumerate(text.removesuffix(b"\n").split(b"\n")):
                if not line.strip():
                    continue
                try:
                    rows.append(self._one.decode(line))
                except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                    bad.append(f"{self._name}, line {first_line + place}: {error}")
        columns = {
            column: _to_arrow([getattr(row, slot) for row in rows])
            for column, slot in zip(self._columns, self._slots, strict=True)
        }
        types = pa.schema([(name, cells.type) for name, cells in columns.items()])
        self._types = types if all(each in _AT_ONCE for each in types.types) else None
        return Piece(columns, count, len(bad), bad[:MOST_EXAMPLES])


def _parse_at_once(text: bytes, types: pa.Schema, lines: int) -> pa.Table | None:
    """The columns of lines that are all readable and of these types; None otherwise."""
    try:
        text.decode()
        table = pa_json.read_json(
            pa.BufferReader(text),
            pa_json.ReadOptions(use_threads=False, block_size=len(text) + 1),
            pa_json.ParseOptions(explicit_schema=types, unexpected_field_behavior="ignore"),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if table.num_rows != lines or any(word[:1] in text and word in text for word in _NOT_JSON):
        return None
    floats = (table[each.name] for each in types if each.type == pa.float64())
    # Integers that float64 cannot hold stay integers if they are decoded one by one.
    return table if all(_exact(column.chunk(0)) for column in floats) else None


def _exact(column: pa.Array) -> bool:
    numbers = column.to_numpy(zero_copy_only=False)
    return bool(np.nanmax(np.abs(numbers), initial=0.0) < EXACT)


def _to_arrow(cells: list[Any]) -> pa.Array:
    """Cells of one column; those of several types, lists and objects as text."""
    try:
        column = pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        column = None
    if column is not None and not pa.types.is_nested(column.type):
        return column
    texts = [
        cell if cell is None or isinstance(cell, str) else msgspec.json.encode(cell).decode()
        for cell in cells
    ]
    return pa.array(texts, pa.string())
