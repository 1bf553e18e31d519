"""Rewrites a source's file as .csv.gz with the columns and class names of its card."""

from __future__ import annotations

import csv
import gzip
import io
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.datasets._card import Card, FileLayout
from streamgauge.streams.formats._text_files import text_batches
from streamgauge.streams.formats.arff import ArffTable
from streamgauge.streams.formats.arrow_cells import as_text, to_floats
from streamgauge.streams.formats.schema_inference import key_of

_GZIP = b"\x1f\x8b"


def normalise(
    raw: Path, layout: FileLayout, card: Card, path: Path, labels: Path | None = None
) -> int:
    """Write those of the card's columns that the file has to `path`; return the number of rows.

    `labels` is a second file with one label per line. Raises ValueError if the file does not match
    the card.
    """
    table = _unpack(raw, layout.member, path.parent)
    batches = _batches(table, layout, card, has_labels=labels is None)
    if labels is not None:
        batches = _join_labels(batches, labels, layout.target_column or card.target)
    return write_table((_normalised(batch, layout, card) for batch in batches), path)


def store_log(raw: Path, layout: FileLayout, path: Path) -> None:
    """Store an event log unchanged, but compressed: its lines are not a table of rows."""
    log = _unpack(raw, layout.member, path.parent)
    with log.open("rb") as file, gzip.open(path, "wb") as to:
        shutil.copyfileobj(file, to)


def write_table(batches: Iterable[pa.RecordBatch], path: Path) -> int:
    """Write record batches as .csv.gz; return the number of rows."""
    rows = 0
    writer = None
    with pa.CompressedOutputStream(str(path), "gzip") as file:
        for batch in batches:
            if writer is None:
                file.write(_header(batch.schema.names))
                writer = arrow_csv.CSVWriter(
                    file, batch.schema, write_options=arrow_csv.WriteOptions(include_header=False)
                )
            writer.write_batch(batch)
            rows += len(batch)
        if writer is not None:
            writer.close()
    return rows


def _header(names: Sequence[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().encode()


def _unpack(raw: Path, member: str | None, folder: Path) -> Path:
    """The table's file: a member of a zip archive, a decompressed .gz file, or the file itself."""
    unpacked = folder / "unpacked"
    if member is not None:
        with zipfile.ZipFile(raw) as archive, unpacked.open("wb") as to:
            shutil.copyfileobj(archive.open(member), to)
        return unpacked
    with raw.open("rb") as file:
        if file.read(len(_GZIP)) != _GZIP:
            return raw
    with gzip.open(raw) as zipped, unpacked.open("wb") as to:
        shutil.copyfileobj(zipped, to)
    return unpacked


def _batches(
    path: Path, layout: FileLayout, card: Card, has_labels: bool
) -> Iterator[pa.RecordBatch]:
    """All columns as text, named by the file's header or else by the card."""
    if layout.format == "arff":
        yield from ArffTable(FileStamp(path)).batches()
        return
    if layout.header == "names":
        names = _names(path, layout.separator)
    else:
        names = [*layout.leading_columns, *card.features]
        names += [layout.target_column or card.target] if has_labels else []
    how = arrow_csv.ReadOptions(column_names=names, skip_rows=int(layout.header != "none"))
    text = dict.fromkeys(names, pa.string())
    source = pa.input_stream(str(path), compression=None)
    yield from text_batches(source, None, text, how, separator=layout.separator)


def _names(path: Path, separator: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        names = next(csv.reader(file, delimiter=separator), [])
    if not names:
        raise ValueError("the file is empty")
    return names


def _join_labels(
    batches: Iterator[pa.RecordBatch], labels: Path, name: str
) -> Iterator[pa.RecordBatch]:
    """Add the labels of a separate file as a column."""
    lines = labels.read_text(encoding="utf-8").splitlines()
    column = pa.array([line for line in lines if line.strip()], pa.string())
    start = 0
    for batch in batches:
        part = column.slice(start, len(batch))
        start += len(batch)
        if len(part) < len(batch):
            raise ValueError(f"more rows than labels; the label file has {len(column):,}")
        yield batch.append_column(name, part)
    if start < len(column):
        raise ValueError(f"found {start:,} rows but {len(column):,} labels")


def _normalised(batch: pa.RecordBatch, layout: FileLayout, card: Card) -> pa.RecordBatch:
    """The columns that a variant or role needs, with numbers parsed and classes renamed."""
    present = batch.schema.names
    label = layout.target_column or card.target
    required = [*card.features, *filter(None, (card.arrives, card.revealed)), label]
    if missing := [name for name in required if name not in (*present, *card.derived)]:
        raise ValueError(f"missing column {', '.join(missing)}; the file has {', '.join(present)}")
    text = {*card.nominal, card.arrives, card.revealed}
    columns = {
        name: as_text(batch.column(name))
        if name in text
        else _parse_numbers(batch.column(name), layout)
        for name in card.columns[:-1]
        if name in present
    }
    columns[card.target] = _rename_classes(batch.column(label), layout, card)
    return pa.record_batch(list(columns.values()), names=list(columns))


def _parse_numbers(column: pa.Array, layout: FileLayout) -> pa.Array:
    numbers = to_floats(column)
    if layout.decimals is not None:
        numbers = np.round(numbers, layout.decimals)  # Arrow's round differs in the last bit
    return pa.array(numbers, from_pandas=True)


def _rename_classes(column: pa.Array, layout: FileLayout, card: Card) -> pa.Array:
    if card.task == "regression":
        return _parse_numbers(column, layout)
    expected = {key_of(label) for label in card.classes}
    cells = pc.dictionary_encode(as_text(column, (*expected, *layout.class_names)))
    names = []
    for found in cells.dictionary.to_pylist():
        bare = found.removesuffix(layout.label_suffix)
        name = key_of(layout.class_names.get(bare, bare))
        renamed = not layout.class_names or bare in layout.class_names
        if not renamed or (expected and name not in expected):
            known = ", ".join(layout.class_names or sorted(expected))
            raise ValueError(f"unexpected label {found!r}; expected one of {known}")
        names.append(name)
    return pc.take(pa.array(names, pa.string()), cells.indices)
