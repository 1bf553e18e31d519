"""Paths inside a folder that streamgauge writes in: no link below that folder is followed.

A store, a cache or a state folder may come from elsewhere, with links in it to files of the user.
Every operation here opens the folders on the way one from the other, and refuses links. The folder
itself may be a link: the user has named it.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from streamgauge._support.errors import UsageError
from streamgauge._support.paths import check_path

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_FILE = _NO_LINK | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for a reader
_CALLS = {os.open, os.mkdir, os.rename, os.unlink, os.stat, os.readlink}
# Elsewhere (Windows) links are looked for before each operation.
_BY_HANDLE = _NO_LINK != 0 and os.supports_dir_fd >= _CALLS and os.listdir in os.supports_fd


class LinkError(UsageError, OSError):
    """A link where streamgauge would write or delete."""


class Inside:
    """A path inside a folder. Operations raise LinkError where a link is on the way.

    Parameters
    ----------
    top
        The folder. Links to it and above it are followed.
    parts
        The names below it.
    """

    def __init__(self, top: str | Path, *parts: str) -> None:
        self._top, self._parts = check_path(top).absolute(), parts

    @classmethod
    def of(cls, path: str | Path) -> Inside:
        """The path of a file in a folder that the user has named."""
        return cls(Path(path).parent, Path(path).name)

    def __truediv__(self, name: str) -> Inside:
        if name in ("", os.curdir, os.pardir) or os.path.basename(name) != name:
            raise ValueError(f"{name!r} is not the name of a file in a folder")
        return Inside(self._top, *self._parts, name)

    def __str__(self) -> str:
        return str(self.path)

    @property
    def path(self) -> Path:
        """The path for reading, for messages, and for other programs."""
        return self._top.joinpath(*self._parts)

    @property
    def name(self) -> str:
        """The last part."""
        return self._parts[-1]

    @property
    def parent(self) -> Inside:
        """The folder that it is in."""
        return Inside(self._top, *self._parts[:-1])

    def make(self) -> Inside:
        """Make the folder, and those above it, unless they exist; return it."""
        try:
            with self._folder():
                return self
        except FileNotFoundError:
            pass
        if self._parts:
            self.parent.make()
            with self._place() as (name, handle), suppress(FileExistsError):
                os.mkdir(name, dir_fd=handle)
        else:
            self._top.mkdir(parents=True, exist_ok=True)
        with self._folder():
            return self

    @contextmanager
    def scratch(self, prefix: str) -> Iterator[Inside]:
        """A new folder in this one, which is removed in the end.

        Its name cannot be guessed, so that it may be written by its path.
        """
        made = self / f"{prefix}{secrets.token_hex(8)}"
        with made._place() as (name, handle):
            os.mkdir(name, 0o700, dir_fd=handle)
        try:
            yield made
        finally:
            made.remove()

    def names(self) -> list[str]:
        """The names in the folder."""
        with self._folder() as folder:
            return os.listdir(folder)

    def stat(self) -> os.stat_result:
        """What is there."""
        with self._place() as (name, handle):
            _check_link(name, handle, self.path)
            return os.stat(name, dir_fd=handle, follow_symlinks=False)

    def exists(self) -> bool:
        """Whether anything is there, a link too."""
        try:
            self.stat()
        except LinkError:
            return True
        except OSError:
            return False
        return True

    def is_folder(self) -> bool:
        """Whether a folder is there, and no link to one."""
        try:
            return stat.S_ISDIR(self.stat().st_mode)
        except OSError:
            return False

    def open(self, mode: str) -> BinaryIO:
        """Open the file for bytes, as Python does; "w" makes a new one in place of what is there.

        Raises OSError for pipes and devices, which may not end.
        """
        if "w" in mode:
            self.unlink()
            mode = mode.replace("w", "x")
        opened = open(self.path, mode, opener=lambda _, flags: self.descriptor(flags))  # noqa: SIM115
        if opened.writable() and os.fstat(opened.fileno()).st_nlink > 1:
            opened.close()
            raise LinkError(
                f"{self.path} has a second name, elsewhere (a hard link), whose content would "
                "change with it: put a copy in its place"
            )
        return cast(BinaryIO, opened)

    def descriptor(self, flags: int) -> int:
        """Open the file as `os.open` does."""
        with self._place() as (name, handle):
            _check_link(name, handle, self.path)
            try:
                opened = os.open(name, flags | _FILE | _AT_ONCE, 0o666, dir_fd=handle)
            except OSError as error:
                error.filename = str(self.path)
                raise
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise OSError(errno.EINVAL, "not a regular file", str(self.path))
        return opened

    def unlink(self) -> None:
        """Remove a file or a link, if it is there."""
        with self._place() as (name, handle), suppress(FileNotFoundError):
            os.unlink(name, dir_fd=handle)

    def remove(self) -> None:
        """Remove a file, a link or a folder with all that is in it."""
        if self.is_folder():
            with self._place() as (name, handle):
                shutil.rmtree(name, ignore_errors=True, dir_fd=handle)
        else:
            self.unlink()

    def replace(self, other: Inside) -> None:
        """Rename it; it takes the place of a file or a link."""
        with self._place() as (old, source), other._place() as (new, target):
            os.replace(old, new, src_dir_fd=source, dst_dir_fd=target)

    def check(self) -> None:
        """Raise LinkError if it is a link."""
        with suppress(FileNotFoundError):
            self.stat()

    @contextmanager
    def _place(self) -> Iterator[tuple[str, int | None]]:
        """Its name, and the handle of the folder that the name is relative to."""
        with self.parent._folder() as folder:
            if isinstance(folder, int):
                yield self.name, folder
            else:
                yield str(folder / self.name), None

    @contextmanager
    def _folder(self) -> Iterator[int | Path]:
        """The handle of the folder itself, or its path where there are no handles."""
        path = self._top
        if not _BY_HANDLE:
            for name in self._parts:
                path /= name
                _check_link(str(path), None, path)
            os.scandir(path).close()  # raises unless it is a folder
            yield path
            return
        handle = os.open(path, _FOLDER)
        try:
            for name in self._parts:
                path /= name
                try:
                    inner = os.open(name, _FOLDER | _NO_LINK, dir_fd=handle)
                except OSError as error:
                    _check_link(name, handle, path)
                    error.filename = str(path)
                    raise
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)


def _check_link(name: str, handle: int | None, path: Path) -> None:
    try:
        target = os.readlink(name, dir_fd=handle)
    except (OSError, ValueError):  # no link
        return
    raise LinkError(
        f"{path} is a link to {target}; streamgauge neither writes nor deletes through links in "
        "its folders: remove the link, or put what it points to in its place"
    )
