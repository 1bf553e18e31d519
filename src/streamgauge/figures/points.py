"""Rows as points in the plane of two features, coloured by class, in panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge.figures._style import WIDTH, altair, inline, series_colour
from streamgauge.figures.panels import PanelSize, headed, panels

_COLUMNS = 4


def points(
    frame: pa.Table,
    x_title: str,
    y_title: str,
    *,
    title: str,
    caption: Sequence[str] = (),
) -> Any:
    """Draw rows in panels, four beside each other.

    Parameters
    ----------
    frame
        Columns `panel` (its heading), `series` (the class), `x` and `y`.
    x_title, y_title
        The features, for the axes.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: one or more panels.
    """
    alt = altair()
    rows = frame.to_pylist()
    classes = sorted({row["series"] for row in rows})
    size = PanelSize(WIDTH // _COLUMNS, WIDTH // _COLUMNS)
    colour = series_colour(classes)
    charts: list[Any] = []
    shown = list(dict.fromkeys(row["panel"] for row in rows))
    for panel in shown:
        own = alt.Chart(inline([row for row in rows if row["panel"] == panel]))
        legend = alt.Legend(symbolSize=60) if panel == shown[-1] else None
        dots = own.mark_point(filled=True, size=8, opacity=0.8).encode(
            x=alt.X("x:Q", title=x_title, scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=False)),
            color=colour.legend(legend),
        )
        charts.append(headed(dots, panel, size))
    return panels(charts, title=title, caption=caption, columns=_COLUMNS, why="no rows")
