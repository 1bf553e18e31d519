"""The fraction of predictions that have their label, by age."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import (
    HEIGHT,
    WIDTH,
    altair,
    finished,
    inline,
    nothing_to_draw,
    series_colour,
)


def label_coverage(frame: pa.Table, unit: str, *, title: str, caption: Sequence[str] = ()) -> Any:
    """Draw which fraction of labels comes by which age.

    Parameters
    ----------
    frame
        Columns `series` (the model), `age` and `value` (null where undefined).
    unit
        What ages are counted in, for the axis.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    points = [row | {"series": printable(row["series"])} for row in frame.to_pylist()]
    if not any(row["value"] for row in points):
        return nothing_to_draw(title, "No label has come yet.")
    names = list(dict.fromkeys(row["series"] for row in points))
    chart = (
        alt.Chart(inline(points))
        .mark_line(strokeWidth=1.6, interpolate="step-after", point={"size": 18})
        .encode(
            x=alt.X("age:Q", title=f"age of a prediction ({unit})", axis=alt.Axis(format="~g")),
            y=alt.Y(
                "value:Q",
                title="labels in",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            tooltip=[
                alt.Tooltip("series:N", title="model"),
                alt.Tooltip("age:Q", format=".3~g", title=f"age ({unit})"),
                alt.Tooltip("value:Q", format=".1%", title="labels in"),
            ],
            color=series_colour(names).legend(symbolSize=60),
        )
    )
    return finished(chart.properties(width=WIDTH, height=HEIGHT), title, caption)
