"""Predictions by their time of arrival: the score so far, its bounds, and which labels are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._places import place_kind
from streamgauge.figures._style import WIDTH, altair, finished, inline, nothing_to_draw
from streamgauge.figures.colours import GREY, PALETTE
from streamgauge.figures.panels import PanelSize, headed

_SO_FAR, _REWEIGHTED = "so far", "reweighted"
_COLOURS = {_SO_FAR: PALETTE[0], _REWEIGHTED: PALETTE[1]}
_SCORE_HEIGHT, _COVERAGE_HEIGHT = 150, 90


def cohorts(
    frame: pa.Table, metric: str, *, times: bool, title: str, caption: Sequence[str] = ()
) -> Any:
    """Draw the cohorts of one model.

    Parameters
    ----------
    frame
        A row per cohort: columns `rows` (its start: milliseconds since 1970, or an integer),
        `score`, `reweighted` with `reweighted_low` and `reweighted_high`, `worst`, `best`,
        `coverage` and `expected`; null where undefined.
    metric
        Name of the score, for the axis.
    times
        Whether cohorts start at times.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: above the scores with their bounds, below the labels that are in.
    """
    alt = altair()
    if not pc.any(pc.is_valid(frame["score"])).as_py():
        return nothing_to_draw(title, "No label has come yet.")
    kind = place_kind(times)
    data = frame.to_pylist()
    ends = [data[0]["rows"], data[-1]["rows"]]

    def x(words: str | None) -> Any:
        return alt.X(f"rows:{kind.code}", title=words, scale=kind.scale(ends), axis=kind.axis)

    start = alt.Tooltip(f"rows:{kind.code}", title="from", **kind.tooltip)
    y = alt.Y("value:Q", title=metric, scale=alt.Scale(zero=False))
    bounds = [
        {"rows": row["rows"], "value": row["worst"], "best": row["best"]}
        for row in data
        if row["worst"] is not None
    ]
    band = alt.Chart(inline(bounds)).mark_area(color=GREY, opacity=0.3)
    layers = [band.encode(x=x(None), y=y, y2="best:Q")] if bounds else []
    estimates = {_SO_FAR: "score", _REWEIGHTED: "reweighted"}
    points = [
        {"estimate": name, "rows": row["rows"], "value": row[key]}
        for name, key in estimates.items()
        for row in data
    ]
    colour = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    dash = alt.Scale(domain=list(_COLOURS), range=[[1, 0], [4, 3]])
    legend = alt.Legend(symbolSize=60)
    lines = alt.Chart(inline(points)).mark_line(
        strokeWidth=1.6, point={"size": 18}, invalid="break-paths-show-path-domains"
    )
    layers.append(
        lines.encode(
            x=x(None),
            y=y,
            color=alt.Color("estimate:N", title=None, scale=colour, legend=legend),
            strokeDash=alt.StrokeDash("estimate:N", title=None, scale=dash, legend=legend),
            tooltip=["estimate:N", start, alt.Tooltip("value:Q", format=".4f", title=metric)],
        )
    )
    intervals = [
        {"rows": row["rows"], "value": row["reweighted_low"], "high": row["reweighted_high"]}
        for row in data
        if row["reweighted_low"] is not None
    ]
    if intervals:
        rule = alt.Chart(inline(intervals)).mark_rule(color=_COLOURS[_REWEIGHTED], opacity=0.6)
        layers.append(rule.encode(x=x(None), y=y, y2="high:Q"))
    above = headed(
        alt.layer(*layers),
        f"{metric}; grey: worst and best case; bars: 99 % interval",
        PanelSize(WIDTH, _SCORE_HEIGHT),
    )
    share = alt.Y(
        "coverage:Q",
        title="labels in",
        axis=alt.Axis(format="%", values=[0, 0.5, 1]),
        scale=alt.Scale(domain=[0, 1]),
    )
    rows = alt.Chart(inline(data))
    tooltip = [
        start,
        alt.Tooltip("coverage:Q", format=".1%", title="labels in"),
        alt.Tooltip("expected:Q", format=".1%", title="expected by now"),
    ]
    area = rows.mark_area(color=GREY, opacity=0.5, line=True).encode(
        x=x("arrival"), y=share, tooltip=tooltip
    )
    expected = rows.mark_line(color=PALETTE[1], strokeDash=[4, 3], strokeWidth=1.6)
    below = headed(
        alt.layer(area, expected.encode(x=x("arrival"), y=alt.Y("expected:Q"))),
        "labels in; dashed: expected at this age",
        PanelSize(WIDTH, _COVERAGE_HEIGHT),
    )
    return finished(alt.vconcat(above, below), title, caption)
