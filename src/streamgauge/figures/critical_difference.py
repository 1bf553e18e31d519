"""Critical-difference diagram: average ranks on an axis, bars join groups that do not differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from streamgauge._support.printable import printable
from streamgauge.figures._style import TEXT, WIDTH, altair, finished, inline
from streamgauge.figures.colours import colours_of

_BAR = "#000000"
_AXIS = 52  # pixels from the top
_STEP, _BAR_STEP = 20, 8  # between two names, between two bars
_SPAN = WIDTH - 140  # length of the axis: names stand on both sides of it


def critical_difference(
    average_ranks: Mapping[str, float],
    difference: float,
    groups: Sequence[Sequence[str]],
    *,
    title: str,
    caption: Sequence[str] = (),
) -> Any:
    """Draw the better half of the names on the left, the others on the right.

    Parameters
    ----------
    average_ranks
        Average rank by name, best first.
    difference
        The critical difference: length of the scale above the axis.
    groups
        Names that do not differ significantly; a bar joins each group of two or more.
    title
        Title of the figure.
    caption
        What the tests say, in sentences.

    Returns
    -------
    altair.Chart
        The diagram.
    """
    alt = altair()
    names, k = list(average_ranks), len(average_ranks)
    unit = (k - 1) / _SPAN  # ranks per pixel
    bars = [group for group in groups if len(group) > 1]
    first_name = _AXIS + 18 + len(bars) * _BAR_STEP
    left = math.ceil(k / 2)
    height = first_name + left * _STEP

    lines = [_line(1, k, _AXIS, _AXIS), *(_line(i, i, _AXIS - 6, _AXIS) for i in range(1, k + 1))]
    ticks = [{"x": i, "y": _AXIS - 14, "text": str(i)} for i in range(1, k + 1)]
    end = min(1 + difference, k)
    cut = " (longer than the axis)" if 1 + difference > k else ""
    lines += [_line(1, end, 22, 22), _line(1, 1, 18, 26)]
    lines += [] if cut else [_line(end, end, 18, 26)]
    ticks.append({"x": (1 + end) / 2, "y": 10, "text": f"CD = {difference:.2f}{cut}"})
    joined = []
    for i, group in enumerate(bars):
        ends, y = [average_ranks[name] for name in group], _AXIS + 12 + i * _BAR_STEP
        joined.append(_line(min(ends) - 4 * unit, max(ends) + 4 * unit, y, y))

    legs: list[dict[str, Any]] = []
    labels: dict[str, list[dict[str, Any]]] = {"right": [], "left": []}  # by the end of the text
    for i, (name, rank) in enumerate(average_ranks.items()):
        on_left = i < left
        y = first_name + (i if on_left else k - 1 - i) * _STEP
        end = 1 - 8 * unit if on_left else k + 8 * unit
        shown = printable(name)
        legs += [
            {"series": shown, **_line(rank, rank, _AXIS, y)},
            {"series": shown, **_line(rank, end, y, y)},
        ]
        text = f"{shown}  {rank:.2f}" if on_left else f"{rank:.2f}  {shown}"
        side = labels["right" if on_left else "left"]
        side.append({"x": end - 4 * unit if on_left else end + 4 * unit, "y": y, "text": text})

    shown_names = list(map(printable, names))
    colours = colours_of(shown_names)
    colour = alt.Color(
        "series:N",
        legend=None,
        scale=alt.Scale(domain=shown_names, range=[colours[name] for name in shown_names]),
    )
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[1, k], nice=False, zero=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False, zero=False))

    def rules(rows: list[dict[str, Any]], **style: Any) -> Any:
        chart = alt.Chart(inline(rows)).mark_rule(**style)
        return chart.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")

    def texts(rows: list[dict[str, Any]], **style: Any) -> Any:
        chart = alt.Chart(inline(rows)).mark_text(fontSize=12, **style)
        return chart.encode(x=x, y=y, text="text:N")

    layers = [
        rules(legs, strokeWidth=1.4).encode(color=colour),
        rules(lines, strokeWidth=1.2, color=TEXT),
        texts(ticks, color=TEXT),
    ]
    layers += [rules(joined, strokeWidth=4, strokeCap="round", color=_BAR)] if joined else []
    layers += [texts(rows, align=side) for side, rows in labels.items() if rows]
    return finished(alt.layer(*layers).properties(width=_SPAN, height=height), title, caption)


def _line(x: float, x2: float, y: float, y2: float) -> dict[str, float]:
    return {"x": x, "x2": x2, "y": y, "y2": y2}
