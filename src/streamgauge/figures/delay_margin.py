"""Which conclusion changes with the delay: the margin over the best reference, by delay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.printable import printable
from streamgauge.figures._end_labels import end_labels, labels_height
from streamgauge.figures._style import (
    HEIGHT,
    TEXT,
    WIDTH,
    altair,
    finished,
    inline,
    nice_domain,
    series_colours,
    series_encodings,
)
from streamgauge.figures.colours import BACKGROUNDS, PALETTE, context_of
from streamgauge.figures.panels import PanelSize, headed, panels

_DECADES = 20  # delays further apart are drawn on a logarithmic axis
_MOST_TICKS = 8
FRAME = pa.schema(
    {
        "panel": pa.string(),
        "series": pa.string(),
        "x": pa.float64(),
        "value": pa.float64(),
        "clear": pa.bool_(),
    }
)


def delay_margin(
    frame: pa.Table,
    y_title: str,
    x_title: str,
    *,
    title: str,
    least: float = 0.0,
    caption: Sequence[str] = (),
) -> Any:
    """Draw a line for each learner, hollow where the outcome is not clear.

    Parameters
    ----------
    frame
        Columns `panel`, `series` (the learner), `x` (the delay), `value` (by how much it is better
        than the best reference; null where undefined) and `clear` (whether it is clearly better or
        worse): the schema `FRAME`.
    y_title
        What the margin is.
    x_title
        What the delay is.
    title
        Title of the figure.
    least
        A margin that the axis has room for on both sides of 0.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: a panel for each stream.
    """
    rows = [
        row | {"series": printable(row["series"]), "panel": printable(row["panel"])}
        for row in frame.filter(pc.is_valid(frame["value"])).to_pylist()
    ]
    delays = sorted({row["x"] for row in rows})
    wide = bool(delays) and 0 < _DECADES * delays[0] < delays[-1]
    words = f"{x_title} (log scale)" if wide else x_title
    charts = []
    for panel in dict.fromkeys(row["panel"] for row in rows):
        own = sorted((row for row in rows if row["panel"] == panel), key=lambda row: row["x"])
        charts.append(_panel(own, delays, words, y_title, wide, panel, least))
    if len(charts) == 1:
        return finished(charts[0].properties(title=""), title, caption)
    why = "no learner has a score and a reference under any delay"
    return panels(charts, title=title, caption=caption, columns=1, why=why)


def _panel(
    rows: list[dict[str, Any]],
    delays: Sequence[float],
    x_title: str,
    y_title: str,
    wide: bool,
    panel: str,
    least: float,
) -> Any:
    alt = altair()
    names = list(dict.fromkeys(row["series"] for row in rows))
    ends = {name: [row for row in rows if row["series"] == name][-1]["value"] for name in names}
    context = context_of(ends)
    height = labels_height(len(names), HEIGHT)
    values = [row["value"] for row in rows]
    room = max(least, 0.08 * (max(0.0, *values) - min(0.0, *values)))
    low, high = nice_domain(min(-room, *values), max(room, *values))
    scale = alt.Scale(type="log" if wide else "linear", nice=False, zero=False,
                      domain=[delays[0], delays[-1]])  # fmt: skip
    ticks = {"values": list(delays)} if len(delays) <= _MOST_TICKS else {"tickCount": 6}
    axis = alt.Axis(labelExpr="datum.value == 1 ? 'at once' : format(datum.value, '~s')",
                    labelFlush=False, labelOverlap=True, grid=False, **ticks)  # fmt: skip
    x = alt.X("x:Q", title=x_title, scale=scale, axis=axis)
    y_scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    y = alt.Y("value:Q", title=y_title, scale=y_scale)
    encoded = series_encodings(names, (), context)
    channels = {key: each.legend(None) for key, each in encoded.items()}
    colours = series_colours(names, (), context)
    layers = []
    if low < 0:
        below = inline([{"value": low, "zero": 0.0}])
        shade = alt.Chart(below).mark_rect(color=PALETTE[1], opacity=0.1)
        layers.append(shade.encode(y=y, y2="zero:Q"))
        if -low > 0.1 * (high - low):
            said = alt.Chart(below).mark_text(
                text="below guessing from past labels", align="center", dy=-9, fontSize=11,
                fontStyle="italic", color=TEXT,
            )  # fmt: skip
            layers.append(said.encode(x=alt.value(alt.expr("width / 2")), y=y))
    zero = alt.Chart(inline([{"value": 0.0}])).mark_rule(color=TEXT, strokeWidth=1.4)
    layers.append(zero.encode(y=y))
    order = {name: place for place, name in enumerate([*context, *names])}
    drawn = sorted(rows, key=lambda row: order[row["series"]])
    tooltip = ["series:N", "x:Q", alt.Tooltip("value:Q", format="+.3~f"), "clear:N"]
    lines = alt.Chart(inline(drawn)).mark_line(strokeWidth=1.8)
    layers.append(lines.encode(x=x, y=y, tooltip=tooltip, **channels))
    for clear in (True, False):
        own = [row for row in drawn if row["clear"] is clear]
        if own:
            fill = {} if clear else {"fill": BACKGROUNDS[0], "strokeWidth": 1.8}
            dots = alt.Chart(inline(own)).mark_point(filled=clear, size=46, opacity=1, **fill)
            layers.append(dots.encode(x=x, y=y, tooltip=tooltip, color=channels["color"]))
    bold = frozenset(names) - frozenset(context)
    layers += end_labels(ends, (low, high), height, colours, bold)
    whole = alt.layer(*layers).resolve_scale(color="independent", strokeDash="independent")
    return headed(whole, panel, PanelSize(WIDTH, height))
