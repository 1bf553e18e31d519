"""Scores along the stream in two orders: as labels came, and as rows arrived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    ROWS_AXIS,
    WIDTH,
    altair,
    finished,
    inline,
    nothing_to_draw,
    value_axis,
)
from streamgauge.figures.colours import PALETTE

ORDERS = ("as labels came", "as rows arrived")
_COLOURS = PALETTE[:2]


def order_scores(
    frame: pa.Table, metric: str, *, title: str, caption: Sequence[str] = (), below: Any = None
) -> Any:
    """Draw the score of successive parts of the stream, in both orders.

    Parameters
    ----------
    frame
        Columns `order` (one of `ORDERS`), `rows` (scored rows at the end of the part), and `value`
        (null where undefined).
    metric
        Name of the metric, for the axis.
    title
        Title of the figure.
    caption
        Sentences below the title.
    below
        A chart to place below this one.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    if not pc.any(pc.is_valid(frame["value"])).as_py():
        return nothing_to_draw(title, f"{metric} is undefined in every part of the stream")
    colour = alt.Scale(domain=list(ORDERS), range=list(_COLOURS))
    dash = alt.Scale(domain=list(ORDERS), range=[[1, 0], [5, 3]])
    lines = alt.Chart(inline(frame.to_pylist())).mark_line(strokeWidth=1.6)
    chart = lines.encode(
        x=alt.X("rows:Q", title=ROWS_AXIS, axis=alt.Axis(format="~s"), scale={"nice": False}),
        y=value_axis("value", metric, False, frame["value"].to_pylist()),
        color=alt.Color("order:N", scale=colour, title=None, sort=list(ORDERS)),
        strokeDash=alt.StrokeDash("order:N", scale=dash, title=None, sort=list(ORDERS)),
        tooltip=[
            "order:N",
            alt.Tooltip("rows:Q", format=","),
            alt.Tooltip("value:Q", format=".4f"),
        ],
    ).properties(width=WIDTH, height=150)
    if below is None:
        return finished(chart, title, caption)
    both = alt.vconcat(chart, below).resolve_scale(color="independent", strokeDash="independent")
    return finished(both, title, caption)
