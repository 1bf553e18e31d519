"""Plain CSV, parsed by a kernel straight into numbers and codes: several times as fast as a general
reader. Whatever is not plain (quotes, rows of other lengths) is left to the general reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.compiled import kernel
from streamgauge.types import Codes, Flags, Floats, Longs

_SKIP: Final = 0
_NUMBER: Final = 1
_TEXT: Final = 2

_DONE: Final = 0
_FULL: Final = 1  # a column has more different texts than there is room for
_RAGGED: Final = 2

_NEWLINE: Final = 10
_RETURN: Final = 13
_COMMA: Final = 44
_MINUS: Final = 45
_POINT: Final = 46
_ZERO: Final = 48
_MOST_DIGITS: Final = 15  # a whole number of these is a double, and so is 10 to the 22nd
_POWERS: Floats = np.power(10.0, np.arange(23))
_ODD_ROOM = 1 << 12
_SEED: Final = 2166136261 & 0x7FFFFFFF


class NotPlain(Exception):  # noqa: N818 - no error: it says that another reader is needed
    """The file is not plain CSV from this row on."""


class _Texts(NamedTuple):
    """The different texts of each text column: where their bytes lie, and a hash table of them."""

    slots: Codes  # [column, hash]: the number of the text there, -1 = free
    starts: Longs  # [column, text]
    lengths: Longs
    counts: Longs  # [column]
    memory: Flags
    used: Longs


def _new_texts(columns: int, most: int, memory: int) -> _Texts:
    return _Texts(
        np.full((columns, 4 * most), -1, np.int32),
        np.zeros((columns, most), np.int64),
        np.zeros((columns, most), np.int64),
        np.zeros(columns, np.int64),
        np.zeros(memory, np.uint8),
        np.zeros(1, np.int64),
    )


@kernel
def _mix(value: int, byte: int) -> int:
    return ((value ^ byte) * 16777619) & 0x7FFFFFFF


@kernel
def _parse(
    data: Flags,
    start: int,
    kinds: Flags,
    powers: Floats,
    texts: _Texts,
    numbers: Floats,
    codes: Codes,
    odd: Longs,
) -> tuple[int, int, int, int]:
    """Rows from `start` on, until the data or the room end; how many rows, where it stopped, how
    many odd cells there are, and why it stopped. An odd cell is a number that is not spelled as
    digits with perhaps a point: its row, place among the numbers, first and last byte.

    In one piece, and byte by byte: calls and second looks would take longer than the parsing.
    """
    slots, starts, lengths, counts, memory, used_ = texts
    used = used_[0]
    size, most = slots.shape[1], starts.shape[1]
    rows, oddities, i = 0, 0, start
    n, columns, rows_room = len(data), len(kinds), numbers.shape[1]
    last = columns - 1
    odd_room = len(odd) - columns
    why = _DONE
    while i < n and rows < rows_room and oddities <= odd_room:
        if data[i] == _NEWLINE or (data[i] == _RETURN and data[i + 1] == _NEWLINE):
            i += 1  # an empty line is no row
            continue
        row_start, odd_before = i, oddities
        number, text = 0, 0
        column = 0
        while column < columns:
            kind, begin = kinds[column], i
            hashed = _SEED
            if kind == _NUMBER and data[i + 1] == _COMMA and column < last:
                digit = data[i] - _ZERO  # most cells of wide tables
                if 0 <= digit <= 9:
                    numbers[number, rows] = digit
                    number += 1
                    i += 2
                    column += 1
                    continue
            if kind == _NUMBER:
                negative = data[i] == _MINUS
                if negative:
                    i += 1
                mantissa, first, point = 0, i, -1
                c = data[i]
                while True:
                    digit = c - _ZERO
                    if 0 <= digit <= 9:
                        mantissa = 10 * mantissa + digit
                    elif c == _POINT and point < 0:
                        point = i
                    else:
                        break
                    i += 1
                    c = data[i]
                digits = i - first - (1 if point >= 0 else 0)
                if c == _RETURN and data[i + 1] == _NEWLINE:
                    i += 1
                    c = data[i]
                plain = c in (_COMMA, _NEWLINE) and 0 < digits <= _MOST_DIGITS
                if plain:
                    value = float(mantissa)
                    if point >= 0:
                        value /= powers[digits - (point - first)]
                    numbers[number, rows] = -value if negative else value
                else:
                    while data[i] != _COMMA and data[i] != _NEWLINE:
                        i += 1
                    end = i - 1 if i > begin and data[i - 1] == _RETURN else i
                    numbers[number, rows] = np.nan
                    if end > begin:
                        odd[oddities, 0] = rows
                        odd[oddities, 1] = number
                        odd[oddities, 2] = begin
                        odd[oddities, 3] = end
                        oddities += 1
                number += 1
            else:
                c = data[i]
                while c not in (_COMMA, _NEWLINE):
                    hashed = _mix(hashed, int(c))
                    i += 1
                    c = data[i]
            if (data[i] == _NEWLINE) != (column == last):
                why = _RAGGED
                break
            if kind == _TEXT:
                end = i
                if data[i] == _NEWLINE and end > begin and data[end - 1] == _RETURN:
                    end -= 1
                    hashed = _SEED
                    for at in range(begin, end):
                        hashed = _mix(hashed, int(data[at]))
                length = end - begin
                place, found = hashed % size, -1
                while slots[text, place] >= 0:
                    candidate = slots[text, place]
                    if lengths[text, candidate] == length:
                        same, at = True, starts[text, candidate]
                        for k in range(length):
                            if memory[at + k] != data[begin + k]:
                                same = False
                                break
                        if same:
                            found = candidate
                            break
                    place += 1
                    if place == size:
                        place = 0
                if found < 0:
                    found = counts[text]
                    if found >= most or used + length > len(memory):
                        why = _FULL
                        break
                    starts[text, found] = used
                    lengths[text, found] = length
                    for k in range(length):
                        memory[used + k] = data[begin + k]
                    used += length
                    counts[text] += 1
                    slots[text, place] = found
                codes[text, rows] = found
                text += 1
            i += 1
            column += 1
        if why != _DONE:
            i, oddities = row_start, odd_before
            break
        rows += 1
    used_[0] = used
    return rows, i, oddities, why


class QuickReader:
    """One pass over a plain CSV file. `types` may change from piece to piece: text or numbers."""

    def __init__(
        self,
        path: Path,
        names: list[str],
        columns: list[str],
        types: dict[str, pa.DataType],
        missing: list[str],
        piece: int,
    ) -> None:
        self._path, self._names, self._columns = path, names, columns
        self._types, self._missing, self._piece = types, missing, piece

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Rows as numbers and dictionaries; NotPlain where they end being plain."""
        with pa.input_stream(str(self._path), compression="detect") as file:
            held = file.read(self._piece)
            _, newline, held = held.partition(b"\n")  # the header
            while newline:
                cut = held.rfind(b"\n") + 1
                if b'"' in held[:cut]:
                    raise NotPlain
                if cut:
                    yield from self._parsed(held[:cut])
                more = file.read(self._piece)
                held = held[cut:] + more
                if not more:
                    if held:
                        yield from self._parsed(held + b"\n")
                    return

    def _parsed(self, piece: bytes) -> Iterator[pa.RecordBatch]:
        if b'"' in piece:
            raise NotPlain
        data = np.frombuffer(piece + b"\n", np.uint8)  # one more, so that looking ahead is safe
        data = data[:-1]
        kinds = np.array([self._kind(name) for name in self._names], np.uint8)
        wanted = int((kinds == _NUMBER).sum()), int((kinds == _TEXT).sum())
        rows = piece.count(b"\n")
        numbers = np.empty((wanted[0], rows))
        codes = np.empty((wanted[1], rows), np.int32)
        texts = _new_texts(wanted[1], 256, 1 << 16)
        at = done = 0
        odd = np.empty((max(_ODD_ROOM, len(kinds)), 4), np.int64)
        while at < len(data):
            count, at, oddities, why = _parse(
                data, at, kinds, _POWERS, texts, numbers[:, done:], codes[:, done:], odd
            )
            self._settle(piece, odd[:oddities], numbers[:, done:])
            done += count
            if why == _RAGGED:
                raise NotPlain
            if why == _FULL:
                texts = _larger(texts)
        if done:
            yield self._batch(kinds, numbers[:, :done], codes[:, :done], texts)

    def _kind(self, name: str) -> int:
        if name not in self._columns:
            return _SKIP
        return _NUMBER if pa.types.is_float64(self._types[name]) else _TEXT

    def _settle(self, piece: bytes, odd: Longs, numbers: Floats) -> None:
        """Numbers that are not spelled plainly, as Arrow reads them."""
        if not len(odd):
            return
        try:
            cells = [piece[start:stop].decode() for start, stop in odd[:, 2:].tolist()]
            known = [None if cell in self._missing else cell.strip() for cell in cells]
            values = pc.cast(pa.array(known, pa.string()), pa.float64())
        except (pa.ArrowInvalid, UnicodeDecodeError):
            raise NotPlain from None
        numbers[odd[:, 1], odd[:, 0]] = values.to_numpy(zero_copy_only=False)

    def _batch(self, kinds: Flags, numbers: Floats, codes: Codes, texts: _Texts) -> pa.RecordBatch:
        arrays: dict[str, pa.Array] = {}
        number = text = 0
        for name, kind in zip(self._names, kinds.tolist(), strict=True):
            if kind == _NUMBER:
                arrays[name] = pa.array(numbers[number])
                number += 1
            elif kind == _TEXT:
                arrays[name] = self._dictionary(codes[text], texts, text)
                text += 1
        return pa.record_batch([arrays[c] for c in self._columns], names=self._columns)

    def _dictionary(self, codes: Codes, texts: _Texts, column: int) -> pa.Array:
        memory = texts.memory.tobytes()
        count = int(texts.counts[column])
        ends = zip(texts.starts[column, :count].tolist(), texts.lengths[column, :count].tolist(),
                   strict=True)  # fmt: skip
        try:
            words = [memory[start : start + length].decode() for start, length in ends]
        except UnicodeDecodeError:
            raise NotPlain from None
        missing = [number for number, word in enumerate(words) if word in self._missing]
        mask = np.isin(codes, missing) if missing else None
        cells = pa.array(codes, mask=mask)
        return pa.DictionaryArray.from_arrays(cells, pa.array(words, pa.string()))


def _larger(texts: _Texts) -> _Texts:
    """Twice the room, with the same texts under the same numbers."""
    columns, most = texts.starts.shape
    larger = _new_texts(columns, 2 * most, 2 * len(texts.memory))
    larger.starts[:, :most] = texts.starts
    larger.lengths[:, :most] = texts.lengths
    larger.counts[:] = texts.counts
    larger.memory[: len(texts.memory)] = texts.memory
    larger.used[:] = texts.used
    _place(larger)
    return larger


@kernel
def _place(texts: _Texts) -> None:
    """Find every text its slot."""
    slots, starts, lengths, counts, memory, _ = texts
    for column in range(len(counts)):
        for number in range(counts[column]):
            hashed = _SEED
            start = starts[column, number]
            for at in range(start, start + lengths[column, number]):
                hashed = _mix(hashed, int(memory[at]))
            place = hashed % slots.shape[1]
            while slots[column, place] >= 0:
                place = (place + 1) % slots.shape[1]
            slots[column, place] = number
