"""Points in groups, one for each series: panels of scores, and the layers of other figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import TEXT, WIDTH, altair, inline, series_colour
from streamgauge.figures.panels import PanelSize, headed, panels

STEP = 13  # pixels for one series
_SMALL_STEP = 9  # in one panel of several
_MARGIN = 75  # pixels for the names of the groups
_PADDING = 8  # pixels between them and a point at the left end
_SHAPES = ("circle", "square", "diamond", "triangle-up", "cross")  # of learners, of references
FRAME = pa.schema(
    [(name, pa.string()) for name in ("panel", "group", "series")] + [("value", pa.float64())]
)


def point_groups(
    rows: Sequence[dict[str, Any]],
    x_title: str,
    domain: tuple[float, float],
    *,
    group: str,
    series: Sequence[str],
    line: float | None,
    references: Sequence[str] = (),
    legend: bool = True,
) -> Any:
    """Layers: a line across, a range and a point for each row; references are grey shapes.

    Rows have the fields `group` (the name of the field that holds the group), series, value, shown
    (where to draw the point: a value beyond the axis is written there, behind an arrow), low and
    high (the range; None without one).
    """
    alt = altair()
    order = list(dict.fromkeys(row[group] for row in rows))
    y = alt.Y(
        f"{group}:N",
        title=None,
        sort=order,
        scale=alt.Scale(paddingInner=0.3, paddingOuter=0.1),
        axis=alt.Axis(labelLimit=260, labelFontSize=11, grid=False, ticks=False, domain=False,
                      labelPadding=_PADDING),
    )  # fmt: skip
    offset = alt.YOffset("series:N", sort=list(series), scale=alt.Scale(paddingOuter=0.4))
    scale = alt.Scale(domain=list(domain), nice=True, zero=False)
    key = alt.Legend(symbolSize=90, columns=2) if legend else None
    learners = [name for name in series if name not in references]
    colour = series_colour(learners, references).legend(key)
    base = alt.Chart(inline(list(rows))).encode(y=y, yOffset=offset, color=colour)
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("shown:Q", title=x_title, scale=scale),
        tooltip=["series:N", f"{group}:N", *(alt.Tooltip(f"{each}:Q", format=".3f") for each in
                 ("value", "low", "high"))],
    )  # fmt: skip
    if references:
        names = [*learners, *references]
        shapes = [_SHAPES[1 + references.index(n)] if n in references else _SHAPES[0]
                  for n in names]  # fmt: skip
        scale_of_shapes = alt.Scale(domain=names, range=shapes)
        points = points.encode(
            shape=alt.Shape("series:N", scale=scale_of_shapes, title=None, sort=names, legend=key)
        )
    inside = [row for row in rows if row["shown"] == row["value"]]
    beyond = [row | {"text": f"◂ {row['value']:.2f}"} for row in rows if row not in inside]
    points = points.properties(data=inline(inside))
    layers = [points]
    if beyond:
        arrows = base.properties(data=inline(beyond)).mark_text(align="left", fontSize=11)
        layers.append(arrows.encode(x=alt.X("shown:Q", title=x_title, scale=scale), text="text:N"))
    if any(row["low"] is not None for row in rows):
        ranges = base.mark_rule(strokeWidth=2.5, opacity=0.45).encode(
            x=alt.X("low:Q", title=x_title, scale=scale), x2="high:Q"
        )
        layers.insert(0, ranges)
    if line is not None:
        rule = alt.Chart(inline([{"at": line}])).mark_rule(color=TEXT, strokeWidth=1)
        layers.insert(0, rule.encode(x=alt.X("at:Q", title=x_title, scale=scale)))
    return alt.layer(*layers)


def grouped_points(
    frame: pa.Table,
    x_title: str,
    *,
    title: str,
    caption: Sequence[str] = (),
    references: Sequence[str] = (),
    lines: Mapping[str, float] | None = None,
    lowest: float | None = None,
) -> Any:
    """Draw a panel for each stream or setting, with a point for each series in each group.

    Parameters
    ----------
    frame
        Columns `panel`, `group`, `series` and `value` (null where undefined): the schema `FRAME`.
    x_title
        What the values are, for the axis.
    title
        Title of the figure.
    caption
        Sentences below the title.
    references
        Those series that are references: grey.
    lines
        For some panels, a value at which to draw a line across.
    lowest
        Left end of all axes, which are then the same: values further to the left are written there
        and named in the caption.

    Returns
    -------
    altair.Chart
        The chart.
    """
    text = ("panel", "group", "series")
    rows = [
        row | {key: printable(row[key]) for key in text} | {"low": None, "high": None}
        for row in frame.to_pylist()
        if row["value"] is not None
    ]
    names = list(dict.fromkeys(row["series"] for row in rows))
    beyond = [row for row in rows if lowest is not None and row["value"] < lowest]
    if beyond:
        far = ", ".join(
            f"{row['panel']} {row['group']} {row['series']} {row['value']:.2f}" for row in beyond
        )
        caption = [*caption, f"Further to the left than the axis: {far}."]
    shown = list(dict.fromkeys(row["panel"] for row in rows))
    highest = max((row["value"] for row in rows), default=0.0)
    charts = []
    for panel in shown:
        own = [row for row in rows if row["panel"] == panel]
        for row in own:
            row["shown"] = row["value"] if lowest is None else max(row["value"], lowest)
        line = (lines or {}).get(panel)
        ends = [row["shown"] for row in own] + ([] if line is None else [line])
        domain = (min(ends), max(ends)) if lowest is None else (lowest, highest)
        last = panel == shown[-1]
        drawn = point_groups(
            own, x_title, domain, group="group", series=names, line=line, references=references,
            legend=last,
        )  # fmt: skip
        groups = len({row["group"] for row in own})
        height = (_SMALL_STEP * len(names) + 8) * groups
        charts.append(headed(drawn, panel, PanelSize(WIDTH // 2 - _MARGIN, height)))
    return panels(charts, title=title, caption=caption, why=f"{x_title} is undefined everywhere")
