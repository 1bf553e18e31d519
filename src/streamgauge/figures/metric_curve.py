"""A metric along the stream, for several learners and references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_integers, numbers
from streamgauge._support.printable import printable
from streamgauge.figures._end_labels import end_labels, labels_height
from streamgauge.figures._marks import alarm_marks, drift_marks
from streamgauge.figures._places import place_kind
from streamgauge.figures._style import (
    HEIGHT,
    ROWS_AXIS,
    TEXT,
    WIDTH,
    altair,
    finished,
    inline,
    nice_domain,
    nothing_to_draw,
    series_colours,
    series_encodings,
    value_format,
)
from streamgauge.figures._thinning import thinned
from streamgauge.figures.colours import GREY

_PANEL_HEIGHT, _STRIP_HEIGHT = 150, 40  # pixels, of one panel among several, of a strip below


@dataclass(frozen=True)
class Marks:
    """What to mark along the stream, in the unit of the x-axis.

    Parameters
    ----------
    drifts
        Start and end of each true drift; the same number twice for an abrupt one.
    alarms
        Places of alarms: ticks at the bottom; or by series, lines in its colour.
    labels
        Columns `rows` and `value`: the fraction of rows whose label is known by then.
    """

    drifts: Sequence[tuple[float, float]] = ()
    alarms: Sequence[float] | Mapping[str, Sequence[float]] = ()
    labels: pa.Table | None = field(default=None)

    def caption(self) -> list[str]:
        """What the marks mean."""
        said = ["Red: true drifts."] if len(self.drifts) else []
        if isinstance(self.alarms, Mapping):
            said += ["Vertical lines: alarms on the curve of their colour."]
        elif len(self.alarms):
            said += ["Black ticks: alarms."]
        return [" ".join(said)] if said else []


def metric_curve(
    frame: pa.Table,
    metric: str,
    *,
    title: str,
    references: Sequence[str] = (),
    marks: Marks | None = None,
    caption: Sequence[str] = (),
    zoom: bool = False,
    percent: bool = False,
    zero: bool = False,
    own_axes: bool = False,
    x_title: str = ROWS_AXIS,
    times: bool = False,
    why: str = "",
    context: Sequence[str] = (),
    ordered: bool = False,
) -> Any:
    """Draw a metric along the stream.

    Parameters
    ----------
    frame
        Columns `series` (name of the learner or reference), `rows` (place in the stream), `value`
        (null where undefined), for bands `low` and `high`, and, for panels one below the other,
        `panel` (their titles).
    metric
        Name of the metric, for the axis.
    title
        Title of the figure.
    references
        Those series that are references: grey and dashed.
    marks
        Drifts, alarms and label coverage to show.
    caption
        Sentences below the title.
    zoom
        Add the whole curve below; drag over it to zoom.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    zero
        Draw a line at 0.
    own_axes
        Whether each panel has its own vertical axis, as panels of different metrics need.
    x_title
        What `rows` counts.
    times
        Whether `rows` holds times instead: milliseconds since 1970, shown in UTC.
    why
        Why the metric may be undefined.
    context
        Those series that are drawn in light grey, so that others stand out.
    ordered
        Whether the learners have an order, such as that of a parameter: they get shades.

    Returns
    -------
    altair.Chart
        The chart; change it as you like, and save it with `.save("x.pdf")`.
    """
    alt = altair()
    marks = marks or Marks()
    values = numbers(frame["value"])
    banded = {"low", "high"} <= set(frame.column_names)
    if not np.isfinite(values).any():
        reason = f": {why}" if why else ""
        said = f"{metric} is undefined on the whole stream{reason}." if len(frame) else ""
        return nothing_to_draw(title, said or "No row has been scored.")
    names = list(map(printable, frame["series"].unique().to_pylist()))
    references = [name for name in names if name in set(map(printable, references))]
    learners = [name for name in names if name not in references]
    panels = frame["panel"].unique().to_pylist() if "panel" in frame.column_names else [None]
    by = ("series",) if panels == [None] else ("series", "panel")
    points, step = thinned(frame, by)
    edges = (numbers(frame["low"]), numbers(frame["high"])) if banded else ()
    limits = dict.fromkeys(panels, _limits(values, percent, *edges))
    if own_axes:
        limits |= {
            panel: _limits(own, percent) for panel in panels if len(own := _defined(frame, panel))
        }
    cut = [said for *_, said in limits.values() if said]
    caption = [*caption, *marks.caption(), *dict.fromkeys(cut)]
    if step > 1:
        caption.append(f"Of every {step:,} points the lowest and the highest are drawn.")

    brush = alt.selection_interval(encodings=["x"]) if zoom else None
    rows = numbers(frame["rows"])
    ends = [float(rows.min()), float(rows.max())]
    pixel = (ends[1] - ends[0]) / WIDTH
    kind = place_kind(times)
    whole_x = kind.scale(ends)
    scale = kind.scale(brush) if brush else whole_x

    def x(title: str | None, scale: Any = scale) -> Any:
        return alt.X(f"rows:{kind.code}", title=title, scale=scale, axis=kind.axis)

    y_axis = alt.Axis(format="~%") if percent else alt.Axis()

    def y(panel: str | None) -> Any:
        scale = alt.Scale(domain=list(limits[panel][:2]), zero=False, nice=False)
        return alt.Y("value:Q", title=printable(metric), axis=y_axis, scale=scale)

    context = [name for name in learners if name in set(map(printable, context))]
    encoded = series_encodings(learners, references, context, ordered=ordered)
    colours = series_colours(learners, references, context, ordered=ordered)
    named = len(names) > 1  # one line alone is named by the title
    channels = {name: each.legend(None) for name, each in encoded.items()}
    tooltip = [
        alt.Tooltip("series:N", title="learner"),
        alt.Tooltip(f"rows:{kind.code}", title=x_title, **kind.tooltip),
        alt.Tooltip("value:Q", format=value_format(percent), title="value"),
    ]

    def lines(panel: str | None) -> Any:
        shown = _points(_only(points, panel))
        behind = [row for row in shown if row["series"] in context]
        drawn = [_lines([row for row in shown if row["series"] not in context], 1.6)]
        drawn = [_lines(behind, 0.7), *drawn] if behind else drawn
        encoded = [each.encode(y=y(panel), tooltip=tooltip, **channels) for each in drawn]
        edges = _points(_only(points, panel), "low", "high")
        bands = [row for row in edges if row["low"] is not None]
        if bands:
            band = alt.Chart(inline(bands)).mark_area(opacity=0.18, clip=True)
            low = y(panel).copy()
            low.shorthand = "low:Q"
            encoded.insert(0, band.encode(y=low, y2="high:Q", color=channels["color"]))
        return encoded[0] if len(encoded) == 1 else alt.layer(*encoded)

    def names_of(panel: str | None) -> list[Any]:
        if not named:
            return []
        ends = _ends(_points(_only(points, panel)))
        bold = frozenset(learners) - frozenset(context)
        return end_labels(ends, limits[panel][:2], height, colours, bold)

    def line_at_zero(panel: str | None) -> list[Any]:
        low, high, _ = limits[panel]
        if not (zero and low <= 0 <= high):
            return []
        data = inline([{"rows": end, "value": 0} for end in ends])
        return [alt.Chart(data).mark_line(color=TEXT, strokeWidth=1).encode(y=y(panel))]

    strip = marks.labels is not None
    height = HEIGHT if len(panels) == 1 else _PANEL_HEIGHT
    height = labels_height(len(names), height) if named else height
    alarms = alarm_marks(marks.alarms, height, colours)
    parts = []
    for panel in panels:
        last = panel == panels[-1] and not strip
        layers = [
            *line_at_zero(panel),
            lines(panel),
            *drift_marks(marks.drifts, pixel),
            *alarms,
        ]
        along = [each.encode(x=x(x_title if last else None)) for each in layers]
        drawn = alt.layer(*along, *names_of(panel))
        if panel is not None:
            heading = alt.TitleParams(printable(panel), fontSize=11, anchor="start", offset=4)
            drawn = drawn.properties(title=heading)
        parts.append(drawn.properties(width=WIDTH, height=height))
    if marks.labels is not None:
        parts.append(_label_strip(marks.labels).encode(x=x(x_title)))
    if brush is not None:
        overview = lines(panels[-1]).encode(
            x=x("drag to zoom", whole_x), y=y(panels[-1]).title(None).axis(None)
        )
        parts.append(overview.properties(width=WIDTH, height=_STRIP_HEIGHT).add_params(brush))
    if len(parts) == 1:
        return finished(parts[0], title, caption)
    return finished(alt.vconcat(*parts, spacing=8), title, caption)


def _points(frame: pa.Table, *ends: str) -> list[dict[str, Any]]:
    """The points as rows; with the columns `ends` of a band, if the frame has them."""
    if not set(ends) <= set(frame.column_names):
        return []
    columns = frame.select(["series", "rows", *(ends or ["value"])]).to_pylist()
    return [row | {"series": printable(row["series"])} for row in columns]


def _lines(rows: list[dict[str, Any]], width: float) -> Any:
    line = altair().Chart(inline(rows))
    return line.mark_line(strokeWidth=width, clip=True, invalid="break-paths-show-path-domains")


def _ends(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The last defined value of each series."""
    return {row["series"]: row["value"] for row in rows if row["value"] is not None}


def _only(frame: pa.Table, panel: str | None) -> pa.Table:
    if panel is None:
        return frame
    mine = [place for place, each in enumerate(frame["panel"].to_pylist()) if each == panel]
    return frame.take(arrow_integers(mine))


def _defined(frame: pa.Table, panel: str | None) -> Any:
    values = numbers(_only(frame, panel)["value"])
    return values[np.isfinite(values)]


def _limits(values: Any, percent: bool, *edges: Any) -> tuple[float, float, str]:
    """The ends of the y-axis, and a sentence on the points beyond them if there are any.

    A few values far below all others, as of kappa_temporal where repeating the last label is almost
    always right, would press the rest of the curve into one line.
    """
    defined = values[np.isfinite(values)]
    low, high = float(defined.min()), float(defined.max())
    first, last = np.quantile(defined, [0.05, 0.95])
    room = 0.5 * float(last - first)
    inside = max(low, float(first) - room), min(high, float(last) + room)
    if high - low > 4 * (inside[1] - inside[0]) > 0:
        ends = nice_domain(*inside, percent)
        beyond = int(((defined < ends[0]) | (defined > ends[1])).sum())
        where = f"the values go from {low:.3g} to {high:.3g}"
        return *ends, f"{beyond:,} of {len(defined):,} points lie outside the figure: {where}."
    for edge in edges:
        low, high = float(np.nanmin([low, *edge])), float(np.nanmax([high, *edge]))
    return *nice_domain(low, high, percent), ""


def _label_strip(labels: pa.Table) -> Any:
    """The fraction of rows whose label is known, as an area below the curve."""
    alt = altair()
    shown, _ = thinned(labels, ())
    data = inline(shown.select(["rows", "value"]).to_pylist())
    y = alt.Y(
        "value:Q",
        title="labels",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, 1]),
    )
    tooltip = [alt.Tooltip("value:Q", format=".1%", title="labels known")]
    area = alt.Chart(data).mark_area(color=GREY, opacity=0.45, clip=True)
    return area.encode(y=y, tooltip=tooltip).properties(width=WIDTH, height=_STRIP_HEIGHT)
