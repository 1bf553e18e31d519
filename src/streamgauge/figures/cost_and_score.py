"""Score against cost: a point per learner, and the line of those that nothing beats in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import (
    WIDTH,
    altair,
    inline,
    series_colour,
    value_axis,
    value_tooltip,
)
from streamgauge.figures.colours import GREY, colour_of
from streamgauge.figures.panels import WHOLE, PanelSize, headed, panels, spread_bars

_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_SMALL = PanelSize(WIDTH // 2 - 45, 150)
_DECADES = 20  # costs further apart are drawn on a logarithmic axis


def cost_and_score(
    frame: pa.Table,
    metric: str,
    cost: str,
    *,
    title: str,
    references: Sequence[str] = (),
    direction: str | None = "higher",
    percent: bool = False,
    caption: Sequence[str] = (),
) -> Any:
    """Draw scores against costs.

    Parameters
    ----------
    frame
        Columns `panel`, `series` (the learner), `cost`, `value` and `spread` (half the length of
        the bar around a value; null without one).
    metric
        Name of the metric, for the axis.
    cost
        What the cost is, for the axis.
    title
        Title of the figure.
    references
        Those series that are references: grey.
    direction
        Which values are better: "higher" or "lower"; None: there is no line of the best.
    percent
        Whether the metric is a fraction, to be shown in per cent.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: one or more panels, each with its Pareto line.
    """
    defined = frame.filter(pc.and_(pc.is_valid(frame["value"]), pc.is_valid(frame["cost"])))
    rows = defined.to_pylist()
    names = list(dict.fromkeys(row["series"] for row in rows))
    learners = [name for name in names if name not in references]
    others = [name for name in names if name in references]
    shown = list(dict.fromkeys(row["panel"] for row in rows))
    size = WHOLE if len(shown) == 1 else _SMALL
    costs = [row["cost"] for row in rows]
    wide = bool(costs) and 0 < _DECADES * min(costs) < max(costs)
    cost = f"{cost} (log scale)" if wide else cost
    charts = []
    for panel in shown:
        own = [row for row in rows if row["panel"] == panel]
        last = panel == shown[-1]
        layers = _layers(own, (metric, cost), direction, percent, learners, others, last, wide)
        # The legend of the points, not of the bars.
        layered = altair().layer(*layers).resolve_scale(color="independent", shape="independent")
        charts.append(headed(layered, panel, size))
    words = ["On the grey line: nothing else is both cheaper and better."] if direction else []
    why = f"{metric} or {cost} is undefined for every learner"
    return panels(charts, title=title, caption=[*caption, *words], why=why)


def pareto(rows: Sequence[dict[str, Any]], lower_is_better: bool) -> list[dict[str, Any]]:
    """The points that no other point beats in cost and value, cheapest first."""
    best: list[dict[str, Any]] = []
    sign = 1 if lower_is_better else -1
    for row in sorted(rows, key=lambda each: (each["cost"], sign * each["value"])):
        if not best or sign * row["value"] < sign * best[-1]["value"]:
            best.append(row)
    return best


def _layers(
    rows: list[dict[str, Any]],
    titles: tuple[str, str],
    direction: str | None,
    percent: bool,
    learners: Sequence[str],
    references: Sequence[str],
    last: bool,
    wide: bool,
) -> list[Any]:
    alt = altair()
    metric, cost = titles
    costs = [row["cost"] for row in rows]
    scale = alt.Scale(type="log") if wide else alt.Scale(zero=False)
    digits = "~s" if max(costs) >= 1000 else ".4~g"
    x = alt.X("cost:Q", title=cost, scale=scale, axis=alt.Axis(format=digits, tickCount=4))
    ends = [row["value"] + side * (row["spread"] or 0) for row in rows for side in (-1, 1)]
    y = value_axis("value", metric, percent, ends)
    shapes = _shapes(learners) + [_SHAPES[i % 6] for i in range(len(references))]
    names = [*learners, *references]
    kinds = alt.Scale(domain=names, range=shapes)
    legend = alt.Legend(symbolSize=70, columns=2) if last else None
    colour = series_colour(learners, references).legend(legend)
    shape = alt.Shape("series:N", scale=kinds, sort=names, title=None, legend=legend)
    tooltip = [
        "series:N",
        alt.Tooltip("cost:Q", format=".4~g"),
        value_tooltip("value", percent),
    ]
    steps = alt.Chart(inline(pareto(rows, direction == "lower") if direction else []))
    line = steps.mark_line(color=GREY, strokeWidth=1, interpolate="step-after").encode(x=x, y=y)
    points = alt.Chart(inline(rows)).mark_point(filled=True, size=60, opacity=1)
    dots = points.encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip)
    return [line, *spread_bars(rows, x, y, series_colour(learners, references)), dots]


def _shapes(learners: Sequence[str]) -> list[str]:
    """Circles; other shapes where a colour repeats."""
    colours = [colour_of(name) for name in learners]
    return [_SHAPES[colours[:i].count(each) % len(_SHAPES)] for i, each in enumerate(colours)]
