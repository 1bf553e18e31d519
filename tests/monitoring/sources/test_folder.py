"""Folders: each file once, in the order of the names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.monitoring.sources.folder import Folder


def ids(source: Folder) -> list[str]:
    found: list[str] = []
    while (piece := source.read()) is not None:
        found += map(str, piece.columns["id"].to_pylist())
    return found


def test_files_of_all_kinds_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id,x\n1,a\n2,b")
    (tmp_path / "2.jsonl").write_text('{"id": 3}\n{"id": 4}\n')
    pq.write_table(pa.table({"id": [5, 6], "x": [0, 0]}), tmp_path / "3.parquet")
    (tmp_path / "4.csv.tmp").write_text("id\n99\n")
    (tmp_path / ".5.csv").write_text("id\n99\n")
    source = Folder(tmp_path, ["id"])
    assert ids(source) == ["1", "2", "3", "4", "5", "6"]
    assert ids(source) == []
    (tmp_path / "0.csv").write_text("id\n7\n")
    assert ids(source) == ["7"]
    again = Folder(tmp_path, ["id"])
    again.seek(source.position)
    assert ids(again) == []


def test_it_goes_on_within_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgauge.monitoring.sources.growing_file.PIECE_BYTES", 6)
    monkeypatch.setattr("streamgauge.monitoring.sources.folder._ROWS", 2)
    (tmp_path / "1.csv").write_text("id\n" + "".join(f"{i}\n" for i in range(10)))
    pq.write_table(pa.table({"id": range(10, 20)}), tmp_path / "2.parquet")
    whole = ids(Folder(tmp_path, ["id"]))
    assert whole == [str(i) for i in range(20)]
    for reads in range(1, 12):
        source = Folder(tmp_path, ["id"])
        before: list[str] = []
        for _ in range(reads):
            piece = source.read()
            before += map(str, piece.columns["id"].to_pylist() if piece else [])
        again = Folder(tmp_path, ["id"])
        again.seek(source.position)
        assert before + ids(again) == whole


def test_a_file_that_changed_after_it_was_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id\n1\n")
    source = Folder(tmp_path, ["id"])
    ids(source)
    (tmp_path / "1.csv").write_text("id\n1\n2\n")
    with pytest.raises(sg.InputError, match="files in a folder must be complete"):
        Folder(tmp_path, ["id"]).seek(source.position)


def test_a_parquet_file_that_is_not_complete_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.parquet").write_bytes(b"PAR1 not yet")
    with pytest.raises(sg.InputError, match="not a complete Parquet file"):
        Folder(tmp_path, ["id"]).read()
