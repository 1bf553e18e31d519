"""Paths inside a folder: all of an operation's way is free of links, or it is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support import inside
from streamgauge._support.inside import Inside, LinkError


@pytest.fixture(autouse=True, params=["by handle", "by path"])
def _ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by path":  # as on Windows
        monkeypatch.setattr(inside, "_BY_HANDLE", False)
        monkeypatch.setattr(inside, "_NO_LINK", 0)
        monkeypatch.setattr(inside, "_FILE", inside._FILE & ~getattr(os, "O_NOFOLLOW", 0))


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "file").write_text("keep")
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "link").symlink_to("../victim")
    (tmp_path / "top" / "dangling").symlink_to("../victim/new")
    (tmp_path / "top" / "to_file").symlink_to("../victim/file")
    return tmp_path / "top"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a", "../x"])
def test_a_name_is_one_part_of_a_path(top: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a file in a folder"):
        Inside(top) / name


def test_every_operation_through_a_link_is_refused(top: Path) -> None:
    below = Inside(top) / "link" / "file"
    for operation in (
        below.stat, below.unlink, below.make, below.check, lambda: below.open("rb"),
        lambda: below.open("wb"), lambda: below.open("ab"), lambda: below.replace(Inside(top, "x")),
        (Inside(top) / "dangling").make, (Inside(top) / "link").names,
        lambda: (Inside(top) / "to_file").open("ab"), (Inside(top) / "to_file").check,
        lambda: (Inside(top) / "dangling").descriptor(os.O_RDWR | os.O_CREAT),
        (Inside(top) / "link").scratch("x").__enter__,
    ):  # fmt: skip
        with pytest.raises(LinkError, match=r"is a link to \.\./victim.*remove the link, or put"):
            operation()
    assert issubclass(LinkError, sg.UsageError)
    assert issubclass(LinkError, OSError)
    assert os.listdir(top.parent / "victim") == ["file"]
    assert (top.parent / "victim" / "file").read_text() == "keep"


def test_link_itself_is_replaced_or_removed(top: Path) -> None:
    for name in ("link", "dangling", "to_file"):
        place = Inside(top) / name
        assert place.exists()
        assert not place.is_folder()
    with (Inside(top) / "to_file").open("wb") as file:
        file.write(b"own")
    (Inside(top) / "to_file").replace(Inside(top) / "dangling")
    assert (top / "dangling").read_text() == "own"
    (Inside(top) / "link").remove()
    assert os.listdir(top) == ["dangling"]
    assert (top.parent / "victim" / "file").read_text() == "keep"


def test_removing_a_folder_leaves_what_links_in_it_point_to(top: Path) -> None:
    (top / "own" / "deep").mkdir(parents=True)
    (top / "own" / "deep" / "link").symlink_to(top.parent / "victim")
    (Inside(top) / "own").remove()
    assert not (top / "own").exists()
    assert (top.parent / "victim" / "file").exists()


def test_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "named").symlink_to("real")
    place = (Inside(tmp_path / "named") / "a").make() / "b"
    with place.open("wb") as file:
        file.write(b"x")
    assert (tmp_path / "real" / "a" / "b").read_bytes() == b"x"
    assert Inside.of(tmp_path / "named" / "a").names() == ["b"]


def test_file_with_a_second_name_is_written_anew_but_not_in_place(top: Path) -> None:
    victim = top.parent / "victim" / "file"
    os.link(victim, top / "second")
    for mode in ("ab", "r+b"):
        with pytest.raises(LinkError, match="has a second name, elsewhere"):
            (Inside(top) / "second").open(mode)
    with (Inside(top) / "second").open("wb") as file:
        file.write(b"own")
    assert ((top / "second").read_text(), victim.read_text()) == ("own", "keep")


def test_pipe_does_not_block(top: Path) -> None:
    os.mkfifo(top / "pipe")
    for mode in ("rb", "ab", "r+b"):
        with pytest.raises(OSError, match="pipe"):
            (Inside(top) / "pipe").open(mode)


def test_scratch_folder_is_gone_afterwards(top: Path) -> None:
    with Inside(top).scratch("x~") as made:
        (made.path / "file").write_text("x")
        assert made.name.startswith("x~")
    assert not made.exists()
    assert made.path.parent == top


def test_no_handle_is_left_open(top: Path) -> None:
    handles = Path("/proc/self/fd")
    if not handles.exists():
        pytest.skip("no /proc")
    before = len(os.listdir(handles))
    for _ in range(20):
        for name in ("link", "none", "to_file"):
            with pytest.raises(OSError, match=name):
                (Inside(top) / name / "file").open("rb")
        with (Inside(top) / "own").open("wb"):
            pass
        Inside(top).names()
    assert len(os.listdir(handles)) == before
