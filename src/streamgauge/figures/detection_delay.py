"""Detection delay against false alarms, for drift detectors and blind alarms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import HEIGHT, WIDTH, altair, finished, inline, nothing_to_draw
from streamgauge.figures.colours import GREY, colours_of

_SHAPES = ("square", "diamond", "triangle-up", "cross")  # of dummies


def detection_delay(
    frame: pa.Table,
    *,
    title: str,
    dummies: Sequence[str] = (),
    false_title: str = "false alarms",
    caption: Sequence[str] = (),
) -> Any:
    """Draw a point for each detector, with ranges where there are draws.

    Parameters
    ----------
    frame
        Columns `series`, `false_alarms` and `wait`, and their ranges `false_low`, `false_high`,
        `wait_low` and `wait_high`; null where undefined.
    title
        Title of the figure.
    dummies
        Those series that never look at the errors: grey.
    false_title
        What `false_alarms` counts.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    rows = [row | {"series": printable(row["series"])} for row in frame.to_pylist()]
    drawn = [row for row in rows if row["false_alarms"] is not None and row["wait"] is not None]
    if not drawn:
        why = "No wait and no rate of false alarms is defined: the runs have no drift, or no row "
        return nothing_to_draw(title, f"{why}outside the windows of the drifts.")
    if left_out := [row["series"] for row in rows if row not in drawn]:
        caption = [*caption, f"Undefined, so not drawn: {', '.join(left_out)}."]
    blind = set(map(printable, dummies))
    names = [row["series"] for row in drawn]
    colours = colours_of([name for name in names if name not in blind])
    grey = [name for name in names if name in blind]
    shapes = {name: _SHAPES[i % len(_SHAPES)] for i, name in enumerate(grey)}
    colour = alt.Scale(domain=names, range=[colours.get(name, GREY) for name in names])
    shape = alt.Scale(domain=names, range=[shapes.get(name, "circle") for name in names])
    x = alt.X("false_alarms:Q", title=printable(false_title))
    y = alt.Y("wait:Q", title="rows to the alarm", axis=alt.Axis(format=",~f"))
    legend = alt.Legend(symbolSize=90)
    base = alt.Chart(inline(drawn)).encode(
        color=alt.Color("series:N", title=None, scale=colour, sort=names, legend=legend)
    )
    across = base.mark_rule(strokeWidth=1.2).encode(
        x=alt.X("false_low:Q", title=printable(false_title)), x2="false_high:Q", y=y
    )
    along = base.mark_rule(strokeWidth=1.2).encode(
        x=x, y=alt.Y("wait_low:Q", title="rows to the alarm"), y2="wait_high:Q"
    )
    encoded = {
        "x": x,
        "y": y,
        "shape": alt.Shape("series:N", title=None, scale=shape, sort=names, legend=legend),
        "tooltip": [
            "series:N",
            alt.Tooltip("false_alarms:Q", format=".3g"),
            alt.Tooltip("wait:Q", format=",.0f"),
        ],
    }
    # Dummies are larger and hollow, so that a detector at the same place is seen inside.
    outlines = _points(base, [row for row in drawn if row["series"] in blind])
    filled = _points(base, [row for row in drawn if row["series"] not in blind])
    hollow = outlines.mark_point(filled=False, size=160, strokeWidth=1.8).encode(**encoded)
    solid = filled.mark_point(filled=True, size=80, opacity=1).encode(**encoded)
    whole = alt.layer(across, along, hollow, solid).properties(width=WIDTH, height=HEIGHT)
    return finished(whole, title, caption)


def _points(base: Any, rows: list[dict[str, Any]]) -> Any:
    return base.properties(data=inline(rows))
