"""Files that appear only when they are complete, and outputs that are not files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streamgauge._support.errors import InputError
from streamgauge._support.inside import Inside
from streamgauge._support.whole_file import output_file, whole_file


def test_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with whole_file(Inside.of(path), synced=True) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["x"]


def test_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(TypeError), whole_file(Inside.of(path)) as file:
        file.writelines([b"new", "not bytes"])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x"]


def test_link_in_a_store_is_replaced_and_that_of_a_user_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("keep")
    link.symlink_to(target)
    with output_file(link) as file:
        file.write(b"through")
    assert (link.is_symlink(), target.read_text()) == (True, "through")
    with whole_file(Inside.of(link)) as file:
        file.write(b"instead")
    assert (link.is_symlink(), link.read_text()) == (False, "instead")
    assert target.read_text() == "through"


def test_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with output_file(pipe) as file:
        file.write(b"text")
    assert os.read(reader, 9) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


def test_folder_of_an_output_is_made(tmp_path: Path) -> None:
    with output_file(tmp_path / "a" / "b" / "x") as file:
        file.write(b"text")
    assert (tmp_path / "a" / "b" / "x").read_bytes() == b"text"


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.mkdir()
    with (
        pytest.raises(InputError, match="x: is a folder; expected a file"),
        whole_file(Inside.of(path)) as file,
    ):
        file.write(b"new")
    assert os.listdir(tmp_path) == ["x"]
