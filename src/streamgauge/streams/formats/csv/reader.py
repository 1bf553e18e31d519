"""Reads simple CSV and ARFF files faster than Arrow: on two cores, two threads parse.

It does not support most quotes, or rows of different lengths; a slower reader reads those.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa

from streamgauge.streams.formats.csv.cell_ends import PADDING
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import MAX_TEXTS, Parser, UnsupportedCsv

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # optional at the start of a file
_NEWLINE = 10
_MAX_ROW_BYTES = 1 << 29  # kernels count the bytes of a part in 32 bits
_MAX_CORES = 2
_PARTS_PER_CORE = 2  # waiting or being parsed, so that no thread is idle while rows are scanned
Part = tuple[bytearray, int, int, int]  # buffer, start and stop of its complete lines, file offset
_Parsed = Future[Chunk | None]


class _OwnParser(threading.local):
    """The parser of the calling thread.

    Threads take parts in the order of the file, so that a text is new to its parser where it first
    occurs in the file.
    """

    def __init__(self, new_parser: Callable[[], Parser]) -> None:
        self.parse = new_parser().parse


class CsvReader:
    """One pass over a simple CSV or ARFF file.

    Parameters
    ----------
    path
        The file, plain or compressed.
    new_parser
        Makes a parser of the file's columns.
    chunk_bytes
        Bytes to read at a time.
    cores
        How many cores are free to parse. The calling thread parses, too: with one core, it alone.
    read_slowly
        Reads the lines of a part that the parser does not support; without it, the pass ends there.
    """

    def __init__(
        self,
        path: Path,
        new_parser: Callable[[], Parser],
        chunk_bytes: int,
        cores: int,
        read_slowly: Callable[[bytes], Iterator[pa.RecordBatch]] | None = None,
    ) -> None:
        self._path, self._chunk_bytes, self._read_slowly = path, chunk_bytes, read_slowly
        self._cores = min(cores, _MAX_CORES)
        self._own = _OwnParser(new_parser)
        self._known: dict[str, set[str | None]] = {}  # texts of earlier chunks

    def chunks(self, offset: int = 0) -> Iterator[Chunk | pa.RecordBatch]:
        """Yield the rows from a byte of the file on (0: after the header).

        Raises
        ------
        UnsupportedCsv
            At the first part that cannot be parsed.
        """
        if self._cores == 1:
            for part in parts(self._path, self._chunk_bytes, offset):
                yield from self._rows(self._parse_here(part), part)
            return
        most = _PARTS_PER_CORE * self._cores
        with ThreadPoolExecutor(self._cores - 1) as threads:
            waiting: deque[tuple[_Parsed, Part]] = deque()
            for part in parts(self._path, self._chunk_bytes, offset, in_use=most):
                waiting.append((threads.submit(self._parse, *part), part))
                if len(waiting) == most:
                    self._help(waiting)
                    yield from self._rows(*waiting.popleft())
            while waiting:
                self._help(waiting)
                yield from self._rows(*waiting.popleft())

    def _help(self, waiting: deque[tuple[_Parsed, Part]]) -> None:
        """Parse parts that no thread has begun, until the first part is parsed."""
        for i, (parsed, part) in enumerate([*waiting]):
            if waiting[0][0].done():
                return
            if parsed.cancel():
                waiting[i] = self._parse_here(part), part

    def _parse_here(self, part: Part) -> _Parsed:
        parsed = _Parsed()
        try:
            parsed.set_result(self._parse(*part))
        except UnsupportedCsv as error:
            parsed.set_exception(error)
        return parsed

    def _parse(self, *part: Any) -> Chunk | None:
        return self._own.parse(*part)

    def _rows(self, parsed: _Parsed, part: Part) -> Iterator[Chunk | pa.RecordBatch]:
        try:
            chunk = parsed.result()
        except UnsupportedCsv:
            if self._read_slowly is None:
                raise
            buffer, start, stop, _ = part
            yield from self._read_slowly(bytes(memoryview(buffer)[start:stop]))
            return
        if chunk is not None:
            chunk.new_texts = {
                name: texts for name, texts in chunk.new_texts.items() if self._has_new(name, texts)
            }
            yield chunk

    def _has_new(self, name: str, texts: list[str | None]) -> bool:
        """Return whether a text of a column is new, not only to its own parser."""
        known = self._known.setdefault(name, set())
        if known.issuperset(texts):
            return False
        if len(known) > MAX_TEXTS:
            known.clear()
        known.update(texts)
        return True


def parts(path: Path, chunk_bytes: int, offset: int = 0, in_use: int = 1) -> Iterator[Part]:
    """Cut a file at line ends, from a byte on (0: after the header).

    The buffers of the last `in_use` parts are not overwritten.
    """
    with pa.input_stream(str(path), compression="detect") as file:
        at = offset
        if offset:
            _skip(file, offset, chunk_bytes)
        buffers = deque(bytearray(chunk_bytes + PADDING) for _ in range(in_use + 1))
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
