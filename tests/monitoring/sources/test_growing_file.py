"""Growing files: whole lines only, each once, in any pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.monitoring.sources import growing_file
from streamgauge.monitoring.sources.growing_file import GrowingFile
from streamgauge.monitoring.sources.json_lines import JsonLines
from streamgauge.monitoring.sources.lines import CsvLines


def all_cells(source: GrowingFile, column: str) -> list[object]:
    found: list[object] = []
    while (piece := source.read()) is not None:
        found += piece.columns[column].to_pylist()
    return found


@pytest.mark.parametrize("size", [1, 7, 30, 1 << 20])
def test_pieces_of_any_size_give_the_same_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", size)
    path = tmp_path / "log.csv"
    path.write_text('id,text\n1,"a,b"\n2,c\n3,ä\n4,half')
    source = GrowingFile(path, CsvLines(["text"], "log.csv"))
    assert all_cells(source, "text") == ["a,b", "c", "ä"]
    with path.open("a") as file:
        file.write(" done\n")
    assert all_cells(source, "text") == ["half done"]
    assert source.position["lines"] == 5


def test_a_file_may_appear_later(tmp_path: Path) -> None:
    source = GrowingFile(tmp_path / "log.csv", CsvLines(["id"], "log.csv"))
    assert source.read() is None
    (tmp_path / "log.csv").write_text("id\n1\n")
    assert all_cells(source, "id") == ["1"]


def test_json_lines_may_lack_keys_and_mix_types(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"id": 1, "p": "a"}\n{"id": "x", "other": []}\nnonsense\n\n{"p": null}\n')
    piece = GrowingFile(path, JsonLines(["id", "p"], "log.jsonl")).read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == ["1", "x", None]
    assert piece.columns["p"].to_pylist() == ["a", None, None]
    assert piece.unreadable == 1
    assert "line 3" in piece.examples[0]


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("id,label\n1,a\n")
    source = GrowingFile(tmp_path / "log.csv", CsvLines(["id", "labell"], "log.csv"))
    with pytest.raises(sg.UsageError, match=r"no column 'labell' .did you mean"):
        source.read()


def test_it_goes_on_from_a_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", 8)
    path = tmp_path / "log.csv"
    path.write_text("id\n" + "".join(f"{i}\n" for i in range(20)))
    source = GrowingFile(path, CsvLines(["id"], "log.csv"))
    source.read()
    source.read()
    again = GrowingFile(path, CsvLines(["id"], "log.csv"))
    again.seek(source.position)
    assert all_cells(again, "id") == all_cells(source, "id")
