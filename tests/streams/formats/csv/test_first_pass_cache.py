"""Rows kept from opening a file: the first pass has them, unless the file has changed."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.formats import tables
from streamgauge.streams.formats.csv import first_pass_cache as held
from tests.streams.tables import whole

ROWS = 400


def write(path: Path, shift: int = 0) -> None:
    """The same size whatever the shift; each time a later time."""
    lines = [f"{1000 + i + shift},w{i % 7},{i % 2}" for i in range(ROWS)]
    text = ("a,b,y\n" + "\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    os.utime(path, (1_000_000 + shift, 1_000_000 + shift))


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Where each pass over the file itself began: row and byte."""
    begun: list[tuple[int, int]] = []
    before = tables.CsvTable.pieces

    def pieces(self, columns, types, read=0, end=0):  # type: ignore[no-untyped-def]
        begun.append((read, end))
        return before(self, columns, types, read, end)

    monkeypatch.setattr(tables.CsvTable, "pieces", pieces)
    monkeypatch.setattr(tables, "BYTES", 512)
    monkeypatch.setattr(held, "_SETTLED", -(10**12))  # as if the file were old
    return begun


def rows_of(stream: sg.Stream) -> list[float]:
    return list(whole(stream).X[:, 0])


@pytest.mark.parametrize("name", ["table.csv", "table.csv.gz"])
@pytest.mark.parametrize("room", [0, 1, 4000, held.ROOM])
def test_rows_are_the_same(
    tmp_path: Path,
    passes: list[tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
    room: int,
    name: str,
) -> None:
    monkeypatch.setattr(held, "ROOM", room)
    write(tmp_path / name)
    stream = sg.read(tmp_path / name, "y")
    first, second = whole(stream), whole(stream)
    assert first.X[:, 0].tolist() == list(range(1000, 1000 + ROWS))
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    if room < 4000:
        assert passes == [(0, 0)] * 3
    elif room == 4000:
        read, end = passes[1]
        assert 0 < read < ROWS
        assert len("a,b,y\n") + read * len("1000,w0,0\n") == end
    else:
        assert passes == [(0, 0)] * 2  # the first pass parsed nothing


def test_a_changed_file_is_read_anew(tmp_path: Path, passes: list[tuple[int, int]]) -> None:
    path = tmp_path / "table.csv"
    write(path)
    stream = sg.read(path, "y")
    write(path, shift=5)
    assert rows_of(stream) == list(range(1005, 1005 + ROWS))


def test_a_change_between_what_is_kept_and_the_rest(
    tmp_path: Path, passes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "ROOM", 4000)
    path = tmp_path / "table.csv"
    write(path)
    blocks = sg.read(path, "y").blocks(10)
    assert next(blocks).X[0, 0] == 1000
    write(path, shift=5)
    with pytest.raises(sg.InputError, match="changed while it was read; read it again"):
        list(blocks)


def test_a_file_written_just_now_is_not_kept(
    tmp_path: Path, passes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system's clock may be too coarse to tell a second change from the first."""
    monkeypatch.undo()
    write(tmp_path / "table.csv")
    keeps = held.Held(tmp_path / "table.csv")
    for piece in tables.CsvTable(tmp_path / "table.csv").pieces(["a", "y"], _types()):
        keeps.offer(piece)
    assert list(keeps.pieces({"a", "y"})) == []


def _types() -> dict[str, object]:
    import pyarrow as pa

    return {"a": pa.float64(), "y": pa.string()}
