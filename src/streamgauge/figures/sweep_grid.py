"""A score over two numbers that vary, as heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    WIDTH,
    altair,
    inline,
    value_format,
    value_legend,
    value_tooltip,
)
from streamgauge.figures.panels import WHOLE, PanelSize, headed, panels

_SMALL = PanelSize(WIDTH // 2 - 45, 130)
_MOST_TEXTS = 8  # columns of cells with their numbers


def sweep_grid(
    frame: pa.Table,
    metric: str,
    x_title: str,
    y_title: str,
    *,
    title: str,
    percent: bool = False,
    caption: Sequence[str] = (),
) -> Any:
    """Draw a score over two numbers.

    Parameters
    ----------
    frame
        Columns `panel`, `x`, `y` and `value` (null where undefined).
    metric
        Name of the metric, for the legend.
    x_title, y_title
        What the numbers are.
    title
        Title of the figure.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: a panel per learner and stream, all in the same colours.
    """
    rows = frame.filter(pc.is_valid(frame["value"])).to_pylist()
    shown = list(dict.fromkeys(row["panel"] for row in rows))
    size = WHOLE if len(shown) == 1 else _SMALL
    values = [row["value"] for row in rows] or [0.0]
    low, high = min(values), max(values)
    middle = low + 0.6 * (high - low)
    for row in rows:  # bright cells have black numbers
        row["ink"] = "black" if row["value"] > middle else "white"
    charts = []
    for panel in shown:
        own = [row for row in rows if row["panel"] == panel]
        last = panel == shown[-1]
        titles = (metric, x_title, y_title)
        charts.append(headed(_cells(own, titles, percent, [low, high], last), panel, size))
    why = f"{metric} is undefined for every {x_title} and {y_title}"
    return panels(charts, title=title, caption=caption, why=why)


def _cells(
    rows: list[dict[str, Any]],
    titles: tuple[str, str, str],
    percent: bool,
    domain: list[float],
    last: bool,
) -> Any:
    alt = altair()
    metric, x_title, y_title = titles
    plain = alt.Axis(grid=False, labelAngle=0, format=".6~g")
    cells = alt.Chart(inline(rows)).encode(
        x=alt.X("x:O", title=x_title, axis=plain),
        y=alt.Y("y:O", title=y_title, axis=plain, sort="descending"),
        tooltip=["x:Q", "y:Q", value_tooltip("value", percent)],
    )
    legend = value_legend(percent) if last else None
    scale = alt.Scale(scheme="viridis", domain=domain)
    colour = alt.Color("value:Q", title=metric, scale=scale, legend=legend)
    layers = [cells.mark_rect().encode(color=colour)]
    if len({row["x"] for row in rows}) <= _MOST_TEXTS:
        numbers = alt.Text("value:Q", format=value_format(percent, 3))
        ink = alt.Color("ink:N", scale=None)
        layers.append(cells.mark_text(fontSize=11).encode(text=numbers, color=ink))
    return alt.layer(*layers).resolve_scale(color="independent")
