"""Runs on disk: one directory each, written under a temporary name and renamed when complete.

A name ends in the first digits of the run's id: STREAM-LEARNER-0123456789ab. A failed run's name
ends in `.failed`, so the names alone say which runs exist.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

FORMAT = "streamgauge.run/3"
RUN_FILE = "run.json"
FAILED = ".failed"
FAILURE = "failure.json"  # in the directory of a failed cell: why it has no run
_NAME = re.compile(rf"[^.].*-([0-9a-f]{{12}})({re.escape(FAILED)})?")
_SAME = ("counts", "summary", "confusion")


def save_run(run: Run, folder: Path) -> Path:
    """Write run.json and the files of its parts; return their directory.

    Saving the same run again changes nothing. A run with the same id but other numbers (an unseeded
    learner) gets its own directory.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # The dot hides an unfinished directory, so that it is never taken for a run.
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        values = {"id": run.id, **run.to_dict()}
        text = msgspec.json.format(msgspec.json.encode(values), indent=1) + b"\n"
        (aside / RUN_FILE).write_bytes(text)
        run._parts.write(aside)
        aside.chmod(0o755)
        name = directory_name(run.stream.name, run.name, run.id)
        directory = commit(aside, folder, name, FAILED if run.failure else "")
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    run._parts.saved_in(directory)
    return directory


def directory_name(stream: str, learner: str, run_id: str) -> str:
    """The name of a complete run's directory."""
    return f"{readable(stream)}-{readable(learner)}-{run_id[:12]}"


def commit(aside: Path, folder: Path, name: str, ending: str = "") -> Path:
    """Rename a finished directory, after its files have reached the disk.

    A power cut therefore leaves no run with empty files. If the same run exists already, files that
    it lacks are added; nothing is ever replaced.
    """
    for file in aside.iterdir():
        _sync(file)
    for attempt in itertools.count(1):
        directory = folder / f"{name}{'' if attempt == 1 else f'-{attempt}'}{ending}"
        try:
            aside.rename(directory)
        except OSError:
            if not directory.is_dir():
                raise
            if not _same_numbers(aside, directory):
                continue
            for file in aside.iterdir():
                if not (directory / file.name).exists():
                    file.rename(directory / file.name)
        return directory
    raise AssertionError("unreachable")


def saved_in(folder: Path) -> dict[str, Path]:
    """Runs by the first 12 digits of their id; a complete run hides a failed one."""
    complete: dict[str, Path] = {}
    failed: dict[str, Path] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if found := _NAME.fullmatch(entry.name):
                (failed if found[2] else complete)[found[1]] = Path(entry.path)
    return failed | complete


def _same_numbers(one: Path, other: Path) -> bool:
    ours, theirs = (
        msgspec.json.decode((directory / RUN_FILE).read_bytes()) for directory in (one, other)
    )
    return all(ours[part] == theirs[part] for part in _SAME)


def _sync(path: Path) -> None:
    """Wait until a file has reached the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def readable(name: str) -> str:
    """A name that is safe as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.=]+", "_", name).strip("_")[:60]
