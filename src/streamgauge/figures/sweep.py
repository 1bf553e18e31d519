"""A score against a number that varies, such as a parameter or a delay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    WIDTH,
    altair,
    inline,
    series_colour,
    series_encodings,
    value_axis,
    value_tooltip,
)
from streamgauge.figures.panels import WHOLE, PanelSize, headed, panels, spread_band, spread_bars

_SMALL = PanelSize(WIDTH // 2 - 45, 150)
_MOST_TICKS = 10
_LONG = 30  # letters: two such names do not fit beside each other
_DECADES = 50  # numbers further apart are drawn on a logarithmic axis
FRAME = pa.schema(
    [(name, pa.string()) for name in ("panel", "series")]
    + [(name, pa.float64()) for name in ("x", "value", "spread")]
)


def sweep(
    frame: pa.Table,
    metric: str,
    x_title: str,
    *,
    title: str,
    references: Sequence[str] = (),
    percent: bool = False,
    caption: Sequence[str] = (),
    same_scale: bool = False,
    bands: bool = False,
) -> Any:
    """Draw curves of a score over a number.

    Parameters
    ----------
    frame
        Columns `panel`, `series` (the learner), `x` (null: the learner has no such number, a
        horizontal line), `value` and `spread` (half the length of the bar around a value; null
        without one): the schema `FRAME`.
    metric
        Name of the metric, for the axis.
    x_title
        What the number is, for the axis.
    title
        Title of the figure.
    references
        Those series that are references: grey and dashed.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.
    same_scale
        Whether all panels have the same vertical axis, so that they can be compared.
    bands
        Draw the spread as a band along the curve, not as a bar at each number.

    Returns
    -------
    altair.Chart
        The chart: one or more panels.
    """
    alt = altair()
    defined = frame.filter(pc.is_valid(frame["value"]))
    rows = defined.to_pylist()
    names = list(dict.fromkeys(row["series"] for row in rows))
    others = [name for name in names if name in references]
    learners = [name for name in names if name not in references]
    shown = list(dict.fromkeys(row["panel"] for row in rows if row["x"] is not None))
    size = WHOLE if len(shown) == 1 else _SMALL
    ends = _ends(rows)
    numbers = [row["x"] for row in rows if row["x"] is not None]
    wide = bool(numbers) and 0 < _DECADES * min(numbers) < max(numbers)
    x_title = f"{x_title} (log scale)" if wide else x_title
    charts = []
    for panel in shown:
        own = [row for row in rows if row["panel"] == panel]
        y = value_axis("value", metric, percent, ends if same_scale else _ends(own))
        spreads = spread_band if bands else spread_bars
        last = panel == shown[-1]
        layers = _layers(own, x_title, y, percent, learners, others, last, spreads, wide)
        # The legend of the lines, not of the points and bars.
        independent = {"color": "independent", "strokeDash": "independent"}
        charts.append(headed(alt.layer(*layers).resolve_scale(**independent), panel, size))
    why = f"{metric} is undefined for every {x_title}"
    return panels(charts, title=title, caption=caption, why=why)


def _ends(rows: Sequence[dict[str, Any]]) -> list[float]:
    return [row["value"] + side * (row["spread"] or 0) for row in rows for side in (-1, 1)]


def _layers(
    rows: list[dict[str, Any]],
    x_title: str,
    y: Any,
    percent: bool,
    learners: Sequence[str],
    references: Sequence[str],
    last: bool,
    spreads: Callable[..., list[Any]],
    wide: bool,
) -> list[Any]:
    alt = altair()
    moving = [row for row in rows if row["x"] is not None]
    numbers = sorted({row["x"] for row in moving})
    ends = {numbers[0], numbers[-1]}
    flat = [row | {"x": end, "spread": None} for row in rows if row["x"] is None for end in ends]
    scale = alt.Scale(type="log" if wide else "linear", zero=False, nice=False)
    ticks = {"values": numbers} if len(numbers) <= _MOST_TICKS else {}
    x = alt.X(
        "x:Q", title=x_title, scale=scale, axis=alt.Axis(format=".6~g", labelFlush=False, **ticks)
    )
    tooltip = ["series:N", alt.Tooltip("x:Q"), value_tooltip("value", percent)]
    long = max(map(len, [*learners, *references])) > _LONG
    legend = alt.Legend(columns=1 if long else 2, labelLimit=WIDTH) if last else None
    drawn = series_encodings(learners, references)
    series = {channel: each.legend(legend) for channel, each in drawn.items()}
    lines = alt.Chart(inline([*moving, *flat])).mark_line(strokeWidth=1.6)
    colour = series_colour(learners, references)
    dots = alt.Chart(inline(moving)).mark_point(filled=True, size=30, opacity=1)
    return [
        lines.encode(x=x, y=y, tooltip=tooltip, **series),
        dots.encode(x=x, y=y, color=colour.legend(None), tooltip=tooltip),
        *spreads(moving, x, y, colour),
    ]
