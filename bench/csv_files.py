"""Reading CSV against pandas: files shaped like Elec2, covtype and airlines, plain and gzipped."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import streamgauge as sg
from bench.clock import Line, all_cores, take_turns

_SETTLED = 2.1  # seconds; the first-pass cache skips younger files
_COLUMNS = 4_000  # of a wide file; the wider one has four times as many
_MOST_GROWTH = 8.0  # 4 if the time is linear in the columns, 16 if it is quadratic


def measure() -> Iterator[Line]:
    """Times two jobs against pandas.read_csv: opening a file (which infers types and classes from
    all rows, as pandas does) with the first pass, and a pass over an opened file."""
    kinds = {"elec2": _elec2, "covtype": _covtype, "airlines": _airlines}
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, rows_of in kinds.items():
            plain = Path(folder) / f"{name}.csv"
            plain.write_text("".join(rows_of()), encoding="ascii")
            packed = plain.with_suffix(".csv.gz")
            packed.write_bytes(gzip.compress(plain.read_bytes(), 6))
            paths += [plain, packed]
        time.sleep(_SETTLED)
        for path in paths:
            yield from _against_pandas(path)
    yield from _wide_files()


def _wide_files() -> Iterator[Line]:
    """The time to open a file grows with its columns, not with their square."""
    kinds = {"numbers": ["0.5", "7", ""], "words": ["ab", "x"], "quoted numbers": ['"1"']}
    for kind, cells in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            jobs: dict[str, Callable[[], object]] = {}
            for name, columns in (("few", _COLUMNS), ("many", 4 * _COLUMNS)):
                path = Path(folder) / f"{name}.csv"
                row = ",".join(cells[i % len(cells)] for i in range(columns))
                header = ",".join(f"c{i}" for i in range(columns))
                rows = "".join(f"{row},{'uv'[i % 2]}\n" for i in range(10))
                path.write_text(f"{header},y\n{rows}", encoding="ascii")
                jobs[name] = partial(sg.read, path, "y")
            take_turns(1, jobs)
            seconds = take_turns(5, jobs)
        growth = seconds["many"] / seconds["few"]
        yield Line(
            f"CSV, four times as many columns of {kind}: times the seconds to open",
            f"{growth:.1f}x",
            f"<= {_MOST_GROWTH:g}x",
            growth <= _MOST_GROWTH,
        )


def _against_pandas(path: Path) -> Iterator[Line]:
    import pandas as pd

    opened = sg.read(path, "target")
    rows = _pass(opened)
    jobs: dict[str, Callable[[], object]] = {
        "pandas": lambda: pd.read_csv(path),
        "first": lambda: _pass(sg.read(path, "target")),
        "pass": lambda: _pass(opened),
    }
    seconds = take_turns(9 if "elec2" in path.name else 3, jobs)
    for job, what in (("first", "opening and the first pass"), ("pass", "a pass")):
        ratio = seconds["pandas"] / seconds[job]
        shown = f"{ratio:.2f}x ({rows / seconds[job] / 1e6:.1f} M rows/s)"
        yield Line(f"CSV, {path.name}: {what} against pandas", shown, ">= 1.0x", ratio >= 1)
    if path.name == "airlines.csv":
        with all_cores():
            seconds = take_turns(9, jobs)
            yield _two_cores(path, pd.__version__, seconds["pandas"] / seconds["first"])
            if python := os.environ.get("OTHER_PANDAS"):
                yield _with_other_pandas(python, path)


def _two_cores(path: Path, version: str, ratio: float) -> Line:
    major = version.partition(".")[0]
    what = f"CSV, {path.name}: opening and the first pass against pandas {major}, two cores"
    return Line(what, f"{ratio:.2f}x (pandas {version})", ">= 1.2x", ratio >= 1.2)


def _with_other_pandas(python: str, path: Path) -> Line:
    """The same with the pandas of another Python, which also has what streamgauge needs.

    River does not allow pandas 3. `OTHER_PANDAS=FOLDER/bin/python make bench ONLY=csv_files`
    """
    done = subprocess.run(
        [python, "-m", "bench.csv_files", str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, ("src", ".")))},
        cwd=Path(__file__).parents[1],
    )
    version, ratio = done.stdout.split()
    return _two_cores(path, version, float(ratio))


def _print_ratio(path: Path) -> None:
    import pandas as pd

    jobs: dict[str, Callable[[], object]] = {
        "pandas": lambda: pd.read_csv(path),
        "first": lambda: _pass(sg.read(path, "target")),
    }
    take_turns(1, jobs)  # compiles the kernels
    seconds = take_turns(9, jobs)
    print(pd.__version__, seconds["pandas"] / seconds["first"])


def _pass(stream: sg.Stream) -> int:
    return sum(len(block) for block in stream.blocks(8192))


def _elec2() -> Iterator[str]:
    """Eight numeric columns, six of them with six decimals."""
    random = np.random.default_rng(1)
    yield "date,day,period,nswprice,nswdemand,vicprice,vicdemand,transfer,target\n"
    for i, row in enumerate(random.random((45_312, 6)).tolist()):
        shown = ",".join(f"{x:.6f}" for x in row)
        yield f"{i // 48 / 1000},{i // 48 % 7 + 1},{shown},{'UP' if row[0] > 0.5 else 'DOWN'}\n"


def _covtype() -> Iterator[str]:
    """Ten integer columns and 44 binary ones that are mostly 0."""
    random = np.random.default_rng(1)
    names = [f"x{j}" for j in range(54)]
    yield ",".join([*names, "target"]) + "\n"
    for _ in range(10):
        large = random.integers(0, 7000, (20_000, 10)).tolist()
        ones = random.integers(0, 40, 20_000).tolist()
        for row, one in zip(large, ones, strict=True):
            digits = "0," * one + "1," + "0," * (43 - one)
            yield ",".join(map(str, row)) + f",{digits}{one % 7 + 1}\n"


def _airlines() -> Iterator[str]:
    """Three text columns and four integer columns."""
    random = np.random.default_rng(1)
    yield "Airline,Flight,AirportFrom,AirportTo,DayOfWeek,Time,Length,target\n"
    draws = random.integers(0, [18, 8000, 293, 293, 7, 1440, 650, 2], (300_000, 8)).tolist()
    for line, flight, start, end, day, minute, length, late in draws:
        words = f"A{line:02d},{flight},B{start:03d},C{end:03d}"
        yield f"{words},{day + 1},{minute},{length},{late}\n"


if __name__ == "__main__":
    _print_ratio(Path(sys.argv[1]))
