"""Saves each finished cell at once, so that a run that was killed can resume."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import streamgauge as sg
from bench.parity.runners import Figures

Made = Figures | str  # figures, or the error message


def versions() -> dict[str, str]:
    """The version of each side; cells of other versions are not reused."""
    files = sorted(Path(sg.__file__).parent.rglob("*.py"))
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    return {"ours": digest, "CapyMOA": _version("capymoa"), "River": _version("river")}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


class Cells:
    """A file with one line of JSON per cell; new cells are appended."""

    def __init__(self, path: Path) -> None:
        self._path, self._versions = path, versions()
        self._known: dict[str, Made] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        with path.open("r+") as file:
            whole = 0
            for line in file:
                if line.endswith("\n"):
                    key, made = json.loads(line)
                    self._known[key] = made
                    whole += len(line.encode())
            file.truncate(whole)  # drop a line cut short by a kill

    def get(
        self,
        side: str,
        learner: str,
        stream: str,
        rows: int,
        seed: int,
        make: Callable[[], Figures],
    ) -> Made:
        """Return the cell from the file, or make and save it; a failure gives its error message."""
        key = "|".join((side, self._versions[side], learner, stream, str(rows), str(seed)))
        if key in self._known:
            return self._known[key]
        began = time.perf_counter()
        try:
            made: Made = make()
        except Exception as error:  # peers fail in many ways
            cause = error.__cause__ or error
            made = " ".join(f"{type(cause).__name__}: {cause}".split())[:160]
        seconds = time.perf_counter() - began
        shown = made if isinstance(made, str) else f"{next(iter(made.values())):.2f}"
        what = f"{side:8} {learner} on {stream}, {rows:,} rows, seed {seed}"
        print(f"{what}: {shown} ({seconds:.1f} s)", file=sys.stderr, flush=True)
        self._known[key] = made
        with self._path.open("a") as file:
            file.write(json.dumps([key, made]) + "\n")
        return made
