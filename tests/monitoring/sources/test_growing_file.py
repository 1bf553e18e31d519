"""Growing files: whole lines only, each once, in any pieces."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.monitoring.sources import growing_file
from streamgauge.monitoring.sources.growing_file import GrowingFile, LineFile
from streamgauge.streams.formats.csv_lines import CsvLines
from streamgauge.streams.formats.json_lines import JsonLines


def all_cells(source: LineFile, column: str) -> list[object]:
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
    source = LineFile(path, CsvLines(["text"], "log.csv"))
    assert all_cells(source, "text") == ["a,b", "c", "ä"]
    with path.open("a") as file:
        file.write(" done\n")
    assert all_cells(source, "text") == ["half done"]
    assert source.position["lines"] == 5


def test_a_file_may_appear_later(tmp_path: Path) -> None:
    source = LineFile(tmp_path / "log.csv", CsvLines(["id"], "log.csv"))
    assert source.read() is None
    (tmp_path / "log.csv").write_text("id\n1\n")
    assert all_cells(source, "id") == ["1"]


def test_json_lines_may_lack_keys_and_mix_types(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"id": 1, "p": "a"}\n{"id": "x", "other": []}\nnonsense\n\n{"p": null}\n')
    piece = LineFile(path, JsonLines(["id", "p"], "log.jsonl")).read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == ["1", "x", None]
    assert piece.columns["p"].to_pylist() == ["a", None, None]
    assert piece.unreadable == 1
    assert "line 3" in piece.examples[0]


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("id,label\n1,a\n")
    source = LineFile(tmp_path / "log.csv", CsvLines(["id", "labell"], "log.csv"))
    with pytest.raises(sg.UsageError, match=r"no column 'labell' .did you mean"):
        source.read()


def test_it_goes_on_from_a_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", 8)
    path = tmp_path / "log.csv"
    path.write_text("id\n" + "".join(f"{i}\n" for i in range(20)))
    source = LineFile(path, CsvLines(["id"], "log.csv"))
    source.read()
    source.read()
    again = LineFile(path, CsvLines(["id"], "log.csv"))
    again.seek(source.position)
    assert all_cells(again, "id") == all_cells(source, "id")


def test_larger_file_in_the_place_of_another_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id\n" + "".join(f"{i}\n" for i in range(10)))
    source = LineFile(path, CsvLines(["id"], "log.csv"))
    assert len(all_cells(source, "id")) == 10
    path.write_text("id\n" + "".join(f"{i}\n" for i in range(100, 125)))  # as copytruncate does
    piece = source.read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == [str(i) for i in range(100, 125)]
    assert piece.replaced == 1
    assert "cut or replaced after 23 bytes" in piece.remarks[0]
    assert source.position["lines"] == 26


def test_file_that_is_cut_goes_on_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    with path.open("a") as file:
        file.write("id,x\n1,a\n2,b\n")
        file.flush()
        source = LineFile(path, CsvLines(["id"], "log.csv"))
        assert all_cells(source, "id") == ["1", "2"]
        os.truncate(path, 0)
        cut = source.read()
        assert cut is not None
        assert (cut.replaced, cut.lines) == (1, 0)
        assert source.read() is None
        file.write("3,c\n4,d\n")
    assert all_cells(source, "id") == ["3", "4"]


@pytest.mark.parametrize("restarted", [False, True])
def test_renamed_file_is_read_to_its_end_before_the_new_one(
    tmp_path: Path, restarted: bool
) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id\n1\n2\n")
    source = LineFile(path, CsvLines(["id"], "log.csv"))
    assert all_cells(source, "id") == ["1", "2"]
    with path.open("a") as old:
        old.write("3\n4\n5 no end")
    path.rename(tmp_path / "log.csv.1")
    position = source.position
    if restarted:
        source = LineFile(path, CsvLines(["id"], "log.csv"))
        source.seek(json.loads(json.dumps(position)))
    assert all_cells(source, "id") == ["3", "4"]
    path.touch()
    assert source.read() is None, "a new file with nothing in it may be waiting for its writer"
    path.write_text("id\n6\n")
    piece = source.read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == ["6"]
    assert (piece.replaced, piece.unreadable) == (1, 1)
    assert "line 6: no end before the file was replaced" in piece.examples[0]


@pytest.mark.parametrize("restarted", [False, True])
def test_same_bytes_elsewhere_are_the_same_file(tmp_path: Path, restarted: bool) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id\n1\n2\n3")
    source = LineFile(path, CsvLines(["id"], "log.csv"))
    assert all_cells(source, "id") == ["1", "2"]
    (tmp_path / "aside").write_text("id\n1\n2\n33\n")
    (tmp_path / "aside").rename(path)
    if restarted:
        again = LineFile(path, CsvLines(["id"], "log.csv"))
        again.seek(source.position)
        source = again
    piece = source.read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == ["33"]
    assert piece.replaced == 0


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("append"), st.integers(0, 30)),
            st.sampled_from([("cut", 0), ("rotate", 0), ("replace", 0), ("restart", 0)]),
            st.just(("read", 0)),
        ),
        max_size=12,
    ),
)
def test_rotated_and_cut_and_restarted_no_line_is_lost_or_given_twice(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    """A reader loses nothing that it can have seen: all before a cut, any part of each file."""
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.touch()
    source = LineFile(path, JsonLines(["id"], "log.jsonl"))
    found = all_cells(source, "id")
    number = 0
    for what, count in steps:
        if what in ("cut", "replace", "read", "restart"):
            found += all_cells(source, "id")
        if what == "append":
            with path.open("a") as file:
                file.writelines(f'{{"id": {i}}}\n' for i in range(number, number + count))
            number += count
        elif what == "cut":
            os.truncate(path, 0)
            source.read()
        elif what == "rotate":
            path.rename(path.with_suffix(f".{number}"))
            path.write_text(f'{{"id": {number}}}\n')
            number += 1
            found += all_cells(source, "id")
        elif what == "replace":
            path.unlink()
            path.write_text("".join(f'{{"id": {i}}}\n' for i in range(number, number + 40)))
            number += 40
            found += all_cells(source, "id")
        elif what == "restart":
            position = source.position
            source.close()
            source = LineFile(path, JsonLines(["id"], "log.jsonl"))
            source.seek(position)
    found += all_cells(source, "id")
    source.close()
    assert found == list(range(number))


def test_file_that_cannot_be_read_is_counted_once_and_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id\n1\n")
    source = LineFile(path, CsvLines(["id"], "log.csv"))
    assert all_cells(source, "id") == ["1"]
    again = LineFile(path, CsvLines(["id"], "log.csv"))
    again.seek(source.position)
    path.unlink()
    path.mkdir()
    piece = again.read()
    assert piece is not None
    assert piece.unreadable == 1
    assert "log.csv: cannot be read: not a regular file" in piece.examples[0]
    assert again.read() is None
    path.rmdir()
    piece = again.read()
    assert piece is not None
    assert (piece.unreadable, len(piece.remarks)) == (0, 1)
    assert "the file is gone" in piece.remarks[0]
    assert again.read() is None
    path.write_text("id\n1\n2\n")
    assert all_cells(again, "id") == ["2"]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("restarted", [False, True])
def test_line_that_does_not_fit_in_memory_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool, restarted: bool
) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", 16)
    monkeypatch.setattr(growing_file, "LONGEST_LINE", 64)
    path = tmp_path / "log.csv"
    path.write_text(f"id\n1\n{'x' * 300}\n2\n{'y' * 300}")
    found, bad = [], []
    source = LineFile(path, CsvLines(["id"], "log.csv"), whole)
    while (piece := source.read()) is not None:
        found += piece.columns["id"].to_pylist()
        bad += piece.examples
        if restarted:
            position = source.position
            source = LineFile(path, CsvLines(["id"], "log.csv"), whole)
            source.seek(position)
    with path.open("a") as file:
        file.write("y\n3\n")
    if not whole:
        while (piece := source.read()) is not None:
            found += piece.columns["id"].to_pylist()
            bad += piece.examples
        assert source.position["lines"] == 6
    assert found == ["1", "2"] + ["3"] * (not whole)
    assert len(bad) == 2
    assert "log.csv, line 3: longer than" in bad[0]
    assert "log.csv, line 5: longer than" in bad[1]


def test_pipe_is_no_file_to_follow(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.csv")
    with pytest.raises(sg.UsageError, match="found a pipe or a device; name '-'"):
        GrowingFile(["id"], tmp_path, path="log.csv")
