"""The folder of an experiment: its plan, runs, failures, and work in progress.

    grids/NAME.json                         the cells of the experiment NAME
    STREAM-LEARNER-0123456789ab/            a complete run
    STREAM-LEARNER-0123456789ab.failed/     failure.json: why the cell has no run
    streams/                                streams that were given in memory
    .running/                               locks, and directories being written

A run appears by one rename. One whose files are not as they were written is damaged: the next `run`
replaces it. Locks only save work: two programs that run the same cell write the same run.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.file_stamp import read_regular
from streamgauge._support.inside import Inside
from streamgauge._support.locks import Lock, acquire, is_locked
from streamgauge._support.paths import check_path
from streamgauge._support.whole_file import whole_file
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._spec import Spec, slug_of
from streamgauge.runs.directories import FAILED, FAILURE, saved_in
from streamgauge.runs.integrity import damage, read_sealed, sealed
from streamgauge.runs.store import commit

GRID_FORMAT = "streamgauge.grid/2"
_LOCK = ".lock"
_PROGRAM = "program-"
_REMEDY = "the same `streamgauge run` command writes the plan again"


class CellFailure(msgspec.Struct, frozen=True):
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


def _text_of(failure: CellFailure) -> bytes:
    return msgspec.json.format(msgspec.json.encode(failure), indent=1) + b"\n"


class StoredPlan(msgspec.Struct, frozen=True):
    """The plan of an experiment as stored in grids/NAME.json; a checksum follows."""

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

    def __init__(self, folder: str | Path, damage: Callable[..., str | None] = damage) -> None:
        self._damage = damage
        self.name = str(folder)  # as the user gave it, for messages
        self.folder = Path(folder).absolute()  # a learner may change the working directory
        self._place = Inside(self.folder)
        self.streams = self._place / "streams"
        self._running = self._place / ".running"

    def open(self) -> None:
        """Create the folder and remove what killed programs left behind."""
        check_path(self.folder, utf8=True)
        try:
            self._running.make()
        except OSError as error:
            raise UsageError(f"{self.name}: cannot create a store: {error}") from None
        for name in self._running.names():
            with contextlib.suppress(OSError):  # files of other programs stay
                lock = acquire(self._running / f"{re.split('[~.]', name)[0]}{_LOCK}")
                if lock is not None:  # no running program works on it
                    if (self._running / name).is_folder():
                        (self._running / name).remove()
                    lock.release()

    def write_plan(self, spec: Spec, cells: list[Cell]) -> None:
        """Store the plan of an experiment; it replaces an earlier plan of the same name."""
        values = msgspec.to_builtins(spec)
        plan = StoredPlan(GRID_FORMAT, spec.name, spec.sha256, values, tuple(cells))
        try:
            grids = (self._place / "grids").make()
            self._write(grids / f"{slug_of(spec.name)}.json", sealed(msgspec.to_builtins(plan)))
        except OSError as error:
            raise UsageError(f"{self.name}: cannot write the plan: {error}") from None

    def plans(self) -> list[StoredPlan]:
        """Every plan in the store, by name."""
        return self._read_plans()[0]

    def damaged_plans(self) -> list[str]:
        """Why plans in the store cannot be used."""
        return self._read_plans()[1]

    def _read_plans(self) -> tuple[list[StoredPlan], list[str]]:
        found: dict[str, StoredPlan] = {}
        damaged = []
        for path in sorted((self.folder / "grids").glob("*.json")):
            try:
                plan = read_sealed(path, GRID_FORMAT, StoredPlan, _REMEDY)
            except InputError as error:
                damaged.append(str(error))
                continue
            # A copy under another file name is not the plan of that name.
            if plan.name not in found or path.stem == slug_of(plan.name):
                found[plan.name] = plan
        return [found[name] for name in sorted(found)], damaged

    def saved(self) -> dict[str, Path]:
        """Directories of runs and failures by short id."""
        return saved_in(self.folder) if self.folder.is_dir() else {}

    def is_done(self, cell: Cell) -> bool:
        """Whether the cell has a complete run, whose files are as they were written."""
        place = self.folder / cell.directory
        return os.path.lexists(place) and self._damage(place, cell.id) is None

    def failure(self, cell: Cell) -> CellFailure | None:
        """The failure of the cell, or None."""
        try:
            text = read_regular(self.folder / (cell.directory + FAILED) / FAILURE)
            return msgspec.json.decode(text, type=CellFailure)
        except (OSError, msgspec.DecodeError, RecursionError):
            return None  # there is none, or it is foreign or damaged: the cell has not been run

    def lock(self, cell: Cell) -> Lock | None:
        """Lock the cell for this program; None if another program holds it."""
        return acquire(self._running / f"{cell.short_id}{_LOCK}")

    def scratch(self, cell: Cell) -> contextlib.AbstractContextManager[Inside]:
        """A temporary directory on the same disk, to write the cell's run in."""
        return self._running.scratch(f"{cell.short_id}~")

    def keep_run(self, cell: Cell, written: Inside) -> None:
        """Move a complete run out of its scratch directory and drop an earlier failure."""
        if not self.is_done(cell):  # else another program was first
            is_damaged = partial(self._damage, run_id=cell.id)
            commit(written, self._place, cell.directory, damage=is_damaged)
        (self._place / (cell.directory + FAILED)).remove()

    def keep_failure(self, cell: Cell, failure: CellFailure) -> None:
        """Store why the cell has no run; it replaces an earlier failure."""
        folder = self._place / (cell.directory + FAILED)
        if not folder.is_folder():
            folder.remove()
            folder.make()
        try:
            self._write(folder / FAILURE, _text_of(failure))
        except OSError:  # there may be space for the reason alone
            self._write(folder / FAILURE, _text_of(msgspec.structs.replace(failure, traceback="")))

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
        for path in sorted(self._running.path.glob(f"*{_LOCK}")):
            if is_locked(path):
                if path.name.startswith(_PROGRAM):
                    with contextlib.suppress(OSError, msgspec.DecodeError):
                        programs.append(msgspec.json.decode(read_regular(path), type=Program))
                else:
                    cells.add(path.name.removesuffix(_LOCK))
        return programs, cells

    def _write(self, place: Inside, text: bytes) -> None:
        if place.is_folder():
            place.remove()
        with whole_file(place, synced=True) as file:
            file.write(text)
