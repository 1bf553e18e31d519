"""Curves of a figure: their values along the stream, as a frame to draw and as a small table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Floats, Longs
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.runs.run import Run


class PaperCurve(NamedTuple):
    """A curve: places in the stream, and the value at each."""

    rows: Longs
    values: Floats

    def at(self, row: int) -> float:
        """The value at the last place up to a row; NaN before the first."""
        place = int(np.searchsorted(self.rows, row, side="right")) - 1
        return float(self.values[place]) if place >= 0 else float("nan")

    def since(self, row: int) -> Floats:
        """The values from a row on."""
        return self.values[self.rows >= row]


def mean_curve(runs: Sequence[Run], forget: str) -> PaperCurve:
    """The mean of the error over several runs, at every point of their curves."""
    values = np.mean([run.curve["error", forget] for run in runs], axis=0)
    return PaperCurve(runs[0].curve.rows, values)


def curves_frame(lines: Mapping[str, PaperCurve]) -> pa.Table:
    """The curves as `metric_curve` draws them."""
    names = [name for name, line in lines.items() for _ in line.rows]
    values = np.concatenate([line.values for line in lines.values()])
    return pa.table(
        {
            "series": pa.array(names, pa.string()),
            "rows": np.concatenate([line.rows for line in lines.values()]),
            "value": pa.array(values, mask=~np.isfinite(values)),
        }
    )


def panels_frame(lines: Mapping[str, PaperCurve]) -> pa.Table:
    """The curves as `pair_curves` draws them: a panel each, without bands."""
    frame = curves_frame(lines).rename_columns(["panel", "rows", "value"])
    nothing = pa.nulls(len(frame), pa.float64())
    return frame.append_column("low", nothing).append_column("high", nothing)


def curves_sheet(lines: Mapping[str, PaperCurve], rows: int, form: str, parts: int = 5) -> Sheet:
    """The values at the ends of equal parts of the stream."""
    places = [rows * (1 + i) // parts for i in range(parts)]
    group = [
        [words(name), *(_cell(line.at(place), form) for place in places)]
        for name, line in lines.items()
    ]
    return Sheet(["", *(f"row {place:,}" for place in places)], [group])


def _cell(value: float, form: str) -> SheetCell:
    return SheetCell(format(value, form)) if np.isfinite(value) else words("-")
