"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from streamgauge._support.errors import InputError
from streamgauge._support.inside import Inside


@contextmanager
def whole_file(place: Inside, synced: bool = False) -> Iterator[IO[bytes]]:
    """Write a file aside and rename it; whatever has its name is replaced, a link too.

    Parameters
    ----------
    place
        The file. Its folder must exist.
    synced
        Whether to wait until it is on the disk.
    """
    aside = place.parent / f".writing-{secrets.token_hex(8)}"
    try:
        with aside.open("xb") as file:
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        aside.replace(place)
    except BaseException as error:
        aside.unlink()
        if isinstance(error, IsADirectoryError):
            raise InputError(f"{place}: is a folder; expected a file: remove it") from error
        raise


@contextmanager
def output_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that the user has named; its folder is made if it is missing.

    A link, a pipe or a device is written to as it is: renaming would replace it.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            yield file
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(Inside.of(path)) as file:
        yield file
