"""Rows cached while a file was opened: the first pass uses them; a changed file is an error."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support import file_stamp
from streamgauge.streams import _read_ahead
from streamgauge.streams.formats.csv import first_pass_cache
from streamgauge.streams.formats.csv.table import CsvTable
from streamgauge.streams.formats.open_table import open_table
from tests.streams.chunks import chunks_of
from tests.streams.tables import whole

ROWS = 400


def write(path: Path, shift: int = 0) -> None:
    """Write a file whose size does not depend on `shift`, but whose modification time does."""
    lines = [f"{1000 + i + shift},w{i % 7},{i % 2}" for i in range(ROWS)]
    text = ("a,b,y\n" + "\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    os.utime(path, (1_000_000 + shift, 1_000_000 + shift))


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """Row and byte where each pass over the file itself started."""
    started: list[tuple[int, int]] = []
    original = CsvTable.chunks

    def chunks(self, features, types, rows=0, offset=0, cores=1):  # type: ignore[no-untyped-def]
        started.append((rows, offset))
        return original(self, features, types, rows, offset, cores)

    monkeypatch.setattr(CsvTable, "chunks", chunks)
    monkeypatch.setattr(file_stamp, "_COARSEST_NS", -(10**12))  # as if the file were old
    with chunks_of(512):
        yield started


@pytest.mark.parametrize("name", ["table.csv", "table.csv.gz"])
@pytest.mark.parametrize("max_bytes", [0, 1, 4000, first_pass_cache.MAX_BYTES])
def test_cached_rows_equal_parsed_rows(
    tmp_path: Path,
    passes: list[tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
    max_bytes: int,
    name: str,
) -> None:
    monkeypatch.setattr(first_pass_cache, "MAX_BYTES", max_bytes)
    write(tmp_path / name)
    stream = sg.read(tmp_path / name, "y")
    first, second = whole(stream), whole(stream)
    assert first.X[:, 0].tolist() == list(range(1000, 1000 + ROWS))
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    if max_bytes < 4000:
        assert passes == [(0, 0)] * 3
    elif max_bytes == 4000:
        read, end = passes[1]
        assert 0 < read < ROWS
        assert len("a,b,y\n") + read * len("1000,w0,0\n") == end
    else:
        assert passes == [(0, 0)] * 2  # the first pass parsed nothing


def test_changed_file_is_an_error_although_all_rows_are_cached(
    tmp_path: Path, passes: list[tuple[int, int]]
) -> None:
    path = tmp_path / "table.csv"
    write(path)
    stream = sg.read(path, "y")
    write(path, shift=5)
    with pytest.raises(
        sg.InputError, match=r"table\.csv: the file has changed since it was opened"
    ):
        whole(stream)


@pytest.mark.parametrize(("max_bytes", "threads"), [(4000, 1), (first_pass_cache.MAX_BYTES, 0)])
def test_a_pass_over_cached_rows_alone_starts_no_thread(
    tmp_path: Path,
    passes: list[tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
    max_bytes: int,
    threads: int,
) -> None:
    monkeypatch.setattr(first_pass_cache, "MAX_BYTES", max_bytes)
    monkeypatch.setattr(_read_ahead, "available_cores", lambda: 2)
    started: list[str] = []

    def pool(workers: int, name: str) -> ThreadPoolExecutor:
        started.append(name)
        return ThreadPoolExecutor(workers, name)

    monkeypatch.setattr(_read_ahead, "ThreadPoolExecutor", pool)
    write(tmp_path / "table.csv")
    stream = sg.read(tmp_path / "table.csv", "y")
    assert sum(len(block) for block in stream.blocks(10)) == ROWS
    assert len(started) == threads


def test_file_changed_after_cached_rows_raises_error(
    tmp_path: Path, passes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_pass_cache, "MAX_BYTES", 4000)
    path = tmp_path / "table.csv"
    write(path)
    blocks = sg.read(path, "y").blocks(10)
    assert next(blocks).X[0, 0] == 1000
    write(path, shift=5)
    with pytest.raises(sg.InputError, match=r"has changed since it was opened; .*read it again"):
        list(blocks)


def test_new_file_is_not_cached(
    tmp_path: Path, passes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system's clock may be too coarse to tell a second change from the first."""
    monkeypatch.undo()
    write(tmp_path / "table.csv")
    table = open_table(tmp_path / "table.csv")
    cache = first_pass_cache.FirstPassCache(table.stamp)
    types = {"a": pa.float64(), "y": pa.string()}
    for chunk in table.chunks(["a", "y"], types):
        cache.add(chunk)
    assert list(cache.take({"a", "y"})) == []
