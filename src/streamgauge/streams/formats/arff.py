"""ARFF files, plain or .gz: a header that declares the columns, then dense or sparse rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge._support.errors import InputError, shown
from streamgauge._support.file_stamp import FileStamp
from streamgauge._support.jit import lean_kernel
from streamgauge._support.simd import WIDTH, equal_bytes, lowest_bit
from streamgauge._support.types import Flags
from streamgauge.streams.columns import first_repeated
from streamgauge.streams.formats import _text_files as text_files
from streamgauge.streams.formats._text_files import (
    read_lines,
    text_batches,
    unreadable,
    without_first,
)
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import Parser, UnsupportedCsv
from streamgauge.streams.formats.csv.reader import CsvReader, Part, parts
from streamgauge.streams.formats.file_format import FileFormat
from streamgauge.streams.formats.table import TableFile, no_rows

EXTRA = ("instanceId", "timestamp")  # undeclared columns of grzenda2019's program

_QUOTED = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"]+)\s*(.+)", re.IGNORECASE)
_VALUES = re.compile(rf"\{{((?:{_QUOTED}|[^}}'\"])*)\}}\s*(?:%.*)?$")
_TYPE = re.compile(r"(numeric|real|integer|string|date(?:\s+\S.*)?)\s*(?:%.*)?$", re.IGNORECASE)
_CELL = re.compile(rf"\s*(?:({_QUOTED})\s*|([^,'\"][^,]*)?)(,|$)")
_SPARSE = re.compile(rf"\s*([0-9]+)\s+(?:({_QUOTED})\s*|([^,'\"]+))(?:,|$)")
_CHUNK_LINES, _MAX_BYTES = 1 << 12, 1 << 30  # of a chunk
_NOT_PLAIN_CSV = b"%'\"{\\"  # searched one by one: much faster than a regular expression
_BLANKS = b" \t\r\f\v"

_SLOW_ONLY = b"%{\\"  # comments, sparse rows and escapes
_QUOTES = b"'\""
_NEWLINE = 10
_PERCENT = 37
_FIRST_VISIBLE, _LAST_VISIBLE = 33, 126
_ONE = np.uint64(1)


class ArffTable(TableFile):
    """An ARFF file.

    Nominal values keep the order of the header. Two undeclared cells at the end of every row are an
    id and a time, as in grzenda2019's program.
    """

    def __init__(self, stamp: FileStamp) -> None:
        super().__init__(stamp)
        self._header_lines, self._header_bytes = 0, 0
        for line in read_lines(self.file):
            self._header_lines += 1
            self._header_bytes += len(line) + 1
            if self._ends_header(line):
                break
        else:
            raise InputError(f"{self.path}: has no @data line; expected an ARFF file")
        if not self.names:
            raise InputError(f"{self.path}: has no @attribute line; expected one for every column")
        first = next(self._rows(), None)
        if first is None:
            raise no_rows(self.path)
        if len(_split(first[1]) or ()) == len(self.names) + len(EXTRA):
            self.names += EXTRA
        self.guessed_types = {
            name: pa.float64() if name in self.declared_types else pa.string()
            for name in self.names
        }

    def _ends_header(self, line: bytes) -> bool:
        """Read a line of the header; return whether it is the @data line."""
        text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
        word = text.split(maxsplit=1)[0].lower() if text else "%"
        if word == "@data":
            rest = text[len(word) :].strip()
            if rest and not rest.startswith("%"):
                raise InputError(
                    f"{self.path}: line {self._header_lines}: {shown(text)}; expected @data on a "
                    "line of its own: put the row on the next line"
                )
            return True
        if word.startswith("@attribute"):
            self._declare(text)
        elif not word.startswith(("@", "%")):
            raise InputError(
                f"{self.path}: line {self._header_lines}: {shown(text)} before the @data line; "
                "expected @relation, @attribute or a comment"
            )
        return False

    def _declare(self, line: str) -> None:
        found = _ATTRIBUTE.match(line)
        values = found and _VALUES.match(found[2])
        kind = found and _TYPE.match(found[2])
        listed = _split(values[1]) if values and values[1].strip() else None
        if found is None or not (listed or kind):
            raise InputError(
                f"{self.path}: line {self._header_lines}: cannot parse {shown(line)}; expected "
                "@attribute name numeric, or @attribute name {value, value}"
            )
        name = _unquoted(found[1])
        self.names.append(name)
        if listed:
            texts = ["?" if value is None else value.strip() for value in listed]
            repeated = first_repeated(texts)
            if repeated is not None:
                raise InputError(
                    f"{self.path}: line {self._header_lines}: value {repeated!r} of {name!r} is "
                    "listed more than once; list each value once: surrounding blanks do not count"
                )
            self.declared_values[name] = tuple(texts)
        elif kind:
            word = kind[1].split()[0].lower()
            if word not in ("string", "date"):  # those may hold anything: their cells tell
                self.declared_types[name] = "numeric"

    def _rows(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of every row; empty lines and comments are not rows."""
        for number, line in enumerate(read_lines(self.file), 1):
            if number > self._header_lines:
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith("%"):
                    yield number, text

    def where(self, row: int) -> str:
        line = next((number for i, (number, _) in enumerate(self._rows()) if i == row), None)
        return f"{self.path}: row {row:,}" + ("" if line is None else f" (line {line:,})")

    def count_rows(self) -> int:
        try:
            return sum(
                map(count_rows, parts(self.file, text_files.CHUNK_BYTES, self._header_bytes))
            )
        except UnsupportedCsv:  # a very long line
            return sum(1 for _ in self._rows())
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _chunks(
        self,
        features: Sequence[str],
        types: dict[str, pa.DataType],
        rows: int,
        offset: int,
        cores: int,
    ) -> Iterator[Chunk | pa.RecordBatch]:
        """Read with the fast parser, but slowly those parts that it does not support."""
        if len(self.names) > 1:
            reader = CsvReader(
                self.file,
                partial(ArffParser, self.names, features, types),
                text_files.CHUNK_BYTES,
                cores,
                lambda part: self._text_batches(iter(part.split(b"\n")), list(types)),
            )
            try:
                for chunk in reader.chunks(offset or self._header_bytes):
                    rows += chunk.num_rows
                    yield chunk
                return
            except (UnsupportedCsv, OSError):  # the slow reader says what is wrong
                pass
        yield from without_first(rows, self._batches(list(types), types))

    def _batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None
    ) -> Iterator[pa.RecordBatch]:
        """Read all cells as text; callers convert them."""
        return self._text_batches(islice(read_lines(self.file), self._header_lines, None), columns)

    def _text_batches(
        self, lines: Iterator[bytes], columns: list[str] | None
    ) -> Iterator[pa.RecordBatch]:
        options = csv.ReadOptions(column_names=self.names)
        text = dict.fromkeys(self.names, pa.string())
        try:
            # Chunk by chunk: Arrow would read a Python file object ahead in its own thread, which
            # aborts the process if it is still running when the interpreter ends.
            for chunk, padded in self._csv_chunks(lines):
                source = pa.BufferReader(chunk)
                for batch in text_batches(
                    source, columns, text, options, dialect="arff", chunk_bytes=len(chunk) + 1
                ):
                    cells = [_strip(column) if padded else column for column in batch.columns]
                    yield pa.record_batch(cells, names=batch.schema.names)
        except InputError:
            raise
        except (pa.ArrowInvalid, pa.ArrowKeyError, OSError, ValueError) as error:
            raise InputError(
                f"{self.path}: cannot be read as ARFF: {self._first_error() or error}; expected "
                f"rows of {len(self.names)} cells, separated by commas"
            ) from None

    def _csv_chunks(self, lines: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
        """Yield the data as CSV, and whether cells may have blanks around them."""
        chunk: list[bytes] = []
        size = 0
        for line in lines:
            chunk.append(line)
            size += len(line) + 1
            if size >= text_files.CHUNK_BYTES or len(chunk) == _CHUNK_LINES:
                yield from self._to_csv(chunk)
                chunk, size = [], 0
        yield from self._to_csv(chunk)

    def _to_csv(self, lines: list[bytes]) -> Iterator[tuple[bytes, bool]]:
        chunk = b"\n".join(lines)
        if len(chunk) > _MAX_BYTES:
            raise ValueError(f"a line is longer than {_MAX_BYTES >> 20:,} MB")
        if all(map(bytes.strip, lines)) and not _has_any(chunk, _NOT_PLAIN_CSV):
            if chunk:
                chunk = (chunk + b"\n").replace(b"\r\n", b"\n")
                yield chunk, not chunk.isascii() or _has_any(chunk, _BLANKS)
            return
        rows = (line.decode("utf-8").strip() for line in lines)
        cells = [_csv_line(self._dense(row)) for row in rows if row and not row.startswith("%")]
        if cells:
            yield "".join(cells).encode(), False

    def _dense(self, row: str) -> list[str | None]:
        """Return the cells of a row; None is missing."""
        if row.startswith("{"):
            return self._sparse(row)
        cells = _split(row)
        if cells is None:
            raise ValueError(f"a quote is not closed: {shown(row)}")
        return cells

    def _sparse(self, row: str) -> list[str | None]:
        """Return the cells of a sparse row; omitted ones are 0 or the first nominal value."""
        cells: list[str | None] = [self.declared_values.get(name, ("0",))[0] for name in self.names]
        closed = row.rfind("}")
        at, end = 1, len(row[:closed].rstrip()) if row[closed + 1 :].strip() == "" else -1
        given: set[int] = set()
        while at != end:
            found = _SPARSE.match(row, at, end) if closed > 0 else None
            index = int(found[1]) if found else len(cells)
            if found is None or index >= len(cells) or index in given:
                raise ValueError(
                    f"expected {{index value, index value}} with different indices from 0 to "
                    f"{len(cells) - 1}, got {shown(row)}"
                )
            given.add(index)
            cells[index] = _unquoted(found[2]) if found[2] else _bare(found[3])
            at = found.end()
        return cells

    def _first_error(self) -> str | None:
        """Return the line of the first bad row, and what is wrong with it."""
        for number, row in self._rows():
            try:
                cells = self._dense(row)
            except ValueError as error:
                return f"line {number}: {error}"
            if "\ufffd" in row:
                return f"line {number}: not valid UTF-8: {shown(row)}"
            if len(cells) != len(self.names):
                expected = f"expected {len(self.names)} cells, got {len(cells)}"
                return f"line {number}: {expected}: {shown(row)}"
        return None


def _has_any(chunk: bytes, characters: bytes) -> bool:
    return any(character in chunk for character in characters)


def _split(row: str) -> list[str | None] | None:
    """Split a row into cells, without quotes and surrounding space; a bare ? or nothing is None.

    Returns None if a quote is not closed.
    """
    cells: list[str | None] = []
    at = 0
    while True:
        found = _CELL.match(row, at)
        if found is None:
            return None
        cells.append(_unquoted(found[1]) if found[1] else _bare(found[2] or ""))
        at = found.end()
        if not found[3]:
            return cells


def _bare(text: str) -> str | None:
    """Return a cell without quotes; None if it is empty or ?."""
    bare = text.strip()
    return None if bare in ("", "?") else bare


def _unquoted(text: str) -> str:
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] in ("'", '"') else text


def _csv_line(cells: list[str | None]) -> str:
    quoted = ("" if cell is None else '"' + cell.replace('"', '""') + '"' for cell in cells)
    return ",".join(quoted) + "\n"


def _strip(column: pa.Array) -> pa.Array:
    """Strip surrounding space; a cell of only space, or ?, is missing."""
    bare = pc.utf8_trim_whitespace(column)
    padded = pc.and_kleene(
        pc.not_equal(bare, column), pc.is_in(bare, value_set=pa.array(["", "?"]))
    )
    return pc.if_else(pc.fill_null(padded, False), pa.scalar(None, pa.string()), bare)


arff = FileFormat("arff", (".arff",), table=ArffTable)


class ArffParser(Parser):
    """Parses parts of an ARFF file into chunks: dense rows, of bare or simply quoted cells."""

    def parse(self, buffer: bytearray, start: int, stop: int, end: int) -> Chunk | None:
        try:
            return super().parse(buffer, start, stop, end)
        except UnsupportedCsv:
            self._forget_texts()  # of a part that is read slowly: they must not spoil the next one
            raise

    def _unsupported_bytes(self) -> bytes:
        skips = any(name not in self._types for name in self._names)
        return _SLOW_ONLY + _QUOTES if skips else _SLOW_ONLY  # quotes there could hide a comma

    def _text(self, cell: str) -> str | None:
        """Remove blanks and quotes around a cell; an empty cell or a bare ? is missing."""
        bare = cell.strip()
        if not bare.startswith(("'", '"')):
            return None if bare in ("", "?") else bare
        inner = bare[1:-1]
        if len(bare) < 2 or bare[-1] != bare[0] or "'" in inner or '"' in inner:
            raise UnsupportedCsv  # perhaps the cell goes on after a comma
        return inner


def count_rows(part: Part) -> int:
    """Return the number of rows in a part; empty lines and comments are not rows."""
    buffer, start, stop, _ = part
    rows = _count_plain_rows(np.frombuffer(buffer, np.uint8), start, stop)
    if rows >= 0:
        return int(rows)
    lines = bytes(memoryview(buffer)[start:stop]).split(b"\n")
    texts = (line.decode("utf-8", "replace").strip() for line in lines)
    return sum(bool(text) and not text.startswith("%") for text in texts)


@lean_kernel
def _count_plain_rows(data: Flags, start: int, stop: int) -> int:
    """Count lines; -1 if one does not begin with a visible character, so may not be a row."""
    rows, line = 0, start
    for i in range(start, stop, WIDTH):
        newlines = equal_bytes(data, i, _NEWLINE)
        if stop - i < WIDTH:
            newlines &= (_ONE << np.uint64(stop - i)) - _ONE
        while newlines:
            first = data[line]
            if not _FIRST_VISIBLE <= first <= _LAST_VISIBLE or first == _PERCENT:
                return -1
            line = i + lowest_bit(newlines) + 1
            rows += 1
            newlines &= newlines - _ONE
    return rows
