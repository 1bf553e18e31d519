"""Mutated files for a monitor: it reads on, whatever they hold, and after a restart, too."""

from __future__ import annotations

import io
import json
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import streamgauge as sg
from tests.fuzz import limited, mutations

_BATCH = 50  # files between two restarts
_SECONDS = 60  # for a batch
_ROWS = 12
_START = "2026-01-01T00:00"


def _rows(task: str, first: int = 0) -> dict[str, list[Any]]:
    """A feed with everything in it: predictions, and labels that come later."""
    times = [f"{_START}:{i:02}Z" for i in range(_ROWS)]
    numbers = [i / 4 for i in range(_ROWS)]
    words = ["yes" if i % 3 else "no" for i in range(_ROWS)]
    values: list[Any] = words if task == "classification" else numbers
    share = [round(i / _ROWS, 3) for i in range(_ROWS)]
    return {
        "id": list(range(first, first + _ROWS)), "time": times, "prediction": values, "p": share,
        "label": values, "label_time": times,
    }  # fmt: skip


def _csv(rows: dict[str, list[Any]]) -> bytes:
    lines = [",".join(map(str, row)) for row in zip(*rows.values(), strict=True)]
    lines[3:] = ['"' + line.replace(",", '","') + '"' for line in lines[3:]]
    return "\n".join([",".join(rows), *lines, ""]).encode()


def _jsonl(rows: dict[str, list[Any]]) -> bytes:
    cells = zip(*rows.values(), strict=True)
    return "".join(json.dumps(dict(zip(rows, row, strict=True))) + "\n" for row in cells).encode()


def _parquet(rows: dict[str, list[Any]]) -> bytes:
    table = pa.table(rows)
    table = table.set_column(1, "time", table["time"].cast(pa.timestamp("us", "UTC")))
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=5, compression="none")
    return file.getvalue()


FORMATS: dict[str, Callable[[dict[str, list[Any]]], bytes]] = {
    "csv": _csv, "jsonl": _jsonl, "parquet": _parquet,
}  # fmt: skip
TASKS = ("classification", "regression")
WAYS = [(form, "folder") for form in FORMATS] + [("csv", "followed"), ("jsonl", "followed")]


def _config(task: str, path: str) -> dict[str, Any]:
    feed = {"path": path, "prediction": "prediction", "label": "label", "label_time": "label_time"}
    some = {"classes": ["no", "yes"]} if task == "classification" else {"task": task}
    feed |= {"proba": "p"} if task == "classification" else {}
    return {"predictions": feed, "join": {"timeout": "1h", "lateness": "30s"}, **some}


def _damaged(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Mutations; every other one flips single bits, which leaves most of a Parquet file whole."""
    for i, mutated in enumerate(mutations([data], count, seed)):
        rng = random.Random(f"{seed}/{i}")
        flipped = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        yield mutated if i % 2 else bytes(flipped)


def fuzz(folder: Path, form: str, way: str, count: int, seed: int = 1) -> Counter[str]:
    """Feed mutated files to monitors that are restarted in between; return what they counted.

    Parameters
    ----------
    folder
        An empty folder.
    form, way
        One of `WAYS`: files in a folder, or each in the place of the one before.
    count, seed
        How many files, and which.
    """
    found = Counter(files=count)
    for number, start in enumerate(range(0, count, _BATCH)):
        task = TASKS[number % len(TASKS)]
        good = FORMATS[form](_rows(task))
        batch = list(_damaged(good, min(_BATCH, count - start), seed * count + number))
        with limited(_SECONDS), warnings.catch_warnings():
            warnings.simplefilter("error")
            found += _read_all(folder / str(number), task, form, way, [good, *batch])
    return found


def _read_all(home: Path, task: str, form: str, way: str, files: list[bytes]) -> Counter[str]:
    """Read files, the last of them after a restart, and then a good one, which has to be read."""
    path = home / ("in" if way == "folder" else f"log.{form}")
    (home / "in").mkdir(parents=True)
    config = _config(task, path.name)
    monitor = sg.Monitor(config, home=home)
    for number, data in enumerate(files):
        (path / f"{number:06}.{form}" if way == "folder" else path).write_bytes(data)
        if way == "followed" or number == len(files) // 2:
            monitor.catch_up()
    monitor.save()
    before = monitor.status()
    monitor.close()
    monitor = sg.Monitor(config, home=home)
    assert monitor.status() == before
    monitor.catch_up()
    lines = monitor.status()["lines"]["predictions"]
    last = FORMATS[form](_rows(task, 1000))
    (path / f"z.{form}" if way == "folder" else path).write_bytes(last)
    monitor.finish()
    status = monitor.status()
    monitor.close()
    assert status["lines"]["predictions"] == lines + _ROWS
    return Counter(status["counts"]) + Counter(lines=status["lines"]["predictions"])


def fuzz_counts(count: int = 10_000, seed: int = 1) -> dict[str, Counter[str]]:
    """Feed `count` mutated files of every format, in every way, to monitors; what they counted."""
    found = {}
    for form, way in WAYS:
        with TemporaryDirectory() as folder:
            found[f"{form}, {way}"] = fuzz(Path(folder), form, way, count, seed)
    return found
