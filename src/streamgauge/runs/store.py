"""Runs on disk: one directory each, written under a temporary name and renamed when complete."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from streamgauge._support.inside import Inside
from streamgauge._support.paths import check_path
from streamgauge.runs.directories import FAILED, PARTS, RUN_FILE, directory_name
from streamgauge.runs.integrity import damage, described, sealed

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

_SAME = ("counts", "summaries", "confusion")


def save_run(run: Run, folder: Path) -> Path:
    """Write run.json and the files of its parts; return their directory.

    Saving the same run again changes nothing. A run with the same id but other numbers (an unseeded
    learner) gets its own directory.
    """
    place = Inside(check_path(folder, utf8=True)).make()
    # The dot hides an unfinished directory, so that it is never taken for a run.
    with place.scratch(".writing-") as aside:
        run._parts.write(aside.path)
        values = {"id": run.id, **run.to_dict(), "files": described(aside.path, PARTS)}
        (aside.path / RUN_FILE).write_bytes(sealed(values))  # last: the others are not newer
        aside.path.chmod(0o755)
        name = directory_name(run.stream.name, run.title, run.id)
        directory = commit(aside, place, name, FAILED if run.failure else "")
    run._parts.saved_in(directory)
    return directory


def commit(
    aside: Inside,
    folder: Inside,
    name: str,
    ending: str = "",
    damage: Callable[[Path], str | None] = damage,
) -> Path:
    """Rename a finished directory, after its files have reached the disk.

    A power cut therefore leaves no run with empty files. If the same run exists already, files that
    it lacks are added; only a damaged run is replaced.
    """
    for file in aside.names():
        _sync(aside / file)
    for attempt in itertools.count(1):
        directory = folder / f"{name}{'' if attempt == 1 else f'-{attempt}'}{ending}"
        try:
            aside.replace(directory)
        except OSError:
            if not directory.exists():
                raise
            if damage(directory.path) is not None:
                _replace(directory, aside)
            elif _same_numbers(aside, directory):
                _add_files(aside, directory)
            else:
                continue
        return directory.path
    raise AssertionError("unreachable")


def _replace(directory: Inside, new: Inside) -> None:
    """Replace a damaged directory by a new one."""
    old = new.parent / f"{new.name}.damaged"  # hidden, beside the new one
    directory.replace(old)
    new.replace(directory)
    old.remove()


def _add_files(aside: Inside, directory: Inside) -> None:
    """Add the files that the same run lacks, then list them."""
    theirs, ours = _document(directory), _document(aside)["files"]
    new = {name: each for name, each in ours.items() if name not in theirs["files"]}
    for name in new:
        (aside / name).replace(directory / name)
    if new:
        del theirs["checksum"]
        (aside.path / RUN_FILE).write_bytes(sealed(theirs | {"files": theirs["files"] | new}))
        _sync(aside / RUN_FILE)
        (aside / RUN_FILE).replace(directory / RUN_FILE)


def _same_numbers(one: Inside, other: Inside) -> bool:
    ours, theirs = _document(one), _document(other)
    return all(ours[part] == theirs[part] for part in _SAME)


def _document(directory: Inside) -> Any:
    return msgspec.json.decode((directory.path / RUN_FILE).read_bytes())


def _sync(file_of_ours: Inside) -> None:
    """Wait until a file has reached the disk."""
    with file_of_ours.open("rb+") as file:
        os.fsync(file.fileno())
