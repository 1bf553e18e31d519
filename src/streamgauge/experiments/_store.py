"""An experiment's folder: its plan, its runs, its failures, and what is being worked on.

    grids/NAME.json                         the cells of the experiment NAME
    STREAM-LEARNER-0123456789ab/            a complete run
    STREAM-LEARNER-0123456789ab.failed/     failure.json: why there is none
    .running/                               claims, and directories that are being written

A run appears by one rename, so the names that exist are all that resuming needs to know. Claims
only keep two programs from doing the same cell twice; nothing is wrong if they do.
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
from streamgauge.experiments._locks import Claim, is_held, take
from streamgauge.experiments._spec import Spec
from streamgauge.runs.store import FAILED, FAILURE, commit, saved_in

GRID_FORMAT = "streamgauge.grid/1"
_DIGITS = 12
_CLAIM = ".claim"


class Failure(msgspec.Struct, frozen=True):
    """Why a cell has no run.

    kind: raised (an error, here is its traceback), timeout, memory, died (its process was killed),
    disk (there was no room to save it).
    """

    id: str
    kind: str
    message: str
    traceback: str = ""

    @property
    def is_the_machines(self) -> bool:
        """Not the cell's fault: worth another try the next time."""
        return self.kind in ("died", "disk")


class GridFile(msgspec.Struct, frozen=True):
    """A plan as it lies in the store."""

    format: str
    name: str
    sha256: str
    spec: dict[str, Any]
    cells: tuple[Cell, ...]


class Live(msgspec.Struct, frozen=True):
    """A program that works on an experiment right now."""

    name: str
    began: float
    workers: int


class Store:
    """The folder of one or more experiments."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._running = self.folder / ".running"

    def open(self) -> None:
        """Make it, and clear away what killed programs left."""
        try:
            self._running.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{self.folder}: no store can be made there: {error}") from None
        for path in list(self._running.iterdir()):
            claim = take(self._running / f"{re.split('[~.]', path.name)[0]}{_CLAIM}")
            if claim is not None:  # nobody is alive who works on it
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                claim.release()

    def write_plan(self, spec: Spec, cells: list[Cell]) -> None:
        """What there is to do; the newest plan of a name takes the place of the one before."""
        values = msgspec.to_builtins(spec)
        plan = GridFile(GRID_FORMAT, spec.name, spec.sha256, values, tuple(cells))
        try:
            (self.folder / "grids").mkdir(exist_ok=True)
            self._write(self.folder / "grids" / f"{spec.slug}.json", msgspec.json.encode(plan))
        except OSError as error:
            raise UsageError(f"{self.folder}: the plan cannot be written: {error}") from None

    def plans(self) -> list[GridFile]:
        """Every plan in the store, by name."""
        found = []
        for path in sorted((self.folder / "grids").glob("*.json")):
            try:
                found.append(msgspec.json.decode(path.read_bytes(), type=GridFile))
            except msgspec.DecodeError as error:
                raise InputError(f"{path}: is no plan of an experiment: {error}") from None
        return found

    def saved(self) -> dict[str, Path]:
        """Runs and failures by the first digits of their ids."""
        return saved_in(self.folder) if self.folder.is_dir() else {}

    def is_done(self, cell: Cell) -> bool:
        """Is there a complete run of the cell?"""
        return (self.folder / cell.place).is_dir()

    def failure(self, cell: Cell) -> Failure | None:
        """Why the cell failed, if it did."""
        try:
            text = (self.folder / (cell.place + FAILED) / FAILURE).read_bytes()
            return msgspec.json.decode(text, type=Failure)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError:  # not ours, or damaged: as good as none
            return None

    def claim(self, cell: Cell) -> Claim | None:
        """The cell, for this program alone; None if another one has it."""
        return take(self._running / f"{cell.id[:_DIGITS]}{_CLAIM}")

    @contextlib.contextmanager
    def scratch(self, cell: Cell) -> Iterator[Path]:
        """A directory to write the cell's run in, on the same disk."""
        place = Path(tempfile.mkdtemp(prefix=f"{cell.id[:_DIGITS]}~", dir=self._running))
        try:
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def keep(self, cell: Cell, made: Path) -> None:
        """A complete run, out of its scratch directory; what failed before is forgotten."""
        if not self.is_done(cell):  # else another program was first
            commit(made, self.folder, cell.place)
        shutil.rmtree(self.folder / (cell.place + FAILED), ignore_errors=True)

    def keep_failure(self, cell: Cell, failure: Failure) -> None:
        """Why there is no run; the newest failure takes the place of the one before."""
        place = self.folder / (cell.place + FAILED)
        place.mkdir(exist_ok=True)
        self._write(place / FAILURE, msgspec.json.format(msgspec.json.encode(failure), indent=1))

    @contextlib.contextmanager
    def live(self, name: str, workers: int) -> Iterator[None]:
        """While this lasts, `status` sees that somebody works."""
        claim = take(self._running / f"program-{os.getpid()}-{time.time_ns()}{_CLAIM}")
        try:
            if claim is not None:
                claim.write(msgspec.json.encode(Live(name, time.time(), workers)))
            yield
        finally:
            if claim is not None:
                claim.release()

    def at_work(self) -> tuple[list[Live], set[str]]:
        """Programs that work on the store now, and the cells (first digits) they are at."""
        programs, cells = [], set()
        for path in sorted(self._running.glob(f"*{_CLAIM}")):
            if is_held(path):
                if path.name.startswith("program-"):
                    with contextlib.suppress(OSError, msgspec.DecodeError):
                        programs.append(msgspec.json.decode(path.read_bytes(), type=Live))
                else:
                    cells.add(path.name.removesuffix(_CLAIM))
        return programs, cells

    def _write(self, path: Path, text: bytes) -> None:
        """A file that is there in full or not at all."""
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
