"""A metric along the stream and over the bins of the wait, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    HEIGHT,
    WIDTH,
    altair,
    finished,
    inline,
    nothing_to_draw,
    value_legend,
    value_tooltip,
)

_SCHEME = "viridis"  # also in grey and for colour-blind people


def bins_over_time(
    frame: pa.Table,
    metric: str,
    *,
    title: str,
    percent: bool = False,
    caption: Sequence[str] = (),
) -> Any:
    """Draw a metric along the stream (to the right) and over the bins of the wait (upwards).

    Parameters
    ----------
    frame
        Columns `first` and `last` (labels before a part of the stream, and at its end), `bin`, and
        `value` (null where undefined).
    metric
        Name of the metric, for the legend.
    title
        Title of the figure.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart; undefined cells stay white.
    """
    alt = altair()
    if not pc.any(pc.is_valid(frame["value"])).as_py():
        return nothing_to_draw(title, f"{metric} is undefined in every bin of every stretch")
    defined = frame.filter(pc.is_valid(frame["value"]))
    rows = defined.to_pylist()
    for row in rows:  # cells overlap a little, so that no seams show between them
        row |= {"right": row["last"] + 0.04 * (row["last"] - row["first"])}
        row |= {"low": row["bin"] - 0.5, "high": row["bin"] + 0.6}
    lowest, highest = pc.min(frame["bin"]).as_py() - 0.5, pc.max(frame["bin"]).as_py() + 0.5
    ends = [pc.min(frame["first"]).as_py(), pc.max(frame["last"]).as_py()]
    colours = alt.Scale(scheme=_SCHEME)
    legend = value_legend(percent)
    # A label in words for each of thousands of cells would make the file three times as large.
    cells = alt.Chart(inline(rows)).mark_rect(clip=True, aria=False)
    chart = cells.encode(
        x=alt.X(
            "first:Q",
            title="labels",
            scale=alt.Scale(domain=ends, nice=False),
            axis=alt.Axis(format="~s", grid=False),
        ),
        x2="right:Q",
        y=alt.Y(
            "low:Q",
            title=f"bin of the wait (0: first, {highest - 0.5:g}: final)",
            scale=alt.Scale(domain=[lowest, highest], nice=False),
            axis=alt.Axis(grid=False, tickMinStep=1),
        ),
        y2="high:Q",
        color=alt.Color("value:Q", title=metric, scale=colours, legend=legend),
        tooltip=[
            alt.Tooltip("first:Q", format=","),
            alt.Tooltip("last:Q", format=","),
            alt.Tooltip("bin:Q"),
            value_tooltip("value", percent),
        ],
    )
    return finished(chart.properties(width=WIDTH, height=HEIGHT), title, caption)
