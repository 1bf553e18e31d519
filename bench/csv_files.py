"""Reading CSV beside pandas: a table of numbers and words, written for the purpose."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import streamgauge as sg
from bench.clock import Line, take_turns

_ROWS = 500_000


def measure() -> Iterator[Line]:
    """A pass over all rows against pandas.read_csv; finding out what the columns are is apart."""
    import pandas as pd

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        _write(path)
        stream = sg.read(path, "target")
        rivals = {
            "pandas": lambda: pd.read_csv(path),
            "pass": lambda: sum(len(block) for block in stream.blocks(8192)),
            "open": lambda: sg.read(path, "target"),
        }
        seconds = take_turns(5, rivals)
    ratio = seconds["pandas"] / seconds["pass"]
    both = seconds["pandas"] / (seconds["pass"] + seconds["open"])
    print(f"CSV, opening (types and classes of all rows) and one pass, against pandas: {both:.2f}x")
    shown = f"{ratio:.2f}x ({_ROWS / seconds['pass'] / 1e6:.1f} M rows/s, 10 columns)"
    yield Line("CSV, a pass against pandas' reader", shown, "faster", ratio > 1)


def _write(path: Path) -> None:
    stream = sg.Agrawal(_ROWS, seed=1)
    names, values = stream.schema.features, stream.schema.values
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*names, "target"]) + "\n")
        for block in stream.blocks(8192):
            columns = [
                [words[int(code)] for code in column]
                if words
                else [f"{x:.2f}".rstrip("0").rstrip(".") for x in column]
                for column, words in zip(block.X.T.tolist(), values, strict=True)
            ]
            labels = ["B" if y else "A" for y in block.y.tolist()]
            for row in zip(*columns, labels, strict=True):
                file.write(",".join(row) + "\n")
