"""Read text files in chunks: lines, or rows of cells as Arrow batches. Shared by CSV and ARFF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pyarrow as pa
from pyarrow import csv

from streamgauge._support.errors import InputError
from streamgauge.streams.formats.arrow_cells import MISSING

CHUNK_BYTES = 1 << 19  # of a text file at a time: the parsed rows fit the processor's cache
_ARFF_MISSING = ["", "?"]
_END_BYTES = 1 << 10


def text_batches(
    source: pa.NativeFile,
    columns: list[str] | None,
    types: dict[str, pa.DataType] | None,
    options: csv.ReadOptions,
    *,
    dialect: Literal["csv", "arff"] = "csv",
    separator: str = ",",
    chunk_bytes: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """Parse rows of separated cells with Arrow's CSV reader.

    Parameters
    ----------
    columns
        The columns to read; None reads all.
    types
        Column types; Arrow infers those that are not given.
    dialect
        "csv": quoted cells may span lines, and `as_text` decides which texts are missing. "arff":
        quoted cells may not span lines, and an empty cell or a bare ? is missing.
    chunk_bytes
        Bytes per batch, `CHUNK_BYTES` by default.
    """
    is_csv = dialect == "csv"
    options.use_threads, options.block_size = False, chunk_bytes or CHUNK_BYTES
    reader = csv.open_csv(
        source,
        options,
        csv.ParseOptions(delimiter=separator, newlines_in_values=is_csv),
        csv.ConvertOptions(
            column_types=types or {},
            include_columns=columns or [],
            null_values=MISSING if is_csv else _ARFF_MISSING,
            strings_can_be_null=not is_csv,
            quoted_strings_can_be_null=is_csv,
        ),
    )
    for batch in reader:
        if len(batch):
            yield batch


def without_first(rows: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Leave out the first rows."""
    for batch in batches:
        skipped = min(rows, len(batch))
        rows -= skipped
        if skipped < len(batch):
            yield batch.slice(skipped)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a plain or .gz file, without line ends."""
    try:
        with pa.input_stream(str(path), compression="detect") as file:
            rest: list[bytes] = []  # the parts of a line, joined once: a line may be very long
            while chunk := file.read(CHUNK_BYTES):
                first, *lines = chunk.split(b"\n")
                rest.append(first)
                if lines:
                    yield b"".join(rest)
                    yield from lines[:-1]
                    rest = lines[-1:]
            if last := b"".join(rest):
                yield last
    except OSError as error:
        raise unreadable(path, error) from None


def end_of(path: Path) -> bytes:
    """The last bytes of a file, unpacked."""
    end = b""
    with pa.input_stream(str(path), compression="detect") as file:
        while part := file.read(CHUNK_BYTES):
            end = (end + part)[-_END_BYTES:]
    return end


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that the operating system or the decompressor cannot read."""
    return InputError(
        f"{path}: cannot be read: {error}; expected a complete file with read permission"
    )
