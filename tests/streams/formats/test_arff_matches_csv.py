"""ARFF files give the same stream as CSV files with the same table."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.chunks import chunks_of
from tests.streams.tables import SampleTable, sample_tables, whole, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arff")


def plain(table: SampleTable) -> SampleTable:
    """Remove what the formats read differently: quotes inside text and spaces around it."""

    def clean(cell: Any) -> Any:
        text = isinstance(cell, str)
        return cell.translate({ord("'"): "z", ord('"'): "b"}).strip() if text else cell

    cleaned = {name: [clean(c) for c in column] for name, column in table.columns.items()}
    return SampleTable(cleaned, "?")


def to_arff(table: SampleTable, stream: sg.Stream, path: Path) -> Path:
    """Write the table with the column types that reading it as CSV inferred."""
    schema = stream.schema
    lists = dict(zip(schema.features, schema.values, strict=True)) | {"y": schema.classes}

    def shown(cell: Any) -> str:
        return "?" if cell is None else f"'{cell}'" if isinstance(cell, str) else repr(cell)

    lines = ["@relation 'a table'"]
    for name in table.columns:
        values = ", ".join(map(shown, lists[name]))
        lines.append(f"@attribute '{name}' " + (f"{{{values}}}" if lists[name] else "numeric"))
    lines.append("@data")
    rows = zip(*table.columns.values(), strict=True)
    lines += [",".join(map(shown, row)) for row in rows]
    return write(path, "\n".join(lines) + "\n")


def assert_same(ours: sg.Stream, theirs: sg.Stream) -> None:
    assert ours.schema == theirs.schema
    first, second = whole(ours), whole(theirs)
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    assert first.y.dtype == second.y.dtype


@given(table=sample_tables())
def test_table_is_the_same_from_csv(folder: Path, table: SampleTable) -> None:
    table = plain(table)
    from_csv = sg.read(table.to_csv(folder / "table.csv"), "y")
    from_arff = sg.read(to_arff(table, from_csv, folder / "table.arff.gz"), "y")
    check_stream(from_arff)
    assert_same(from_arff, from_csv)


@chunks_of(1 << 12)
def test_file_of_many_chunks(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = [
        (round(rng.gauss(0, 1), 3), rng.choice(["u v", "w", "x"]), rng.choice(["no", "yes"]))
        for _ in range(3000)
    ]
    columns = {name: [row[j] for row in rows] for j, name in enumerate(["a", "b", "y"])}
    table = SampleTable(columns, "?")
    from_csv = sg.read(table.to_csv(tmp_path / "table.csv"), "y")
    from_arff = sg.read(to_arff(table, from_csv, tmp_path / "table.arff"), "y")
    check_stream(from_arff)
    assert_same(from_arff, from_csv)
    run = sg.evaluate(from_arff, sg.NaiveBayes())
    assert run.predictions.equals(sg.evaluate(from_csv, sg.NaiveBayes()).predictions)
