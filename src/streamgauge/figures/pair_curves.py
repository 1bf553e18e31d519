"""Two participants along the stream: statistics, bands, critical lines, and who is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._marks import alarm_marks, drift_marks
from streamgauge.figures._style import (
    ROWS_AXIS,
    TEXT,
    WIDTH,
    altair,
    finished,
    inline,
    legend_room,
    nothing_to_draw,
)
from streamgauge.figures._thinning import thinned
from streamgauge.figures.captions import wrapped
from streamgauge.figures.colours import colours_of
from streamgauge.figures.metric_curve import Marks

_HEIGHT = 110  # pixels of a panel
_TITLE_WIDTH = 76  # characters in a line of a panel's title, which is bold
_LINE = "#222222"


def pair_curves(
    frame: pa.Table,
    stretches: pa.Table,
    names: tuple[str, str],
    *,
    title: str,
    caption: Sequence[str] = (),
    critical: Mapping[str, float] | None = None,
    errors: pa.Table | None = None,
    marks: Marks | None = None,
    x_title: str = ROWS_AXIS,
) -> Any:
    """Draw a panel for each statistic, on a background coloured by who is better.

    Parameters
    ----------
    frame
        Columns `panel` (title of the panel), `rows`, `value`, and `low` and `high` of a band; null
        where undefined.
    stretches
        Columns `start`, `stop` and `better`: "A", "B" or null.
    names
        The names of A and B.
    title
        Title of the figure.
    caption
        Sentences below the title.
    critical
        By panel, the value c of two dashed lines at -c and c.
    errors
        Columns `series` (the name of A or B), `rows` and `value`: a first panel with both curves.
    marks
        Drifts and alarms to show in every panel.
    x_title
        What `rows` counts.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    if not np.isfinite(frame["value"].to_numpy()).any():
        return nothing_to_draw(title, "No statistic is defined on these rows.")
    marks = marks or Marks()
    caption = [*caption, *marks.caption()]
    points, step = thinned(frame, ("panel",))
    if step > 1:
        caption = [*caption, f"Of every {step:,} points the lowest and the highest are drawn."]
    shown = {"A": printable(names[0]), "B": printable(names[1])}
    colours = colours_of(shown.values())
    domain = list(dict.fromkeys(shown.values()))
    rows = frame["rows"].to_numpy()
    ends = alt.Scale(domain=[0.0, float(rows.max())], nice=False)
    marked = [
        *drift_marks(marks.drifts, float(rows.max()) / WIDTH),
        *alarm_marks(marks.alarms, _HEIGHT, colours),
    ]
    better = alt.Color(
        "better:N",
        title=f"{'' if errors is None else 'error; background: '}clearly better on this stretch",
        scale=alt.Scale(domain=domain, range=[colours[name] for name in domain]),
        legend=alt.Legend(
            symbolType="square",
            symbolSize=120,
            symbolOpacity=0.5,
            titleLimit=WIDTH,
            **legend_room(domain),
        ),
    )
    won = [
        {"start": each["start"], "stop": each["stop"], "better": shown[each["better"]]}
        for each in stretches.to_pylist()
        if each["better"] is not None
    ]
    if not won:
        caption = [*caption, "No stretch of the stream alone shows which is better."]

    panels = list(dict.fromkeys(points["panel"].to_pylist()))
    every = points.to_pylist()
    parts = [] if errors is None else [_errors_panel(errors, better, ends, marked)]
    for panel in panels:
        mine = [row for row in every if row["panel"] == panel]
        line_at = (critical or {}).get(panel)
        low, high = _limits(mine, line_at)
        last = panel == panels[-1]
        x = alt.X("rows:Q", title=x_title if last else None, scale=ends, axis=alt.Axis(format="~s"))
        scale = alt.Scale(domain=[low, high], zero=False, nice=True)

        def y(field: str, scale: Any = scale) -> Any:
            return alt.Y(field, title=None, scale=scale)

        layers = []
        if won:
            where = alt.Chart(inline(won)).mark_rect(opacity=0.22, clip=True)
            layers.append(where.encode(x=alt.X("start:Q", scale=ends), x2="stop:Q", color=better))
        layers.append(_rule(0.0, y, color=TEXT, strokeWidth=1))
        if line_at is not None:
            layers += [_rule(c, y, color=TEXT, strokeDash=[5, 3]) for c in (-line_at, line_at)]
        plain = [{key: row[key] for key in ("rows", "value", "low", "high")} for row in mine]
        base = alt.Chart(inline(plain)).encode(x=x)
        if any(row["low"] is not None for row in mine):
            band = base.mark_area(color=_LINE, opacity=0.18, clip=True)
            layers.append(band.encode(y=y("low:Q"), y2="high:Q"))
        line = base.mark_line(color=_LINE, strokeWidth=1.5, clip=True)
        tooltip = [alt.Tooltip("rows:Q", format=","), alt.Tooltip("value:Q", format=".4g")]
        layers.append(line.encode(y=y("value:Q"), tooltip=tooltip))
        layers += [each.encode(x=x) for each in marked]
        parts.append(_panel(layers, panel))
    whole = alt.vconcat(*parts, spacing=8) if len(parts) > 1 else parts[0]
    return finished(whole, title, caption)


def _errors_panel(errors: pa.Table, colour: Any, ends: Any, marked: Sequence[Any]) -> Any:
    """The errors of both, each in its colour."""
    alt = altair()
    shown, _ = thinned(errors)
    points = [
        {"better": printable(row["series"]), "rows": row["rows"], "value": row["value"]}
        for row in shown.to_pylist()
    ]
    x = alt.X("rows:Q", title=None, scale=ends, axis=alt.Axis(format="~s"))
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(format="~%"))
    curves = alt.Chart(inline(points)).mark_line(strokeWidth=1.5, clip=True)
    tooltip = [
        alt.Tooltip("better:N", title="series"),
        alt.Tooltip("rows:Q", format=","),
        alt.Tooltip("value:Q", format=".2%"),
    ]
    layers = [curves.encode(x=x, y=y, color=colour, tooltip=tooltip)]
    return _panel([*layers, *(each.encode(x=x) for each in marked)], "Error")


def _panel(layers: Sequence[Any], words: str) -> Any:
    alt = altair()
    lines = wrapped(printable(words), _TITLE_WIDTH)  # a long name would make it too wide
    heading = alt.TitleParams(lines, fontSize=11, anchor="start", offset=4)
    return alt.layer(*layers).properties(width=WIDTH, height=_HEIGHT, title=heading)


def _rule(at: float, y: Any, **style: Any) -> Any:
    alt = altair()
    data = inline([{"at": at}])
    return alt.Chart(data).mark_rule(clip=True, **style).encode(y=y("at:Q"))


def _limits(rows: Sequence[dict[str, Any]], critical: float | None) -> tuple[float, float]:
    """The ends of the y-axis; the first bounds of a band, which tell little, may go beyond."""
    values = np.array([row["value"] for row in rows if row["value"] is not None])
    ends = [0.0, *np.quantile(values, [0.0, 1.0]).tolist()] if len(values) else [0.0, 1.0]
    bounds = np.array([[r["low"], r["high"]] for r in rows if r["low"] is not None])
    if len(bounds):
        ends += np.quantile(bounds, [0.1, 0.9]).tolist()
    if critical is not None:
        ends += [-1.15 * critical, 1.15 * critical]
    low, high = min(ends), max(ends)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
