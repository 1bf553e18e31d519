"""Which label follows which, as a heat map."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import altair, inline
from streamgauge.figures.panels import WHOLE, PanelSize, headed

_BRIGHT = 0.6  # above it a cell is bright, and its number black
_MOST_TEXTS = 8  # classes: more numbers would not fit


def transition_matrix(frame: pa.Table, size: PanelSize = WHOLE) -> Any:
    """Draw P(next label | last label): a panel.

    Parameters
    ----------
    frame
        Columns `last`, `next` and `value` (null where undefined).
    size
        Size of the panel.

    Returns
    -------
    altair.Chart or None
        The panel; None if all is undefined.
    """
    alt = altair()
    defined = frame.filter(pc.is_valid(frame["value"]))
    if not len(defined):
        return None
    names = list(dict.fromkeys(frame["last"].to_pylist()))
    rows = [
        row | {"ink": "black" if row["value"] > _BRIGHT else "white"} for row in defined.to_pylist()
    ]
    plain = alt.Axis(labelAngle=0, labelLimit=60, grid=False)
    cells = alt.Chart(inline(rows)).encode(
        x=alt.X("next:N", title="next label", sort=names, axis=plain),
        y=alt.Y("last:N", title="last label", sort=names, axis=plain),
        tooltip=["last:N", "next:N", alt.Tooltip("value:Q", format=".4f")],
    )
    colours = alt.Color(
        "value:Q",
        title=None,
        scale=alt.Scale(scheme="viridis", domain=[0, 1]),
        legend=alt.Legend(gradientLength=120, gradientThickness=8, tickCount=3),
    )
    layers = [cells.mark_rect().encode(color=colours)]
    if len(names) <= _MOST_TEXTS:
        numbers = alt.Text("value:Q", format=".2f")
        ink = alt.Color("ink:N", scale=None)
        layers.append(cells.mark_text(fontSize=11).encode(text=numbers, color=ink))
    chart = alt.layer(*layers).resolve_scale(color="independent")
    return headed(chart, "How likely is each next label?", size)
