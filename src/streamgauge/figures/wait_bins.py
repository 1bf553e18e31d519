"""A metric over the bins of the wait, with bands, and who is best in each bin."""

from __future__ import annotations

import math
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
    series_encodings,
    value_axis,
    value_tooltip,
)
from streamgauge.figures.panels import PanelSize, headed

INDEPENDENT = "95 % if rows were independent; on streams they are wider"  # bands
_MOST_STRETCHES = 4  # of bins in the sentence about the best


def wait_bins(
    frame: pa.Table,
    metric: str,
    *,
    title: str,
    final: float,
    references: Sequence[str] = (),
    direction: str | None = "higher",
    percent: bool = False,
    caption: Sequence[str] = (),
    best: bool = True,
    bands: str = INDEPENDENT,
) -> Any:
    """Draw a metric over the bins of the wait.

    Parameters
    ----------
    frame
        Columns `series` (name of the learner or reference), `bin` (0 is the first prediction),
        `value`, `low` and `high` (the band), null where undefined.
    metric
        Name of the metric, for the axis.
    title
        Title of the figure.
    final
        The bin of the final prediction.
    references
        Those series that are references: grey and dashed.
    direction
        Which value of a bin is the best: "higher" or "lower"; None if neither is.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.
    best
        Whether to say who is best in each bin.
    bands
        What `low` and `high` are.

    Returns
    -------
    altair.Chart
        The chart; a strip below shows who is best in each bin if there are several series.
    """
    alt = altair()
    if not pc.any(pc.is_valid(frame["value"])).as_py():
        return nothing_to_draw(title, f"{metric} is undefined in every bin")
    names = list(dict.fromkeys(frame["series"].to_pylist()))
    drawn = [name for name in names if name in references]
    colours = series_encodings([name for name in names if name not in references], drawn)
    silent = alt.Color("series:N", scale=colours["color"].to_dict()["scale"], legend=None)
    rows = frame.to_pylist()
    axis = alt.Scale(domain=[0, final], nice=False)
    words = f"bin of the wait (0: first prediction, {final:g}: final prediction)"
    x = alt.X("bin:Q", title=words, scale=axis)
    every = [row[key] for row in rows for key in ("value", "low", "high")]
    y = value_axis("value", metric, percent, every)
    points = alt.Chart(inline(rows)).encode(x=x)
    areas = points.mark_area(opacity=0.15, strokeWidth=0).encode(
        y=value_axis("low", metric, percent, every),
        y2="high:Q",
        color=silent,
    )
    tooltip = [
        "series:N",
        alt.Tooltip("bin:Q", format="~g"),
        *(value_tooltip(each, percent) for each in ("value", "low", "high")),
    ]
    lines = points.mark_line(strokeWidth=1.6, invalid="break-paths-show-path-domains")
    curves = lines.encode(y=y, tooltip=tooltip, **colours)
    ends = [row for row in rows if row["bin"] in (0, final)]  # they are no parts of the wait
    dots = alt.Chart(inline(ends)).mark_point(filled=True, size=28, opacity=1)
    dots = dots.encode(x=x, y=y, tooltip=tooltip, color=silent)
    chart = alt.layer(areas, curves, dots).properties(width=WIDTH, height=HEIGHT)
    chart = chart.resolve_scale(
        color="independent", strokeDash="independent"
    )  # so that the legend shows lines only
    if any(row["low"] is not None for row in rows):
        caption = [*caption, f"Bands: {bands}."]
    is_drawn = best and direction is not None and len(names) > 1
    found = _best(rows, direction == "lower") if is_drawn else []
    if not found:
        return finished(chart, title, caption)
    words = f"{'Lowest' if direction == 'lower' else 'Highest'} {metric}: {_in_words(found)}."
    if not all(each["clear"] for each in found):
        words += " Pale in the strip: its band overlaps with that of the next best."
    both = alt.vconcat(chart, _strip(found, axis, silent), spacing=6)
    return finished(
        both.resolve_scale(color="independent", strokeDash="independent"), title, [*caption, words]
    )


def _best(rows: Sequence[dict[str, Any]], lower_is_better: bool) -> list[dict[str, Any]]:
    """The best series of each bin, and whether its band lies apart from that of the next."""
    by_bin: dict[float, list[dict[str, Any]]] = {}
    for row in rows:
        if row["value"] is not None:
            by_bin.setdefault(row["bin"], []).append(row)
    found = []
    for place, there in sorted(by_bin.items()):
        if len(there) < 2:
            continue
        first, second = sorted(there, key=lambda row: row["value"], reverse=not lower_is_better)[:2]
        upper, lower = (second, first) if lower_is_better else (first, second)
        edges = (upper["low"], lower["high"])
        apart = None not in edges and edges[0] > edges[1]
        names = [row["series"] for row in there if row["value"] == first["value"]]
        found.append(
            {
                "bin": place,
                "from": place - 0.5,
                "to": place + 0.5,
                "series": first["series"],
                "best": " and ".join(names),
                "clear": apart,
            }
        )
    return found


def _strip(best: Sequence[dict[str, Any]], axis: Any, colour: Any) -> Any:
    alt = altair()
    clear = alt.Scale(domain=[True, False], range=[1, 0.35])
    # The outer half of the first and the final bin lies outside the axis.
    marks = alt.Chart(inline(list(best))).mark_rect(clip=True)
    strip = marks.encode(
        x=alt.X("from:Q", title=None, scale=axis, axis=None),
        x2="to:Q",
        color=colour,
        opacity=alt.Opacity("clear:O", scale=clear, legend=None),
        tooltip=["bin:Q", "best:N", "clear:N"],
    )
    return headed(strip, "best in each bin", PanelSize(WIDTH, 14))


def _in_words(best: Sequence[dict[str, Any]]) -> str:
    """Who is best in which bins; the longest stretches if there are many."""
    stretches: list[list[Any]] = []
    for each in best:
        if stretches and stretches[-1][0] == each["best"]:
            stretches[-1][2] = each["bin"]
        else:
            stretches.append([each["best"], each["bin"], each["bin"]])
    if len(stretches) == 1:
        return f"{stretches[0][0]} in every bin"
    if len(stretches) <= _MOST_STRETCHES:
        return ", ".join(
            f"{name} in bin{'' if first == last else 's'} {first:g}"
            + ("" if first == last else f" to {last:g}")
            for name, first, last in stretches
        )
    counts: dict[str, int] = {}
    for each in best:
        counts[each["best"]] = counts.get(each["best"], 0) + 1
    most = sorted(counts.items(), key=lambda item: -item[1])
    named = [f"{name} in {count:,}" for name, count in most[:_MOST_STRETCHES]]
    more = math.fsum(count for _, count in most[_MOST_STRETCHES:])
    return ", ".join([*named, *([f"others in {more:g}"] if more else [])]) + f" of {len(best)} bins"
