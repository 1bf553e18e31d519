"""Parses one part of a plain CSV file after another; texts are remembered from part to part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.types import Codes, Flags, Floats, Longs
from streamgauge.streams.formats.csv import kernels as kernel
from streamgauge.streams.formats.csv.chunk import Piece

_NEWLINE = 10
_ODD_ROOM = 1 << 12
_MOST_TEXTS = 1 << 14  # of a column are remembered from piece to piece
_QUIET = {"over": "ignore"}  # without the compiler numpy would warn of words that wrap


class NotPlain(Exception):  # noqa: N818 - no error: it says that another reader is needed
    """The file is not plain CSV from this row on."""


def _lone_return(held: bytearray, begin: int, stop: int) -> bool:
    """It ends a row too. To find none is faster than to count."""
    returns = held.find(b"\r", begin, stop) >= 0
    return returns and held.count(b"\r", begin, stop) > held.count(b"\r\n", begin, stop)


class Parser:
    """Of the file's columns `names` those that have a type: text or numbers, which may change from
    part to part. `features` are the matrix, then come other numbers. `complete`: columns
    without missing numbers in the first part of the file; its parsers share the set."""

    def __init__(
        self,
        names: Sequence[str],
        features: Sequence[str],
        types: dict[str, pa.DataType],
        missing: Sequence[str],
        complete: set[str],
    ) -> None:
        self._names, self._features, self._types = names, features, types
        self._missing, self._complete = set(missing), complete
        self._ends: Codes = np.empty(0, np.int32)
        self._kinds: Flags = np.empty(0, np.uint8)
        self._places: dict[str, int] = {}
        self._into: Longs = np.empty(0, np.int64)  # each column's place in the matrix
        self._text_names: list[str] = []
        self._texts = kernel.new_texts(0)

    def parse(self, held: bytearray, begin: int, stop: int, end: int, first: bool) -> Piece | None:
        """The whole lines between two bytes of `held`; None if all are empty. In the first part of
        a file all is new."""
        if held.find(b'"', begin, stop) >= 0 or _lone_return(held, begin, stop):
            raise NotPlain
        self._choose()
        data = np.frombuffer(held, np.uint8)
        if len(self._ends) < stop + 2:
            self._ends = np.empty(stop + 2, np.int32)
        cells, lines = kernel.cell_ends(data, begin, stop, self._ends)
        columns = len(self._names)
        row_ends = self._ends[columns:cells:columns]
        if cells != 1 + lines * columns or (data[row_ends] != _NEWLINE).any():
            return self._parse_filled(held, begin, stop, end, first)
        numbers = np.empty((lines, len(self._places)))
        codes = np.empty((len(self._text_names), lines), np.int32)
        self._fill(held, lines, numbers, codes)
        return self._finished(numbers, codes, end, first)

    def _parse_filled(
        self, held: bytearray, begin: int, stop: int, end: int, first: bool
    ) -> Piece | None:
        """Without its empty lines, which are no rows."""
        part = held[begin:stop]
        lines = part.splitlines(keepends=True)
        filled = bytearray().join(line for line in lines if line.strip(b"\r\n"))
        if len(filled) == len(part):
            raise NotPlain
        if not filled:
            return None
        return self.parse(filled + bytes(kernel.PADDING), 0, len(filled), end, first)

    def _fill(self, held: bytearray, rows: int, numbers: Floats, codes: Codes) -> None:
        data, words = np.frombuffer(held, np.uint8), kernel.words_of(held)
        odd = np.empty((max(_ODD_ROOM, len(self._names)), 4), np.int64)
        row = 0
        with np.errstate(**_QUIET):  # type: ignore[arg-type]
            while row < rows:
                row, oddities, why = kernel.parse(
                    data, words, self._ends, row, rows, self._kinds, self._into, self._texts,
                    numbers, codes, odd
                )  # fmt: skip
                self._settle(held, odd[:oddities], numbers)
                if why == kernel.FULL:
                    self._texts = kernel.larger(self._texts)

    def _choose(self) -> None:
        """What the columns are read as; remembered texts are kept while that and they stay."""
        kinds = np.array([self._kind(name) for name in self._names], np.uint8)
        same = np.array_equal(kinds, self._kinds)
        if same and self._texts.counts.max(initial=0) < _MOST_TEXTS:
            return
        kind_of = dict(zip(self._names, kinds.tolist(), strict=True))
        numbers = [name for name in self._types if kind_of[name] == kernel.NUMBER]
        inside = dict.fromkeys([*self._features, *numbers])
        self._places = {name: place for place, name in enumerate(inside)}
        self._into = np.array([self._places.get(name, -1) for name in self._names])
        self._kinds = kinds
        self._text_names = [name for name in self._names if kind_of[name] == kernel.TEXT]
        self._texts = kernel.new_texts(len(self._text_names))
        self._words: list[list[str]] = [[] for _ in self._text_names]
        self._arrays: dict[str, tuple[int, pa.Array, list[int]]] = {}

    def _kind(self, name: str) -> int:
        if name not in self._types:
            return kernel.SKIP
        return kernel.NUMBER if pa.types.is_float64(self._types[name]) else kernel.TEXT

    def _settle(self, piece: bytearray, odd: Longs, numbers: Floats) -> None:
        """Numbers that are not spelled plainly, as Arrow reads them."""
        if not len(odd):
            return
        try:
            cells = [piece[start:stop].decode() for start, stop in odd[:, 2:].tolist()]
            known = [None if cell in self._missing else cell.strip() for cell in cells]
            values = pc.cast(pa.array(known, pa.string()), pa.float64())
        except (pa.ArrowInvalid, UnicodeDecodeError):
            raise NotPlain from None
        numbers[odd[:, 0], odd[:, 1]] = values.to_numpy(zero_copy_only=False)

    def _finished(self, numbers: Floats, codes: Codes, end: int, first: bool) -> Piece:
        with np.errstate(invalid="ignore", over="ignore"):
            finite = bool(np.isfinite(numbers.sum()))  # all at once is faster than each column
            columns = self._places if finite else self._finite_columns(numbers)
        news = set(self._places).difference(self._text_names)
        if first:
            self._complete.update(columns)
        else:
            news.difference_update(self._complete.intersection(columns))
        news.update(name for place, name in enumerate(self._text_names) if self._read(place, name))
        return Piece(numbers, codes, self._places, dict(self._arrays), frozenset(news), end)

    def _finite_columns(self, numbers: Floats) -> list[str]:
        finite = np.isfinite(numbers.sum(axis=0))
        return [name for name, place in self._places.items() if finite[place]]

    def _read(self, place: int, name: str) -> bool:
        """Decode a column's new texts; were there any?"""
        words, texts = self._words[place], self._texts
        old, count = len(words), int(texts.counts[place])
        if old == count:
            return False
        try:
            for start, length in zip(
                texts.starts[place, old:count].tolist(),
                texts.lengths[place, old:count].tolist(),
                strict=True,
            ):
                words.append(texts.memory[start : start + length].tobytes().decode())
        except UnicodeDecodeError:
            raise NotPlain from None
        missing = [number for number, word in enumerate(words) if word in self._missing]
        shown = [None if word in self._missing else word for word in words]
        self._arrays[name] = (place, pa.array(shown, pa.string()), missing)
        return True
