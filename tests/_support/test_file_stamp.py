"""Files that change, and paths that are no files."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.file_stamp import FileStamp, check_regular_file


def append(path: Path) -> None:
    with path.open("a") as file:
        file.write("3,u\n")


def same_size(path: Path) -> None:
    path.write_text(path.read_text().replace("2", "5"))
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def same_size_and_time(path: Path) -> None:
    found = path.stat()
    path.write_text(path.read_text().replace("2", "5"))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def replaced(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.replace(path)


CHANGES: list[Callable[[Path], object]] = [
    append, same_size, same_size_and_time, replaced, lambda path: path.write_bytes(b"")
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_noticed(tmp_path: Path, change: Callable[[Path], object]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,u\n2,v\n")
    stamp = FileStamp(path)
    stamp.check()
    change(path)
    with pytest.raises(sg.InputError, match=r"t\.csv: the file has changed") as caught:
        stamp.check()
    assert "read it again once it is complete" in str(caught.value)


def test_message_names_both_sizes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"x" * 1500)
    stamp = FileStamp(path)
    path.write_bytes(b"x" * 20)
    with pytest.raises(sg.InputError, match="changed from 1,500 to 20 bytes since it was opened"):
        stamp.check()


def test_removed_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x")
    stamp = FileStamp(path)
    path.unlink()
    with pytest.raises(sg.InputError, match=r"t\.csv: the file is gone: .*put it back and read"):
        stamp.check()


def test_working_directory_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("x")
    stamp = FileStamp(Path("t.csv"))
    monkeypatch.chdir("/")
    stamp.check()
    assert stamp.file == tmp_path / "t.csv"


def test_special_files_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in [(tmp_path / "pipe", "a named pipe"), (Path("/dev/null"), "a device")]:
        with pytest.raises(sg.InputError, match=rf"{path} is {kind}; expected a file.*save the"):
            check_regular_file(path, "a table")


def test_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(sg.InputError, match="s is a socket; expected a file"):
            check_regular_file(Path("s"), "a table")


@pytest.mark.parametrize("name", ["nothing", "file/inside", "x" * 5000, "a\0b"])
def test_paths_that_lead_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(sg.InputError, match="expected a table"):
        check_regular_file(tmp_path / name, "a table")
    with pytest.raises(sg.InputError, match="is a folder; expected a file in it: a table"):
        check_regular_file(tmp_path, "a table")
