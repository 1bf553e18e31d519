"""The folder of an experiment: its plan, runs, failures, and work in progress.

    grids/NAME.json                         the cells of the experiment NAME
    STREAM-LEARNER-0123456789ab/            a complete run
    STREAM-LEARNER-0123456789ab.failed/     failure.json: why the cell has no run
    streams/                                streams that were given in memory
    .running/                               locks, and directories being written

A run appears by one rename, so resuming needs only the names that exist. Locks only save work:
two programs that run the same cell write the same run.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import InputError, UsageError
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._locks import Lock, acquire, is_locked
from streamgauge.experiments._spec import Spec
from streamgauge.runs.store import FAILED, FAILURE, commit, saved_in

GRID_FORMAT = "streamgauge.grid/1"
_LOCK = ".lock"
_PROGRAM = "program-"


class Failure(msgspec.Struct, frozen=True):
    """Why a cell has no run.

    kind: raised (an exception), timeout, memory, died (its process was killed), disk (no space to
    save the run).
    """

    id: str
    kind: str
    message: str
    traceback: str = ""

    @property
    def is_transient(self) -> bool:
        """Whether the machine caused it, so that the next `run` tries the cell again."""
        return self.kind in ("died", "disk")


class StoredPlan(msgspec.Struct, frozen=True):
    """The plan of an experiment as stored in grids/NAME.json."""

    format: str
    name: str
    sha256: str
    spec: dict[str, Any]
    cells: tuple[Cell, ...]


class Program(msgspec.Struct, frozen=True):
    """A program that is running an experiment."""

    name: str
    started: float
    workers: int


class Store:
    """The folder of one or more experiments."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.streams = self.folder / "streams"
        self._running = self.folder / ".running"

    def open(self) -> None:
        """Create the folder and remove what killed programs left behind."""
        try:
            self._running.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{self.folder}: cannot create a store: {error}") from None
        for path in list(self._running.iterdir()):
            lock = acquire(self._running / f"{re.split('[~.]', path.name)[0]}{_LOCK}")
            if lock is not None:  # no running program works on it
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                lock.release()

    def write_plan(self, spec: Spec, cells: list[Cell]) -> None:
        """Store the plan of an experiment; it replaces an earlier plan of the same name."""
        values = msgspec.to_builtins(spec)
        plan = StoredPlan(GRID_FORMAT, spec.name, spec.sha256, values, tuple(cells))
        try:
            (self.folder / "grids").mkdir(exist_ok=True)
            self._write(self.folder / "grids" / f"{spec.slug}.json", msgspec.json.encode(plan))
        except OSError as error:
            raise UsageError(f"{self.folder}: cannot write the plan: {error}") from None

    def plans(self) -> list[StoredPlan]:
        """Every plan in the store, by name."""
        found = []
        for path in sorted((self.folder / "grids").glob("*.json")):
            try:
                found.append(msgspec.json.decode(path.read_bytes(), type=StoredPlan))
            except msgspec.DecodeError as error:
                raise InputError(f"{path}: not the plan of an experiment: {error}") from None
        return found

    def saved(self) -> dict[str, Path]:
        """Directories of runs and failures by short id."""
        return saved_in(self.folder) if self.folder.is_dir() else {}

    def is_done(self, cell: Cell) -> bool:
        """Whether the cell has a complete run."""
        return (self.folder / cell.directory).is_dir()

    def failure(self, cell: Cell) -> Failure | None:
        """The failure of the cell, or None."""
        try:
            text = (self.folder / (cell.directory + FAILED) / FAILURE).read_bytes()
            return msgspec.json.decode(text, type=Failure)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError:  # foreign or damaged: treat the cell as not run
            return None

    def lock(self, cell: Cell) -> Lock | None:
        """Lock the cell for this program; None if another program holds it."""
        return acquire(self._running / f"{cell.short_id}{_LOCK}")

    @contextlib.contextmanager
    def scratch(self, cell: Cell) -> Iterator[Path]:
        """A temporary directory on the same disk, to write the cell's run in."""
        folder = Path(tempfile.mkdtemp(prefix=f"{cell.short_id}~", dir=self._running))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep_run(self, cell: Cell, written: Path) -> None:
        """Move a complete run out of its scratch directory and drop an earlier failure."""
        if not self.is_done(cell):  # else another program was first
            commit(written, self.folder, cell.directory)
        shutil.rmtree(self.folder / (cell.directory + FAILED), ignore_errors=True)

    def keep_failure(self, cell: Cell, failure: Failure) -> None:
        """Store why the cell has no run; it replaces an earlier failure."""
        folder = self.folder / (cell.directory + FAILED)
        folder.mkdir(exist_ok=True)
        self._write(folder / FAILURE, msgspec.json.format(msgspec.json.encode(failure), indent=1))

    @contextlib.contextmanager
    def register_program(self, name: str, workers: int) -> Iterator[None]:
        """Show this program to `status` inside the with block."""
        lock = acquire(self._running / f"{_PROGRAM}{os.getpid()}-{time.time_ns()}{_LOCK}")
        try:
            if lock is not None:
                lock.write(msgspec.json.encode(Program(name, time.time(), workers)))
            yield
        finally:
            if lock is not None:
                lock.release()

    def running(self) -> tuple[list[Program], set[str]]:
        """The programs that are using the store, and the short ids of the cells they run."""
        programs, cells = [], set()
        for path in sorted(self._running.glob(f"*{_LOCK}")):
            if is_locked(path):
                if path.name.startswith(_PROGRAM):
                    with contextlib.suppress(OSError, msgspec.DecodeError):
                        programs.append(msgspec.json.decode(path.read_bytes(), type=Program))
                else:
                    cells.add(path.name.removesuffix(_LOCK))
        return programs, cells

    def _write(self, path: Path, text: bytes) -> None:
        """Write a file atomically."""
        handle, aside = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text + b"\n")
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(0o644)
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
