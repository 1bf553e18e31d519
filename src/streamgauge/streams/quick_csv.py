"""Plain CSV as matrices of numbers and codes of texts, faster than a general reader. Whatever is
not plain (quotes, rows of other lengths) is left to the general reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.streams import csv_kernel as kernel
from streamgauge.types import Codes, Flags, Floats, Longs

_ODD_ROOM = 1 << 12
_NEWLINE = 10
_MOST_TEXTS = 1 << 14  # of a column are remembered from piece to piece
_QUIET = {"over": "ignore"}  # without the compiler numpy would warn of words that wrap


class NotPlain(Exception):  # noqa: N818 - no error: it says that another reader is needed
    """The file is not plain CSV from this row on."""


class Piece:
    """Some rows, to be asked like Arrow's batches, which are slower to make.

    `news`: columns that may hold what no earlier piece did: other texts, or numbers not finite.
    `end`: the byte of the file, unpacked, where the piece ends.
    """

    def __init__(
        self,
        numbers: Floats,
        codes: Codes,
        places: dict[str, int],  # of columns of numbers, in the matrix
        texts: dict[str, tuple[int, pa.Array, list[int]]],  # place, words, those that mean missing
        news: frozenset[str],
        end: int,
    ) -> None:
        self._numbers, self._codes, self._places, self._texts = numbers, codes, places, texts
        self.news, self.end = news, end

    @property
    def num_rows(self) -> int:
        """How many, by Arrow's word."""
        return len(self._numbers)

    @property
    def columns(self) -> set[str]:
        """Their names."""
        return {*self._places, *self._texts}

    @property
    def nbytes(self) -> int:
        """Of the cells."""
        return self._numbers.nbytes + self._codes.nbytes

    def __getitem__(self, name: str) -> pa.Array:
        if name in self._places:
            return pa.array(self._numbers[:, self._places[name]])
        place, words, missing = self._texts[name]
        codes = self._codes[place]
        cells = pa.array(codes, mask=np.isin(codes, missing) if missing else None)
        return pa.DictionaryArray.from_arrays(cells, words)

    def coded(self, name: str) -> tuple[Codes, pa.Array] | None:
        """A column of texts as places among the different ones, where missing is null."""
        if name not in self._texts:
            return None
        place, words, _ = self._texts[name]
        return self._codes[place], words

    def matrix(self, features: Sequence[str]) -> tuple[Floats, list[int]]:
        """Rows × features, where those that are numbers here are filled in, and which are not."""
        if tuple(features) == tuple(self._places):
            return self._numbers, []
        X = np.empty((self.num_rows, len(features)))
        known = [(j, self._places[f]) for j, f in enumerate(features) if f in self._places]
        for _, run in groupby(known, lambda pair: pair[1] - pair[0]):  # neighbours at once
            ours, theirs = zip(*run, strict=True)
            X[:, ours[0] : ours[-1] + 1] = self._numbers[:, theirs[0] : theirs[-1] + 1]
        return X, [j for j, f in enumerate(features) if f not in self._places]

    def slice(self, start: int, length: int) -> Piece:
        """Some of the rows."""
        rows = slice(start, start + length)
        numbers, codes = self._numbers[rows], self._codes[:, rows]
        return Piece(numbers, codes, self._places, self._texts, self.news, self.end)


def _lone_return(held: bytearray, begin: int, stop: int) -> bool:
    """It ends a row too. To find none is faster than to count."""
    returns = held.find(b"\r", begin, stop) >= 0
    return returns and held.count(b"\r", begin, stop) > held.count(b"\r\n", begin, stop)


def _skip(file: pa.NativeFile, count: int, piece: int) -> None:
    """Go behind the first bytes; a packed file cannot be entered in the middle."""
    if file.seekable():
        file.seek(count)
        return
    while count:
        passed = len(file.read(min(count, piece)))
        if not passed:
            return
        count -= passed


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
        self._path, self._names, self._columns = path, names, set(columns)
        self._types, self._missing, self._piece = types, set(missing), piece
        self._ends: Codes = np.empty(0, np.int32)
        self._given: Flags = np.empty(0, np.uint8)  # kinds of columns, and with runs
        self._kinds: Flags = np.empty(0, np.uint8)
        self._places: dict[str, int] = {}
        self._text_names: list[str] = []
        self._texts = kernel.new_texts(0)

    def pieces(self, start: int = 0) -> Iterator[Piece]:
        """Rows from this byte on (0: behind the header); NotPlain where they end being plain."""
        with pa.input_stream(str(self._path), compression="detect") as file:
            at = start
            if start:
                _skip(file, start, self._piece)
            held, filled = bytearray(self._piece + kernel.PADDING), 0
            while True:
                if filled + kernel.PADDING == len(held):  # a row longer than that
                    held = held[:filled] + bytes(len(held) + kernel.PADDING)
                read = file.readinto(memoryview(held)[filled : -kernel.PADDING])
                filled += read
                if not read and filled and held[filled - 1] != _NEWLINE:
                    held[filled] = _NEWLINE
                    filled += 1
                stop = held.rfind(b"\n", 0, filled) + 1
                begin = 0
                while begin < stop and not at:  # the header: the first line that is not empty
                    line_end = held.index(b"\n", begin) + 1
                    start += line_end - begin
                    at = start if held[begin:line_end].strip() else 0
                    begin = line_end
                if begin < stop:
                    at += stop - begin
                    yield from self._parsed(held, begin, stop, at)
                if not read:
                    return
                held[: filled - stop] = held[stop:filled]
                filled -= stop

    def _parsed(self, held: bytearray, begin: int, stop: int, end: int) -> Iterator[Piece]:
        if held.find(b'"', begin, stop) >= 0:
            raise NotPlain
        if _lone_return(held, begin, stop):
            raise NotPlain
        self._choose()
        data, words = np.frombuffer(held, np.uint8), kernel.words_of(held)
        if len(self._ends) < stop + 2:
            self._ends = np.empty(stop + 2, np.int32)
        room = stop // len(self._names) + 1  # a cell is followed by a byte at least
        numbers = np.empty((room, len(self._places)))
        codes = np.empty((len(self._text_names), room), np.int32)
        odd = np.empty((max(_ODD_ROOM, len(self._names)), 4), np.int64)
        done, cell = 0, 1
        with np.errstate(**_QUIET):  # type: ignore[arg-type]
            cells = kernel.cell_ends(data, begin, stop, self._ends)
            while cell < cells:
                count, cell, oddities, why = kernel.parse(
                    data, words, self._ends, cell, cells, self._kinds, self._texts,
                    numbers[done:], codes[:, done:], odd
                )  # fmt: skip
                self._settle(held, odd[:oddities], numbers[done:])
                done += count
                if why == kernel.RAGGED:
                    raise NotPlain
                if why == kernel.FULL:
                    self._texts = kernel.larger(self._texts)
        if done:
            yield self._finished(numbers[:done], codes[:, :done], end)

    def _choose(self) -> None:
        """What the columns are read as; remembered texts are kept while that and they stay."""
        kinds = np.array([self._kind(name) for name in self._names], np.uint8)
        same = np.array_equal(kinds, self._given)
        if same and self._texts.counts.max(initial=0) < _MOST_TEXTS:
            return
        self._given, self._kinds = kinds, kernel.with_runs(kinds)
        self._text_names = [n for n, k in zip(self._names, kinds, strict=True) if k == kernel.TEXT]
        numbers = [n for n, k in zip(self._names, kinds, strict=True) if k == kernel.NUMBER]
        self._places = {name: place for place, name in enumerate(numbers)}
        self._texts = kernel.new_texts(len(self._text_names))
        self._words: list[list[str]] = [[] for _ in self._text_names]
        self._arrays: dict[str, tuple[int, pa.Array, list[int]]] = {}
        self._finite = np.zeros(len(numbers), bool)

    def _kind(self, name: str) -> int:
        if name not in self._columns:
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

    def _finished(self, numbers: Floats, codes: Codes, end: int) -> Piece:
        with np.errstate(invalid="ignore", over="ignore"):
            finite = np.isfinite(numbers.sum())  # all at once is faster than each column
            if not finite:
                finite = np.isfinite(numbers.sum(axis=0))
        known = finite & self._finite
        self._finite |= finite
        news = {name for name, place in self._places.items() if not known[place]}
        news.update(name for place, name in enumerate(self._text_names) if self._read(place, name))
        return Piece(numbers, codes, self._places, dict(self._arrays), frozenset(news), end)

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
