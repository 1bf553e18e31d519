"""Helpers for stream tests: files, random sample tables, whole streams as one block."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import streamgauge as sg

MISSING = ("", "?", "NA", "NaN", "nan", "null")


def whole(stream: sg.Stream) -> sg.Block:
    """Read all rows as one block."""
    (block,) = stream.blocks(1 << 20)
    return block


def write(path: Path, text: str) -> Path:
    """Write a text file, compressed if its name ends in .gz."""
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read_error(path: Path, target: str, **options: Any) -> str:
    """Return the message of the InputError that opening the file, or a pass over it, raises."""
    with pytest.raises(sg.InputError) as caught:
        whole(sg.read(path, target, **options))
    return str(caught.value)


def numbers(values: Any) -> list[float | None]:
    """Convert an array to a list that can be compared: NaN becomes None."""
    return [None if v != v else v for v in np.asarray(values).tolist()]


@dataclass(frozen=True)
class SampleTable:
    """Columns by name, None = missing; the last column is the target `y`."""

    columns: dict[str, list[Any]]
    missing: str  # how a missing cell is written to a file

    @property
    def rows(self) -> int:
        return len(self.columns["y"])

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name != "y")

    def to_csv(self, path: Path) -> Path:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        missing = {name: "?" if name == "y" else self.missing for name in self.columns}
        for row in zip(*self.columns.values(), strict=True):
            cells = zip(missing.values(), row, strict=True)  # a label "NA" could be a class
            writer.writerow([text if cell is None else cell for text, cell in cells])
        return write(path, out.getvalue())

    def to_rows(self) -> list[tuple[dict[str, Any], Any]]:
        """Convert to (dict, label) pairs as in River: a missing cell has no key."""
        cells = [
            {n: self.columns[n][i] for n in self.features if self.columns[n][i] is not None}
            for i in range(self.rows)
        ]
        return list(zip(cells, self.columns["y"], strict=True))


def _column(cells: st.SearchStrategy[Any], rows: int, holes: bool = True) -> Any:
    """A column with missing cells and at least one value."""
    maybe = st.none() | cells if holes else cells
    return st.lists(maybe, min_size=rows, max_size=rows).filter(
        lambda column: any(cell is not None for cell in column)
    )


_finite = st.floats(allow_nan=False, allow_infinity=False, width=32)
_text = st.text(alphabet="abzé', \"", max_size=5).map(str.strip).filter(bool)
_kinds = (_finite, st.integers(-(2**53), 2**53), _text)


def _classes(labels: st.SearchStrategy[Any], rows: int) -> Any:
    """A target with at least two classes."""
    return _column(labels, rows).filter(lambda y: len({v for v in y if v is not None}) > 1)


@st.composite
def sample_tables(draw: st.DrawFn, numeric: bool = False) -> SampleTable:
    """Columns of floats, integers and text, with missing cells; a target of any of these types."""
    rows = draw(st.integers(2, 40))
    kinds = _kinds[:2] if numeric else _kinds
    names = ["first", "b,2", "straße", "D"][: draw(st.integers(1, 4))]
    columns = {name: draw(_column(draw(st.sampled_from(kinds)), rows)) for name in names}
    target = draw(st.sampled_from(["text", "whole", "fraction"]))
    if target == "fraction":
        fraction = _finite.filter(lambda number: number != round(number))
        columns["y"] = draw(_column(fraction, rows))
    else:
        labels = st.sampled_from(["no", "yes", "äh"]) if target == "text" else st.integers(-3, 12)
        columns["y"] = draw(_classes(labels, rows))
    return SampleTable(columns, draw(st.sampled_from(MISSING)))
