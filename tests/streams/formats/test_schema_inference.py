"""A column of dates or times never becomes a feature unnoticed."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from tests.messages import error_of

TIMES = [
    "2013-01-01T11:00Z", "2013-01-01 11:00:00", "2013-01-01", "2013-01-01T11:00:00.25+01:00",
    "2013/01/31", "1/31/1998", "31.12.1998 11:05", "12/31/13 9:05 PM", "2013-01-01 11:00 UTC",
]  # fmt: skip
NOT_TIMES = ["10-20-30", "1.2.13", "11:00", "2013-W05", "DL-2013", "2013-01", "31/12", "1/2/3/4"]


def write(path: Path, cells: list[str], filler: int = 0) -> Path:
    rows = [""] * filler + cells * 2
    path.write_text("when,x,y\n" + "".join(f"{c},{i},{i % 2}\n" for i, c in enumerate(rows)))
    return path


@pytest.mark.parametrize("cell", TIMES)
def test_times_in_a_file_are_refused_as_a_feature(tmp_path: Path, cell: str) -> None:
    path = write(tmp_path / "a.csv", [cell, cell])
    message = error_of(sg.read, path, "y")
    assert f"a.csv: column 'when' holds times such as '{cell}'; expected a numeric or" in message
    for advice in ("arrives='when'", "--arrives", "drop=['when'] (--drop)", "nominal=['when']"):
        assert advice in message
    assert error_of(sg.read, path, "y", features=["when"]) == message
    assert sg.read(path, "y", drop=["when"]).schema.features == ("x",)
    assert sg.read(path, "y", nominal=["when"]).schema.values[0] == (cell,)


@pytest.mark.parametrize("cell", NOT_TIMES)
def test_other_texts_are_nominal(tmp_path: Path, cell: str) -> None:
    path = write(tmp_path / "a.csv", [cell, "2013-01-01"])
    assert sg.read(path, "y").schema.values[0] == tuple(sorted([cell, "2013-01-01"]))


def test_empty_cells_do_not_hide_times(tmp_path: Path) -> None:
    assert "holds times" in error_of(sg.read, write(tmp_path / "a.csv", ["2013-01-01"], 30), "y")
    many = write(tmp_path / "b.csv", ["2013-01-01"], 30_000)  # beyond the first batch
    assert "holds times" in error_of(sg.read, many, "y")


def test_times_may_be_arrivals_or_classes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["2013-01-01", "2013-01-02"])
    assert sg.read(path, "y", arrives="when").schema.clock == "local"
    assert sg.read(path, "when").schema.classes == ("2013-01-01", "2013-01-02")


def test_times_in_frames_and_parquet_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame({"when": pd.to_datetime(["2013-01-01"] * 4), "y": [0, 1, 0, 1]})
    assert "column 'when' has type timestamp" in error_of(sg.from_frame, frame, "y")
    text = frame.assign(when="2013-01-01")
    for each in (text, pl.from_pandas(text), pa.Table.from_pandas(text)):
        assert "column 'when' holds times" in error_of(sg.from_frame, each, "y")
    pq.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
    message = error_of(sg.read, tmp_path / "a.parquet", "y")
    kind = pq.read_schema(tmp_path / "a.parquet").field("when").type  # pandas 2 and 3 differ
    assert f"has type {kind}; expected a numeric or nominal feature, not a time" in message
    rows = [({"when": "2013-01-01"}, 0), ({"when": "2013-01-02"}, 1)]
    assert "column 'when' holds times" in error_of(sg.from_rows, rows)
