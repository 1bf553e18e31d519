"""Reads plain CSV faster than a general reader: two threads parse, each the part after the other's.
Whatever is not plain (quotes, rows of other lengths) is left to the general reader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa

from streamgauge.streams.formats.csv.chunk import Piece
from streamgauge.streams.formats.csv.kernels import PADDING
from streamgauge.streams.formats.csv.parser import Parser

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # may stand before all else, and is no text
_NEWLINE = 10
_THREADS = 2
_AT_ONCE = _THREADS + 1  # parts: one waits, so that no thread does
_Part = tuple[bytearray, int, int, int]  # bytes, where whole lines begin and stop, and in the file


class QuickReader:
    """One pass over a plain CSV file. `types` may change while it is read: text or numbers."""

    def __init__(
        self,
        path: Path,
        names: Sequence[str],
        features: Sequence[str],
        types: dict[str, pa.DataType],
        missing: Sequence[str],
        piece: int,
    ) -> None:
        self._path, self._piece = path, piece
        complete: set[str] = set()
        self._parsers = [Parser(names, features, types, missing, complete) for _ in range(_AT_ONCE)]

    def pieces(self, start: int = 0) -> Iterator[Piece]:
        """Rows from this byte on (0: behind the header); NotPlain where they end being plain."""
        with ThreadPoolExecutor(_THREADS) as threads:  # which start when they are needed
            waiting: deque[Future[Piece | None]] = deque()
            for number, part in enumerate(self._parts(start)):
                done = waiting.popleft().result() if len(waiting) == _AT_ONCE else None
                parser = self._parsers[number % _AT_ONCE]  # the one that is done
                waiting.append(threads.submit(parser.parse, *part, number == 0))
                if done is not None:
                    yield done
            while waiting:
                done = waiting.popleft().result()
                if done is not None:
                    yield done

    def _parts(self, start: int) -> Iterator[_Part]:
        """The file cut at ends of lines. A part's bytes stay as they are until `_AT_ONCE` others
        have been asked for."""
        with pa.input_stream(str(self._path), compression="detect") as file:
            at = start
            if start:
                _skip(file, start, self._piece)
            buffers = deque(bytearray(self._piece + PADDING) for _ in range(_AT_ONCE + 1))
            filled = 0
            while True:
                held = buffers[0]
                if filled + PADDING == len(held):  # a row longer than that
                    held = buffers[0] = held[:filled] + bytes(len(held) + PADDING)
                read = file.readinto(memoryview(held)[filled:-PADDING])
                filled += read
                if not read and filled and held[filled - 1] != _NEWLINE:
                    held[filled] = _NEWLINE
                    filled += 1
                stop = held.rfind(b"\n", 0, filled) + 1
                begin = 0
                while begin < stop and not at:  # the header: the first line that is not empty
                    line_end = held.index(b"\n", begin) + 1
                    start += line_end - begin
                    filled_in = held[begin:line_end].removeprefix(_BYTE_ORDER_MARK).strip()
                    at = start if filled_in else 0
                    begin = line_end
                rest = held[stop:filled]
                if begin < stop:
                    at += stop - begin
                    yield held, begin, stop, at
                    buffers.rotate(-1)  # it is being parsed: read on elsewhere
                if not read:
                    return
                filled = len(rest)
                if len(buffers[0]) <= filled + PADDING:
                    buffers[0] = bytearray(2 * filled + PADDING)
                buffers[0][:filled] = rest


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
