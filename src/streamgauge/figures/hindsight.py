"""What was known of a score at each moment, against what is known of it in hindsight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._end_labels import end_labels
from streamgauge.figures._style import (
    HEIGHT,
    WIDTH,
    altair,
    finished,
    inline,
    nice_domain,
    nothing_to_draw,
    value_tooltip,
)
from streamgauge.figures.colours import GREY, PALETTE

THEN, NOW = "as known then", "in hindsight"
_COLOURS = {THEN: PALETTE[1], NOW: "#222222"}
_STRIP = 40  # pixels


def hindsight(
    frame: pa.Table, metric: str, *, title: str, percent: bool = False, caption: Sequence[str] = ()
) -> Any:
    """Draw both scores, the band of the first, and which labels were in.

    Parameters
    ----------
    frame
        Columns `rows` (the moment: rows that had arrived), `then`, `low`, `high` (the score of the
        newest rows by the labels known then, and its band), `now` (by all labels) and `known` (the
        fraction of labels that were in); null where undefined.
    metric
        Name of the metric, for the axis.
    title
        Title of the figure.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: the scores, and a strip below with the labels that were in.
    """
    alt = altair()
    if not pc.any(pc.is_valid(frame["then"])).as_py():
        return nothing_to_draw(title, "No label was known at any moment.")
    rows = frame.to_pylist()
    ends = [rows[0]["rows"], rows[-1]["rows"]]
    values = [row[key] for row in rows for key in ("then", "now", "low", "high")]
    known = [value for value in values if value is not None]
    limits = nice_domain(min(known), max(known), percent)

    def x(words: str | None) -> Any:
        scale = alt.Scale(domain=ends, nice=False, zero=False)
        return alt.X("rows:Q", title=words, scale=scale, axis=alt.Axis(format="~s"))

    def y(field: str) -> Any:
        axis = alt.Axis(format="~%") if percent else alt.Axis()
        scale = alt.Scale(domain=list(limits), nice=False, zero=False)
        return alt.Y(f"{field}:Q", title=metric, axis=axis, scale=scale)

    data = alt.Chart(inline(rows))
    tooltip = [alt.Tooltip("rows:Q", format=",")]
    tooltip += [value_tooltip(each, percent) for each in ("then", "low", "high", "now", "known")]
    gaps = "break-paths-show-path-domains"
    banded = alt.Chart(inline([row for row in rows if row["low"] is not None]))
    band = banded.mark_area(color=_COLOURS[THEN], opacity=0.18)
    then = data.mark_line(color=_COLOURS[THEN], strokeWidth=1.4, invalid=gaps)
    now = data.mark_line(color=_COLOURS[NOW], strokeWidth=1.8, invalid=gaps)
    last = {
        name: [row[key] for row in rows if row[key] is not None][-1]
        for name, key in ((THEN, "then"), (NOW, "now"))
    }
    layers = [
        band.encode(x=x(None), y=y("low"), y2="high:Q"),
        then.encode(x=x(None), y=y("then"), tooltip=tooltip),
        now.encode(x=x(None), y=y("now"), tooltip=tooltip),
        *end_labels(last, limits, HEIGHT, _COLOURS),
    ]
    above = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    share = alt.Y("known:Q", title="labels in", scale=alt.Scale(domain=[0, 1]),
                  axis=alt.Axis(format="%", values=[0, 1]))  # fmt: skip
    strip = data.mark_area(color=GREY, opacity=0.5).encode(
        x=x("rows that have arrived"), y=share, tooltip=tooltip
    )
    below = strip.properties(width=WIDTH, height=_STRIP)
    return finished(alt.vconcat(above, below, spacing=8), title, caption)
