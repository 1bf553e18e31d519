"""What was known of a run's score at each moment, and what is known in hindsight: a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.printable import printable
from streamgauge._support.types import Floats, Longs
from streamgauge.figures.hindsight import hindsight
from streamgauge.runs.prediction_codes import prediction_codes

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

_MOMENTS = 240
_OFF = 0.05  # a difference that a reader of a dashboard would act on
_Z = 1.96  # 95 %


def draw_hindsight(run: Run, window: int) -> Any:
    """The figure that `Run.plot_hindsight` returns."""
    check_integer("window", window)
    if window < 2:
        raise UsageError(f"window={window}: expected 2 or more rows")
    table, classes = run.predictions, run.classes
    order = np.argsort(table["row"].to_numpy(), kind="stable")
    rows = table["row"].to_numpy()[order]
    revealed = table["revealed_at"].to_numpy()[order]
    y, given = (prediction_codes(table, name, classes)[order] for name in ("y", "prediction"))
    values = (y == given).astype(np.float64) if classes else np.abs(y - given)
    metric = "accuracy" if classes else "mae"
    frame = _known(rows, revealed, values, window, is_fraction=bool(classes))
    return hindsight(
        frame,
        f"{metric} of the newest {window:,} rows",
        title=f"{printable(run.stream.title)}: {printable(run.title)}, known then and in hindsight",
        percent=bool(classes),
        caption=_sentences(frame, bool(classes)),
    )


def _known(
    rows: Longs, revealed: Longs, values: Floats, window: int, *, is_fraction: bool
) -> pa.Table:
    """At each moment: the score by the labels known then, its band, and the score by all labels."""
    names = ("then", "low", "high", "now", "known")
    columns: dict[str, list[float]] = {name: [] for name in names}
    moments = np.empty(0, np.int64)
    if len(rows):
        ends = rows[min(window, len(rows)) - 1], rows[-1]
        moments = np.unique(np.linspace(*ends, _MOMENTS).astype(np.int64))
    for moment in moments:
        stop = int(np.searchsorted(rows, moment, side="right"))
        newest = slice(max(0, stop - window), stop)
        is_in = revealed[newest] <= moment
        defined = ~np.isnan(values[newest])
        then = values[newest][is_in & defined]
        found = (_nan_mean(then), *_band(then, is_fraction))
        known = (*found, _nan_mean(values[newest][defined]), float(is_in.mean()))
        for name, value in zip(names, known, strict=True):
            columns[name].append(value)
    made = {name: np.array(each, np.float64) for name, each in columns.items()}
    arrays = {name: pa.array(each, mask=~np.isfinite(each)) for name, each in made.items()}
    return pa.table({"rows": pa.array(np.asarray(moments, np.int64)), **arrays})


def _nan_mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _band(values: Floats, is_fraction: bool) -> tuple[float, float]:
    """95 % if rows were independent: Wilson's interval of a fraction, the normal one of a mean."""
    n = len(values)
    if n < 2:
        return float("nan"), float("nan")
    mean = float(values.mean())
    if not is_fraction:
        half = _Z * float(values.std(ddof=1)) / n**0.5
        return mean - half, mean + half
    shrunk = 1 + _Z**2 / n
    middle = (mean + _Z**2 / (2 * n)) / shrunk
    half = _Z * (mean * (1 - mean) / n + _Z**2 / (4 * n * n)) ** 0.5 / shrunk
    return middle - half, middle + half


def _sentences(frame: pa.Table, is_fraction: bool) -> list[str]:
    """How far the score of the moment was off, and in which direction."""
    then, now = (frame[name].to_numpy(zero_copy_only=False) for name in ("then", "now"))
    low, high = (frame[name].to_numpy(zero_copy_only=False) for name in ("low", "high"))
    gap = (then - now)[np.isfinite(then) & np.isfinite(now)]
    if not len(gap):
        return []
    banded = np.isfinite(low) & np.isfinite(now)
    outside = float(((now < low) | (now > high))[banded].mean()) if banded.any() else 0.0
    if not gap.any():
        return ["What was known then is what is known now: labels came before they were needed."]
    side = "too high" if gap.mean() > 0 else "too low"
    if is_fraction:
        off = float((np.abs(gap) > _OFF).mean())
        said = (
            f"The score of the moment was off by more than 5 points {off:.0%} of the time, and "
            f"{100 * abs(float(gap.mean())):.1f} points {side} on average."
        )
    else:
        said = f"The score of the moment was {abs(float(gap.mean())):.3g} {side} on average."
    return [
        said.replace("%", " %"),
        f"Band: 95 % of the score of the moment if rows were independent; the final score was "
        f"outside {outside:.0%} of the time.".replace("% of the time", " % of the time"),
    ]
