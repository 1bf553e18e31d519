"""Lines of JSON objects as columns: all at once where their types are known, else one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.json as pa_json

from streamgauge._support.types import Longs
from streamgauge.streams.formats.arrow_cells import EXACT
from streamgauge.streams.formats.file_format import FileFormat
from streamgauge.streams.formats.pieces import MOST_EXAMPLES, LineParser, Piece, to_arrow

_AT_ONCE = (pa.string(), pa.int64(), pa.float64())
_DEEPEST = 100  # more brackets are not open at once
_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
_NOT_JSON = (b"NaN", b"Inf")  # Arrow takes them for numbers


class JsonLines(LineParser):
    """Lines that are JSON objects; a key that is missing is an empty cell.

    Arrow parses several times faster than msgspec, but only columns of one type, which it has to
    know: a text that looks like a time would become one. So the first lines are decoded one by one;
    later ones only if they do not fit the types of those before.
    """

    def __init__(self, columns: Sequence[str], name: str) -> None:
        super().__init__(columns, name)
        fields = [
            (f"c{i}", Any, msgspec.field(default=None, name=column))
            for i, column in enumerate(columns)
        ]
        line = msgspec.defstruct("Line", fields)
        self._one = msgspec.json.Decoder(line)
        self._slots = [f"c{i}" for i in range(len(columns))]
        self._types: pa.Schema | None = None  # of the lines before, if Arrow can parse them

    def parse(self, text: bytes, first_line: int) -> Piece:
        count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        deep = _nested_too_deep(text, count)
        if self._types is not None and not len(deep):
            found = _parse_at_once(text, self._types, count)
            if found is not None:
                columns = {name: found[name].chunk(0) for name in self.columns}
                return Piece(columns, count, self.name, np.arange(first_line, first_line + count))
        return self._parse_each(text, first_line, count, deep)

    def _parse_each(self, text: bytes, first_line: int, count: int, deep: Longs) -> Piece:
        bad: list[str] = []
        places: list[int] | range = range(count)
        rows = self._decoded(text) if not len(deep) else []
        if len(rows) != count:
            skipped = set(deep.tolist())

            def read(place: int, line: bytes) -> Any:
                if place in skipped:
                    raise ValueError(f"nested more than {_DEEPEST} deep")
                return self._one.decode(line)

            rows, places, bad = self._each(text, first_line, read)
        columns = {
            column: to_arrow([getattr(row, slot) for row in rows])
            for column, slot in zip(self.columns, self._slots, strict=True)
        }
        types = pa.schema([(name, cells.type) for name, cells in columns.items()])
        self._types = types if all(each in _AT_ONCE for each in types.types) else None
        numbers = first_line + np.array(places, np.int64)
        return Piece(columns, count, self.name, numbers, len(bad), bad[:MOST_EXAMPLES])

    def _decoded(self, text: bytes) -> list[Any]:
        """All lines; none if one of them cannot be decoded."""
        try:
            return self._one.decode_lines(text)
        except ValueError:
            return []


def _nested_too_deep(text: bytes, lines: int) -> Longs:
    """The lines with too many brackets open at once; those in texts count, too.

    A parser goes as deep as they do, and each has a limit of its own.
    """
    if text.count(b"{") + text.count(b"[") - lines <= _DEEPEST:
        return np.empty(0, np.int64)
    data = np.frombuffer(text, np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(data[:-1] == ord("\n")) + 1])
    depth = np.cumsum(_STEPS[data], dtype=np.int64)
    deepest = np.maximum.reduceat(depth, starts) - np.minimum.reduceat(depth, starts)
    return np.flatnonzero(deepest >= _DEEPEST)


def _parse_at_once(text: bytes, types: pa.Schema, lines: int) -> pa.Table | None:
    """The columns of lines that are all readable and of these types; None otherwise."""
    if not _is_object_per_line(text, lines):
        return None
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


def _is_object_per_line(text: bytes, lines: int) -> bool:
    """Whether each line begins and ends as an object does: then Arrow joins no two of them."""
    data = np.frombuffer(text.rstrip(b"\r\n"), np.uint8)
    breaks = np.flatnonzero(data == ord("\n"))
    if len(breaks) != lines - 1 or not text.startswith(b"{") or data[-1] != ord("}"):
        return False
    before = data[breaks - 1]
    before = np.where(before == ord("\r"), data[breaks - 2], before)
    return bool((before == ord("}")).all() and (data[breaks + 1] == ord("{")).all())


def _exact(column: pa.Array) -> bool:
    numbers = column.to_numpy(zero_copy_only=False)
    return bool(np.nanmax(np.abs(numbers), initial=0.0) < EXACT)


jsonl = FileFormat("jsonl", (".jsonl", ".ndjson"), lines=JsonLines)
