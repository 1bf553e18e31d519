"""Helpers: run experiments in a folder with a spec and mine.py, and compare stores."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import streamgauge as sg

MINE = Path(__file__).parent / "mine.py"
# Where the tests run in the background of a shell, SIGINT is ignored, also by their processes.
ENTRY = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from streamgauge.cli import main; main()"
)
_TIMES = ("seconds", "rows_per_second", "ram_hours")


def grid(**options: Any) -> sg.Grid:
    """A grid of two small streams, two learners and two seeds: eight cells."""
    values = {
        "streams": [{"generate": "SEA(300)"}, {"generate": "Sine1(200)"}],
        "learners": ["NaiveBayes()", "Majority()"],
        "seeds": 2,
        "name": "small",
    }
    return sg.Grid(**{**values, **options})


def write_spec(folder: Path, text: str, name: str = "bench.toml") -> Path:
    """Write the file of an experiment, and mine.py beside it."""
    shutil.copy(MINE, folder / "mine.py")
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def write_plan(made: sg.Grid, store: Path) -> None:
    """Write the plan alone: the program ends before its first cell."""

    class EndedError(Exception): ...

    def end(message: str) -> None:
        raise EndedError

    with contextlib.suppress(EndedError):
        sg.run_grid(made, store, workers=0, started=end)


def write_failure(store: Path, cell: Any, kind: str, message: str, traceback: str = "", /) -> None:
    """Write the file of a failed cell."""
    failed = store / f"{cell.directory}.failed"
    failed.mkdir()
    facts = {"id": cell.id, "kind": kind, "message": message, "traceback": traceback}
    (failed / "failure.json").write_text(json.dumps(facts), encoding="utf-8")


def start(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start `streamgauge ...` in a new process."""
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **options,
    )


def finish(process: subprocess.Popen[bytes], timeout: float = 300) -> str:
    """Wait for the process and return its output."""
    out, _ = process.communicate(timeout=timeout)
    return out.decode()


def contents(store: Path) -> dict[str, Any]:
    """Contents of every file of a store that is not hidden, without times."""
    found: dict[str, Any] = {}
    for path in sorted(store.rglob("*")):
        name = str(path.relative_to(store))
        if path.is_dir() or name.startswith("."):
            continue
        if path.name == "run.json":
            facts = json.loads(path.read_text())
            del facts["time"], facts["checksum"], facts["files"]["cost.parquet"]
            facts["cost"] = {k: v for k, v in facts["cost"].items() if k not in _TIMES}
            found[name] = facts
        elif path.name == "cost.parquet":
            found[name] = None
        else:
            found[name] = path.read_bytes()
    return found


def left_over(store: Path) -> list[str]:
    """Hidden files that must be gone when the experiment is finished."""
    return [str(p.relative_to(store)) for p in store.rglob(".*") if p.name != ".running"] + [
        p.name for p in (store / ".running").iterdir()
    ]
