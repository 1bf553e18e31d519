"""Peak memory of a run over 1 and 50 million rows, generated or read, in separate processes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.clock import Line

_SMALL, _LARGE = 1_000_000, 50_000_000
_MOST_GROWTH = 64  # megabytes, from a file
_BYTES_A_ROW = 16

_CODE = """
import re, sys, time
import streamgauge as sg
{stream}
began = time.perf_counter()
run = sg.evaluate(stream, sg.NaiveBayes(), predictions=False)
assert run.counts.rows == stream.rows
status = open("/proc/self/status").read()  # getrusage would report the parent's peak if larger
print(int(re.search(r"VmHWM:\\s+(\\d+)", status).group(1)) / 1024, time.perf_counter() - began)
"""
_GENERATED = "stream = sg.SEA(int(sys.argv[1]), seed=1)"
_FROM_FILE = 'stream = sg.read(sys.argv[1], "y")'


def peak_megabytes(rows: int) -> float:
    """Peak of a process that evaluates naive Bayes on this many generated rows."""
    return _peak(_GENERATED, str(rows))[0]


def _peak(stream: str, source: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _CODE.replace("{stream}", stream), source]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    megabytes, seconds = map(float, done.stdout.split())
    return megabytes, seconds


def from_file(folder: Path, rows: int) -> tuple[float, float]:
    """Peak megabytes and seconds of evaluating naive Bayes on a CSV file with this many rows."""
    path = folder / f"{rows}.csv"
    write_rows(path, rows)
    try:
        return _peak(_FROM_FILE, str(path))
    finally:
        path.unlink()


def write_rows(path: Path, rows: int) -> None:
    """Write two features and a class: up to a million different rows, repeated."""
    random = np.random.default_rng(1)
    count = min(rows, 1_000_000)
    x = random.integers(0, 10_000, (count, 2))
    y = (x[:, 0] > x[:, 1]) ^ (random.random(count) < 0.1)
    text = "".join(f"{a},{b / 100},{c}\n" for a, b, c in zip(*x.T, y.astype(int), strict=True))
    with path.open("w", encoding="ascii") as file:
        file.write("a,b,y\n")
        for _ in range(rows // count):
            file.write(text)


def measure() -> Iterator[Line]:
    """The growth of peak memory from 1 to 50 million rows."""
    small, large = (peak_megabytes(rows) for rows in (_SMALL, _LARGE))
    growth = large / small - 1
    shown = f"{small:.0f} -> {large:.0f} MB"
    yield Line("peak memory, 1 -> 50 million rows", shown, "flat (<= 5 %)", growth <= 0.05)
    with tempfile.TemporaryDirectory() as folder:
        if shutil.disk_usage(folder).free < 2 * _LARGE * _BYTES_A_ROW:
            print("peak memory from a CSV file: not measured, the disk is too full")
            return
        small, _ = from_file(Path(folder), _SMALL)
        large, seconds = from_file(Path(folder), _LARGE)
    shown = f"{small:.0f} -> {large:.0f} MB ({seconds:.0f} s)"
    promised = f"< {_MOST_GROWTH} MB more"
    what = "peak memory, CSV file of 1 -> 50 million rows"
    yield Line(what, shown, promised, large - small < _MOST_GROWTH)
