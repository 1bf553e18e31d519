"""Runs on disk: one directory each, written under a temporary name and renamed when complete."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from streamgauge.runs.directories import FAILED, PARTS, RUN_FILE, directory_name
from streamgauge.runs.integrity import damage, described, sealed

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

_SAME = ("counts", "summary", "confusion")


def save_run(run: Run, folder: Path) -> Path:
    """Write run.json and the files of its parts; return their directory.

    Saving the same run again changes nothing. A run with the same id but other numbers (an unseeded
    learner) gets its own directory.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    # The dot hides an unfinished directory, so that it is never taken for a run.
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        run._parts.write(aside)
        values = {"id": run.id, **run.to_dict(), "files": described(aside, PARTS)}
        (aside / RUN_FILE).write_bytes(sealed(values))  # last: the others are not newer
        aside.chmod(0o755)
        name = directory_name(run.stream.name, run.name, run.id)
        directory = commit(aside, folder, name, FAILED if run.failure else "")
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    run._parts.saved_in(directory)
    return directory


def commit(
    aside: Path,
    folder: Path,
    name: str,
    ending: str = "",
    damage: Callable[[Path], str | None] = damage,
) -> Path:
    """Rename a finished directory, after its files have reached the disk.

    A power cut therefore leaves no run with empty files. If the same run exists already, files that
    it lacks are added; only a damaged run is replaced.
    """
    for file in aside.iterdir():
        _sync(file)
    for attempt in itertools.count(1):
        directory = folder / f"{name}{'' if attempt == 1 else f'-{attempt}'}{ending}"
        try:
            aside.rename(directory)
        except OSError:
            if not os.path.lexists(directory):
                raise
            if damage(directory) is not None:
                _replace(directory, aside)
            elif _same_numbers(aside, directory):
                _add_files(aside, directory)
            else:
                continue
        return directory
    raise AssertionError("unreachable")


def _replace(directory: Path, new: Path) -> None:
    """Put a new directory in the place of a damaged one."""
    old = new.with_name(f"{new.name}.damaged")  # hidden, beside the new one
    directory.rename(old)
    new.rename(directory)
    remove(old)


def remove(path: Path) -> None:
    """Remove a directory, a file or a link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _add_files(aside: Path, directory: Path) -> None:
    """Add the files that the same run lacks, then list them."""
    theirs = msgspec.json.decode((directory / RUN_FILE).read_bytes())
    ours = msgspec.json.decode((aside / RUN_FILE).read_bytes())["files"]
    new = {name: each for name, each in ours.items() if name not in theirs["files"]}
    for name in new:
        (aside / name).replace(directory / name)
    if new:
        del theirs["checksum"]
        (aside / RUN_FILE).write_bytes(sealed(theirs | {"files": theirs["files"] | new}))
        _sync(aside / RUN_FILE)
        (aside / RUN_FILE).replace(directory / RUN_FILE)


def _same_numbers(one: Path, other: Path) -> bool:
    ours, theirs = (
        msgspec.json.decode((directory / RUN_FILE).read_bytes()) for directory in (one, other)
    )
    return all(ours[part] == theirs[part] for part in _SAME)


def _sync(path: Path) -> None:
    """Wait until a file has reached the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
