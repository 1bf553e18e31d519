"""How long labels of each class take to come: overall, and along the stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import altair, finished, inline, nothing_to_draw, series_encodings
from streamgauge.figures.panels import PanelSize, headed

_QUANTILES = ("low", "quarter", "median", "most", "high")


def waits(
    spread: pa.Table,
    along: pa.Table,
    unit: str,
    *,
    title: str,
    caption: Sequence[str] = (),
) -> Any:
    """Draw the waits of each class.

    Parameters
    ----------
    spread
        A row per class: columns `series` (the class), `low`, `quarter`, `median`, `most`, `high`:
        the quantiles 5, 25, 50, 75 and 95 %.
    along
        Columns `series`, `rows` (rows at the end of the part) and `median` (null where undefined).
    unit
        What waits are counted in, for the axes.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: on the left all rows, on the right successive parts of the stream.
    """
    if not pc.any(pc.is_valid(spread["median"])).as_py():
        return nothing_to_draw(title, "no label ever comes, so there are no waits")
    return finished(wait_panels(spread, along, unit), title, caption)


def wait_panels(spread: pa.Table, along: pa.Table, unit: str) -> Any:
    """The two panels without title and caption, to place below another chart."""
    alt = altair()
    names = spread["series"].to_pylist()
    colour = series_encodings(names, ())["color"]
    silent = alt.Color("series:N", scale=colour.to_dict()["scale"], legend=None)
    defined = spread.filter(pc.is_valid(spread["median"]))
    rows = alt.Chart(inline(defined.to_pylist())).encode(
        y=alt.Y("series:N", title=None, sort=names, axis=alt.Axis(labelLimit=90)),
        color=silent,
        tooltip=["series:N", *(alt.Tooltip(f"{q}:Q", format=",.4~g") for q in _QUANTILES)],
    )
    x = alt.X("low:Q", title=f"wait ({unit})", axis=alt.Axis(tickCount=4, format="~s"))
    boxes = alt.layer(
        rows.mark_rule().encode(x=x, x2="high:Q"),
        rows.mark_bar(size=12, opacity=0.6).encode(x=alt.X("quarter:Q"), x2="most:Q"),
        rows.mark_tick(thickness=2, size=16).encode(x=alt.X("median:Q")),
    )
    overall = headed(boxes, "median, half of the labels, 5 to 95 %", PanelSize(150, 120))
    lines = alt.Chart(inline(along.to_pylist())).mark_line(
        strokeWidth=1.6, point={"size": 18}, invalid="break-paths-show-path-domains"
    )
    medians = lines.encode(
        x=alt.X(
            "rows:Q",
            title="rows",
            axis=alt.Axis(format="~s", tickCount=5),
            scale=alt.Scale(nice=False),
        ),
        y=alt.Y("median:Q", title=f"median wait ({unit})", axis=alt.Axis(format="~s")),
        color=colour.legend(symbolSize=60),
        tooltip=["series:N", alt.Tooltip("rows:Q", format=","), alt.Tooltip("median:Q")],
    )
    over_time = headed(medians, "along the stream, by arrival", PanelSize(230, 120))
    return alt.hconcat(overall, over_time).resolve_scale(color="independent")
