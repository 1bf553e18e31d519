"""A score against a number that was varied, such as the number of past labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import (
    WIDTH,
    altair,
    finished,
    inline,
    nothing_to_draw,
    series_encodings,
)

_HEIGHT = 160  # pixels


def sweep_curve(
    frame: pa.Table,
    *,
    x_title: str,
    y_title: str,
    title: str,
    caption: Sequence[str] = (),
    references: Sequence[str] = (),
) -> Any:
    """Draw lines with points, and a band where `low` and `high` are known.

    Parameters
    ----------
    frame
        Columns `series`, `x`, `value`, `low`, `high` (null where undefined) and `panel`, the titles
        of panels side by side.
    x_title, y_title
        Titles of the axes.
    title
        Title of the figure.
    caption
        Sentences below the title.
    references
        Those series that are references: grey and dashed.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    if frame["value"].null_count == len(frame):
        return nothing_to_draw(title, f"No score is known for any {x_title}.")
    rows = frame.to_pylist()
    for row in rows:
        row["series"] = printable(row["series"])
    names = list(dict.fromkeys(row["series"] for row in rows))
    known = [name for name in names if name in set(map(printable, references))]
    learners = [name for name in names if name not in known]
    encodings = series_encodings(learners, known)
    panels = list(dict.fromkeys(row["panel"] for row in rows))
    ends = [row[key] for row in rows for key in ("low", "high", "value") if row[key] is not None]
    y_scale = alt.Scale(domain=[min(ends), max(ends)], zero=False, nice=True)
    y, low = (
        alt.Y(field, title=printable(y_title), scale=y_scale) for field in ("value:Q", "low:Q")
    )
    x = alt.X("x:Q", title=printable(x_title), scale=alt.Scale(zero=False))
    tooltip = ["series:N", alt.Tooltip("x:Q"), alt.Tooltip("value:Q", format=".3f")]
    parts = []
    for panel in panels:
        data = inline([row for row in rows if row["panel"] == panel])
        base = alt.Chart(data).encode(x=x, color=encodings["color"])
        band = base.mark_area(opacity=0.18).encode(y=low, y2="high:Q")
        line = base.mark_line(strokeWidth=1.6, point=alt.OverlayMarkDef(size=25)).encode(
            y=y, tooltip=tooltip, strokeDash=encodings["strokeDash"]
        )
        drawn = alt.layer(band, line).properties(
            width=(WIDTH - 30 * (len(panels) - 1)) / len(panels), height=_HEIGHT
        )
        if len(panels) > 1:
            heading = alt.TitleParams(printable(panel), fontSize=11, anchor="start", offset=4)
            drawn = drawn.properties(title=heading)
        parts.append(drawn)
    return finished(parts[0] if len(parts) == 1 else alt.hconcat(*parts), title, caption)
