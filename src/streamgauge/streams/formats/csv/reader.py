"""Reads simple CSV files faster than Arrow: two threads parse alternating parts of the file.

It does not support quotes or rows of different lengths; Arrow reads such files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa

from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.kernels import PADDING
from streamgauge.streams.formats.csv.parser import Parser, UnsupportedCsv

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # optional at the start of a file
_NEWLINE = 10
_MAX_ROW_BYTES = 1 << 29  # kernels count the bytes of a part in 32 bits
_THREADS = 2
_PARTS = _THREADS + 1  # in progress at a time: one more than threads, so that no thread is idle
_Part = tuple[bytearray, int, int, int]  # buffer, start and stop of its complete lines, file offset


class CsvReader:
    """One pass over a simple CSV file.

    Parameters
    ----------
    path
        The file, plain or compressed.
    names
        All columns of the file.
    features
        The columns of the chunks' feature matrix.
    types
        The columns to parse, as text or float64; may change during the pass.
    chunk_bytes
        Bytes to read at a time.
    """

    def __init__(
        self,
        path: Path,
        names: Sequence[str],
        features: Sequence[str],
        types: dict[str, pa.DataType],
        chunk_bytes: int,
    ) -> None:
        self._path, self._chunk_bytes = path, chunk_bytes
        self._parsers = [Parser(names, features, types) for _ in range(_PARTS)]

    def chunks(self, offset: int = 0) -> Iterator[Chunk]:
        """Yield the rows from a byte of the file on (0: after the header).

        Raises
        ------
        UnsupportedCsv
            At the first part that this reader cannot parse.
        """
        with ThreadPoolExecutor(_THREADS) as threads:  # starts threads only when needed
            waiting: deque[Future[Chunk | None]] = deque()
            for number, part in enumerate(self._parts(offset)):
                done = waiting.popleft().result() if len(waiting) == _PARTS else None
                parser = self._parsers[number % _PARTS]  # idle: its last part is `done`
                waiting.append(threads.submit(parser.parse, *part))
                if done is not None:
                    yield done
            while waiting:
                done = waiting.popleft().result()
                if done is not None:
                    yield done

    def _parts(self, offset: int) -> Iterator[_Part]:
        """Cut the file at line ends. A part's buffer is not reused for the next `_PARTS` parts."""
        with pa.input_stream(str(self._path), compression="detect") as file:
            at = offset
            if offset:
                _skip(file, offset, self._chunk_bytes)
            buffers = deque(bytearray(self._chunk_bytes + PADDING) for _ in range(_PARTS + 1))
            filled = 0
            while True:
                buffer = buffers[0]
                if filled + PADDING == len(buffer):  # a row is longer than the buffer
                    if filled > _MAX_ROW_BYTES:
                        raise UnsupportedCsv
                    buffer = buffers[0] = buffer[:filled] + bytes(len(buffer) + PADDING)
                read = file.readinto(memoryview(buffer)[filled:-PADDING])
                filled += read
                if not read and filled and buffer[filled - 1] != _NEWLINE:
                    buffer[filled] = _NEWLINE
                    filled += 1
                stop = buffer.rfind(b"\n", 0, filled) + 1
                start = 0
                while start < stop and not at:  # skip the header: the first line that is not empty
                    line_end = buffer.index(b"\n", start) + 1
                    offset += line_end - start
                    header = buffer[start:line_end].removeprefix(_BYTE_ORDER_MARK).strip()
                    at = offset if header else 0
                    start = line_end
                rest = buffer[stop:filled]
                if start < stop:
                    at += stop - start
                    yield buffer, start, stop, at
                    buffers.rotate(-1)  # the buffer is being parsed: fill the next one
                if not read:
                    return
                filled = len(rest)
                if len(buffers[0]) <= filled + PADDING:
                    buffers[0] = bytearray(2 * filled + PADDING)
                buffers[0][:filled] = rest


def _skip(file: pa.NativeFile, count: int, chunk_bytes: int) -> None:
    """Skip the first bytes; a compressed file must be read to get there."""
    if file.seekable():
        file.seek(count)
        return
    while count:
        skipped = len(file.read(min(count, chunk_bytes)))
        if not skipped:
            return
        count -= skipped
