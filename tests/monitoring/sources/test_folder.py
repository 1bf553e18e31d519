"""Folders: each file once, in the order of the names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streamgauge.monitoring.sources.folder import Folder
from streamgauge.streams.formats.pieces import Piece


def pieces(source: Folder) -> list[Piece]:
    return list(iter(source.read, None))


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
    source = Folder(["id"], tmp_path, path=".")
    assert ids(source) == ["1", "2", "3", "4", "5", "6"]
    assert ids(source) == []
    (tmp_path / "0.csv").write_text("id\n7\n")
    assert ids(source) == ["7"]
    again = Folder(["id"], tmp_path, path=".")
    again.seek(source.position)
    assert ids(again) == []


def test_it_goes_on_within_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgauge.monitoring.sources.growing_file.PIECE_BYTES", 6)
    monkeypatch.setattr("streamgauge.streams.formats._parquet_file.ROWS", 2)
    (tmp_path / "1.csv").write_text("id\n" + "".join(f"{i}\n" for i in range(10)))
    pq.write_table(pa.table({"id": range(10, 20)}), tmp_path / "2.parquet")
    whole = ids(Folder(["id"], tmp_path, path="."))
    assert whole == [str(i) for i in range(20)]
    for reads in range(1, 12):
        source = Folder(["id"], tmp_path, path=".")
        before: list[str] = []
        for _ in range(reads):
            piece = source.read()
            before += map(str, piece.columns["id"].to_pylist() if piece else [])
        again = Folder(["id"], tmp_path, path=".")
        again.seek(source.position)
        assert before + ids(again) == whole


def test_a_file_that_grows_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "1.csv"
    path.write_text("id\n1\n")
    source = Folder(["id"], tmp_path, path=".")
    assert ids(source) == ["1"]
    path.write_text("id\n1\n2\n")
    again = Folder(["id"], tmp_path, path=".")
    again.seek(source.position)
    assert ids(source) == ids(again) == ["2"]
    assert ids(source) == []


def test_another_file_of_the_same_name_is_read_and_counted(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id\n1\n")
    pq.write_table(pa.table({"id": [2]}), tmp_path / "2.parquet")
    source = Folder(["id"], tmp_path, path=".")
    assert ids(source) == ["1", "2"]
    (tmp_path / "1.csv").write_text("id\n333\n")
    pq.write_table(pa.table({"id": range(4, 1004)}), tmp_path / "2.parquet")
    found = pieces(source)
    assert [piece.replaced for piece in found] == [1, 1]
    assert len(found[1].columns["id"]) == 1000


def test_file_that_is_replaced_while_a_monitor_is_down_is_read_from_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamgauge.streams.formats._parquet_file.ROWS", 2)
    pq.write_table(pa.table({"id": range(4)}), tmp_path / "1.parquet")
    source = Folder(["id"], tmp_path, path=".")
    source.read()
    again = Folder(["id"], tmp_path, path=".")
    again.seek(source.position)
    assert ids(again) == ["2", "3"]
    pq.write_table(pa.table({"id": range(100, 1100)}), tmp_path / "1.parquet")
    other = Folder(["id"], tmp_path, path=".")
    other.seek(source.position)
    assert ids(other)[:3] == ["100", "101", "102"]
    (tmp_path / "1.parquet").unlink()
    gone = Folder(["id"], tmp_path, path=".")
    gone.seek(source.position)
    (piece,) = pieces(gone)
    assert piece.unreadable == 1


def test_what_cannot_be_read_is_counted_once_and_the_rest_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    (tmp_path / "b.csv").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "c.jsonl")
    os.mkfifo(tmp_path / "d.parquet")
    (tmp_path / "e.parquet").write_bytes(b"PAR1 not yet")
    (tmp_path / "f.csv").write_text("other,columns\n1,2\n")
    (tmp_path / "g.csv").write_bytes(b"\xff\n1\n")
    (tmp_path / "h.csv").symlink_to(tmp_path / "h.csv")
    (tmp_path / "i.parquet").write_bytes(b"")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "j.parquet")
    (tmp_path / "k.csv").write_text("id\n7\n")
    (tmp_path / os.fsdecode(b"\xff.parquet")).write_bytes(b"?")
    source = Folder(["id"], tmp_path, path=".")
    found = pieces(source)
    assert [piece.columns["id"].to_pylist() for piece in found if len(piece.numbers)] == [["7"]]
    assert sum(piece.unreadable for piece in found) == 11
    assert all(str(tmp_path) in piece.examples[0] for piece in found if piece.unreadable)
    assert pieces(source) == []
    again = Folder(["id"], tmp_path, path=".")
    again.seek(json.loads(json.dumps(source.position)))
    assert pieces(again) == []
    (tmp_path / "e.parquet").write_bytes(b"PAR1 not yet, but soon")
    assert pieces(source) == [], "it is not counted again"
    pq.write_table(pa.table({"id": [8]}), tmp_path / "e.parquet")
    assert ids(source) == ["8"]
