"""A comparison as a figure: the statistics to draw, and what the caption says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Floats
from streamgauge.comparison._stretches import stretches_table
from streamgauge.comparison._text import comparison_answer, comparison_header, comparison_where
from streamgauge.figures.pair_curves import pair_curves
from streamgauge.rendering.words import percent_text

if TYPE_CHECKING:
    from streamgauge.comparison.result import Comparison


def pair_figure(pair: Comparison, forget: Any = None) -> Any:
    """Draw the mean difference with its anytime band, Q, and McNemar's statistic with its line."""
    curve = pair.curve
    if forget is None:
        forgets = (each for each in curve.forgettings if each != "Cumulative()")
        forget = next(forgets, curve.forgettings[0])
    under = forget if isinstance(forget, str) else repr(forget)
    a, b = pair.names
    q = f"Q = ln(loss of {a} / loss of {b}), {under}"
    level = percent_text(pair.options.confidence)
    mcnemar = f"McNemar's statistic, {under}; dashed: {level} critical value"
    frames = [_mean(pair), _frame(q, curve.rows, curve["q", under])]
    if pair.pair.wrong is not None:
        frames.append(_frame(mcnemar, curve.rows, curve["mcnemar", under]))
    return pair_curves(
        pa.concat_tables(frames),
        stretches_table(pair.stretches),
        pair.names,
        title=f"{pair.conditions.stream}: {a} against {b}",
        caption=[
            comparison_answer(pair),
            comparison_where(pair),
            f"Values above 0 favour {b}.",
            _band(pair),
            f"{comparison_header(pair)}.",
        ],
        critical={mcnemar: pair.threshold},
    )


def _mean(pair: Comparison) -> pa.Table:
    title = "Mean difference of the losses over all rows so far"
    if pair.why_not_anytime is None:
        bounds = pair.anytime
        return _frame(title, bounds.rows, bounds.mean, bounds.low, bounds.high)
    rows = pair.curve.rows
    means = np.cumsum(pair.pair.difference)[rows - 1] / rows
    return _frame(title, rows, means)


def _band(pair: Comparison) -> str:
    if why := pair.why_not_anytime:
        return f"No band around the mean difference: {why}."
    return (
        f"Band: bounds that hold at all rows together at {percent_text(pair.options.confidence)}."
    )


def _frame(
    panel: str, rows: Any, value: Floats, low: Floats | None = None, high: Floats | None = None
) -> pa.Table:
    missing = np.full(len(value), np.nan)
    low, high = missing if low is None else low, missing if high is None else high
    columns = {"value": value, "low": low, "high": high}
    return pa.table(
        {"panel": pa.array([panel] * len(value), pa.string()), "rows": pa.array(rows, pa.int64())}
        | {name: pa.array(each, mask=~np.isfinite(each)) for name, each in columns.items()}
    )
