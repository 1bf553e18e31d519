"""A metric along the stream, for several learners and references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    HEIGHT,
    WIDTH,
    altair,
    finished,
    nothing_to_draw,
    series_encodings,
)

_POINTS = 1000  # of a series: more than a figure has pixels to show
_DRIFT, _ALARM = "#b30000", "#000000"


def metric_curve(
    frame: pa.Table,
    metric: str,
    *,
    title: str,
    references: Sequence[str] = (),
    drifts: Sequence[float] = (),
    alarms: Sequence[float] = (),
    caption: Sequence[str] = (),
    zoom: bool = False,
) -> Any:
    """Draw a metric along the stream.

    Parameters
    ----------
    frame
        Columns `series` (name of the learner or reference), `rows` (rows scored by then), and
        `value` (null where undefined).
    metric
        Name of the metric, for the axis.
    title
        Title of the figure.
    references
        Those series that are references: grey and dashed.
    drifts
        Rows of true drifts: vertical lines.
    alarms
        Rows of alarms: marks at the bottom.
    caption
        Sentences below the title.
    zoom
        Add the whole curve below; drag over it to zoom.

    Returns
    -------
    altair.Chart
        The chart; change it as you like, and save it with `.save("x.pdf")`.
    """
    alt = altair()
    defined = frame.filter(pc.is_valid(frame["value"]))
    if not len(defined):
        return nothing_to_draw(title, f"{metric} is undefined on the whole stream")
    names = list(dict.fromkeys(frame["series"].to_pylist()))
    learners = [name for name in names if name not in references]
    thinned, step = _thinned(frame)
    if step > 1:
        caption = [*caption, f"One of {step} points shown."]
    data = alt.InlineData(values=thinned.to_pylist())
    lines = (
        alt.Chart(data)
        .mark_line(strokeWidth=1.6, invalid="break-paths-show-path-domains")
        .encode(
            y=alt.Y("value:Q", title=metric, scale=alt.Scale(zero=False)),
            tooltip=["series:N", alt.Tooltip("rows:Q", format=","), alt.Tooltip("value:Q", format=".4f")],
            **series_encodings(learners, [name for name in names if name in references]),
        )
    )  # fmt: skip
    brush = alt.selection_interval(encodings=["x"]) if zoom else None
    domain = alt.Scale(domain=brush, nice=False) if brush else alt.Scale(nice=False)
    x = alt.X("rows:Q", title="rows", scale=domain, axis=alt.Axis(format="~s"))
    marks = [lines.encode(x=x)]
    if len(drifts):
        marks.append(_rules(drifts).mark_rule(color=_DRIFT, strokeDash=[3, 3]).encode(x=x))
    if len(alarms):
        ticks = _rules(alarms).mark_tick(color=_ALARM, thickness=1, size=8, yOffset=-4)
        marks.append(ticks.encode(x=x, y=alt.value(HEIGHT)))
    detail = alt.layer(*marks).properties(width=WIDTH, height=HEIGHT)
    if brush is None:
        return finished(detail, title, caption)
    whole = lines.encode(
        x=alt.X(
            "rows:Q", title="drag to zoom", scale=alt.Scale(nice=False), axis=alt.Axis(format="~s")
        )
    )
    overview = whole.encode(y=alt.Y("value:Q", title=None)).properties(width=WIDTH, height=50)
    return finished(detail & overview.add_params(brush), title, caption)


def _rules(rows: Sequence[float]) -> Any:
    alt = altair()
    return alt.Chart(alt.InlineData(values=[{"rows": float(row)} for row in rows]))


def _thinned(frame: pa.Table) -> tuple[pa.Table, int]:
    """At most `_POINTS` points of each series, evenly spaced, and the last one; and the step."""
    series = np.asarray(frame["series"].to_pylist(), object)
    keep, widest = np.zeros(len(series), bool), 1
    for name in set(series.tolist()):
        places = np.flatnonzero(series == name)
        step = -(-len(places) // _POINTS)
        keep[places[::-1][::step]] = True
        widest = max(widest, step)
    return frame.filter(pa.array(keep)), widest
