"""A source's file, whatever its layout, rewritten as ours: .csv.gz, our column and class names."""

from __future__ import annotations

import csv as lines_of
import gzip
import io
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge.streams.datasets._card import Card, Layout
from streamgauge.streams.formats.arff import ArffTable
from streamgauge.streams.formats.arrow_cells import to_floats
from streamgauge.streams.formats.schema_inference import key_of
from streamgauge.streams.formats.text_files import text_batches

_GZIP = b"\x1f\x8b"


def rewrite(raw: Path, layout: Layout, card: Card, path: Path, labels: Path | None = None) -> int:
    """Write the card's columns, as far as the file has them, to `path`; how many rows.

    `labels`: a second file, a label per line. ValueError: the file is not as the card says.
    """
    table = _unpacked(raw, layout.member, path.parent)
    batches = _batches(table, layout, card, has_labels=labels is None)
    if labels is not None:
        batches = _joined(batches, labels, layout.label or card.target)
    return write_table((_ours(batch, layout, card) for batch in batches), path)


def write_table(batches: Iterable[pa.RecordBatch], path: Path) -> int:
    """Write batches of columns as .csv.gz; how many rows."""
    rows = 0
    writer = None
    with pa.CompressedOutputStream(str(path), "gzip") as file:
        for batch in batches:
            if writer is None:
                file.write(_header(batch.schema.names))
                writer = csv.CSVWriter(
                    file, batch.schema, write_options=csv.WriteOptions(include_header=False)
                )
            writer.write_batch(batch)
            rows += len(batch)
        if writer is not None:
            writer.close()
    return rows


def _header(names: Sequence[str]) -> bytes:
    line = io.StringIO()
    lines_of.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().encode()


def _unpacked(raw: Path, member: str | None, folder: Path) -> Path:
    """The table's file: a member of a zip file, what a .gz holds, or the file itself."""
    plain = folder / "unpacked"
    if member is not None:
        with zipfile.ZipFile(raw) as archive, plain.open("wb") as to:
            shutil.copyfileobj(archive.open(member), to)
        return plain
    with raw.open("rb") as file:
        if file.read(len(_GZIP)) != _GZIP:
            return raw
    with gzip.open(raw) as zipped, plain.open("wb") as to:
        shutil.copyfileobj(zipped, to)
    return plain


def _batches(path: Path, layout: Layout, card: Card, has_labels: bool) -> Iterator[pa.RecordBatch]:
    """All columns as text, by the names that the file or the card gives them."""
    if layout.format == "arff":
        yield from ArffTable(path).batches()
        return
    if layout.header == "names":
        names = _names(path, layout.separator)
    else:
        names = [*layout.before, *card.features]
        names += [layout.label or card.target] if has_labels else []
    how = csv.ReadOptions(column_names=names, skip_rows=int(layout.header != "none"))
    text = dict.fromkeys(names, pa.string())
    source = pa.input_stream(str(path), compression=None)
    yield from text_batches(source, None, text, how, separator=layout.separator)


def _names(path: Path, separator: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        names = next(lines_of.reader(file, delimiter=separator), [])
    if not names:
        raise ValueError("it is empty")
    return names


def _joined(batches: Iterator[pa.RecordBatch], labels: Path, name: str) -> Iterator[pa.RecordBatch]:
    """Rows beside their labels, which stand in a file of their own."""
    lines = labels.read_text(encoding="utf-8").splitlines()
    column = pa.array([line for line in lines if line.strip()], pa.string())
    start = 0
    for batch in batches:
        part = column.slice(start, len(batch))
        start += len(batch)
        if len(part) < len(batch):
            raise ValueError(f"there are more rows than labels ({len(column):,})")
        yield batch.append_column(name, part)
    if start < len(column):
        raise ValueError(f"there are {start:,} rows, but {len(column):,} labels")


def _ours(batch: pa.RecordBatch, layout: Layout, card: Card) -> pa.RecordBatch:
    """The columns that some variant or role asks for: numbers as numbers, classes by our names."""
    there = batch.schema.names
    label = layout.label or card.target
    required = [*card.features, *filter(None, (card.arrives, card.revealed)), label]
    if lost := [name for name in required if name not in (*there, *card.derived)]:
        raise ValueError(f"there is no column {', '.join(lost)}; there are {', '.join(there)}")
    text = {*card.nominal, card.arrives, card.revealed}
    columns = {
        name: batch.column(name) if name in text else _numbers(batch.column(name), layout)
        for name in card.columns[:-1]
        if name in there
    }
    columns[card.target] = _labels(batch.column(label), layout, card)
    return pa.record_batch(list(columns.values()), names=list(columns))


def _numbers(column: pa.Array, layout: Layout) -> pa.Array:
    numbers = to_floats(column)
    if layout.decimals is not None:
        numbers = np.round(numbers, layout.decimals)  # Arrow's own is off in the last bit
    return pa.array(numbers, from_pandas=True)


def _labels(column: pa.Array, layout: Layout, card: Card) -> pa.Array:
    if card.task == "regression":
        return _numbers(column, layout)
    expected = {key_of(label) for label in card.classes}
    cells = pc.dictionary_encode(column)
    names = []
    for found in cells.dictionary.to_pylist():
        bare = found.strip().removesuffix(layout.label_suffix)
        name = key_of(layout.labels.get(bare, bare))
        if (layout.labels and bare not in layout.labels) or (expected and name not in expected):
            shown = ", ".join(layout.labels or sorted(expected))
            raise ValueError(f"label {found!r} is none of {shown}")
        names.append(name)
    return pc.take(pa.array(names, pa.string()), cells.indices)
