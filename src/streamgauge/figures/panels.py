"""Panels of composed figures: their size and heading, and several of them under one title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from streamgauge.figures._style import HEIGHT, WIDTH, altair, finished, inline, nothing_to_draw


class PanelSize(NamedTuple):
    """Width and height of a panel in pixels."""

    width: int
    height: int


WHOLE = PanelSize(WIDTH, HEIGHT)


def headed(chart: Any, words: str, size: PanelSize) -> Any:
    """The chart in its size, with a heading in plain type."""
    heading = altair().TitleParams(words, fontSize=11, fontWeight="normal", anchor="start")
    return chart.properties(width=size.width, height=size.height, title=heading)


def spread_bars(rows: Sequence[dict[str, Any]], x: Any, y: Any, colour: Any) -> list[Any]:
    """A layer of bars of `value` ± `spread`, without a legend; none if no row has a spread."""
    barred = [
        row | {"value": row["value"] - row["spread"], "high": row["value"] + row["spread"]}
        for row in rows
        if row["spread"]
    ]
    if not barred:
        return []
    alt = altair()
    bars = alt.Chart(inline(barred)).mark_rule(strokeWidth=1.2)
    return [bars.encode(x=x, y=y, y2="high:Q", color=colour.legend(None))]


def spread_band(rows: Sequence[dict[str, Any]], x: Any, y: Any, colour: Any) -> list[Any]:
    """A layer of bands of `value` ± `spread` along x, without a legend."""
    edges = [
        row | {"value": row["value"] - row["spread"], "high": row["value"] + row["spread"]}
        for row in rows
        if row["spread"] is not None
    ]
    band = altair().Chart(inline(edges)).mark_area(opacity=0.18)
    return [band.encode(x=x, y=y, y2="high:Q", color=colour.legend(None))] if edges else []


def panels(
    charts: Sequence[Any], *, title: str, caption: Sequence[str] = (), columns: int = 2, why: str
) -> Any:
    """Arrange panels in rows.

    Parameters
    ----------
    charts
        The panels, in order; a None is left out.
    title
        Title of the figure.
    caption
        Sentences below the title.
    columns
        Panels in a row.
    why
        What to say if there is no panel.

    Returns
    -------
    altair.Chart
        The chart.
    """
    shown = [chart for chart in charts if chart is not None]
    if not shown:
        return nothing_to_draw(title, why)
    if len(shown) == 1:
        return finished(shown[0], title, [shown[0].title.text, *caption])
    scales = dict.fromkeys(("color", "strokeDash", "shape"), "independent")
    both = altair().concat(*shown, columns=columns).resolve_scale(**scales)
    return finished(both, title, caption)
