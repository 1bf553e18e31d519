"""Autocorrelation of the labels by lag, with its band and its peaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import altair, inline
from streamgauge.figures.colours import GREY, PALETTE
from streamgauge.figures.panels import WHOLE, PanelSize, headed


def autocorrelation(frame: pa.Table, peaks: Sequence[int] = (), size: PanelSize = WHOLE) -> Any:
    """Draw the autocorrelation by lag: a panel.

    Parameters
    ----------
    frame
        Columns `lag`, `value` (null where undefined) and `band`.
    peaks
        Lags of the seasons found, which get a mark.
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
    rows = [row | {"below": -row["band"]} for row in defined.to_pylist()]
    data = alt.Chart(inline(rows))
    scale = alt.Scale(nice=False)
    x = alt.X("lag:Q", title="rows apart", scale=scale, axis=alt.Axis(format="~s", tickCount=5))
    y_title = "autocorrelation"
    tooltip = ["lag:Q", alt.Tooltip("value:Q", format=".3f"), alt.Tooltip("band:Q", format=".3f")]
    layers = [
        data.mark_area(color=GREY, opacity=0.25).encode(
            x=x, y=alt.Y("below:Q", title=y_title), y2="band:Q"
        ),
        data.mark_line(color=PALETTE[0], strokeWidth=1.2).encode(
            x=x, y=alt.Y("value:Q", title=y_title), tooltip=tooltip
        ),
    ]
    marked = [row for row in rows if row["lag"] in peaks]
    if marked:
        tops = alt.Chart(inline(marked)).encode(x=x, y=alt.Y("value:Q", title=y_title))
        layers += [
            tops.mark_point(filled=True, color=PALETTE[1], size=30, opacity=1),
            tops.mark_text(dy=-9, color=PALETTE[1], fontSize=11).encode(text="lag:Q"),
        ]
    return headed(alt.layer(*layers), "Are rows this far apart alike? Grey: by chance", size)
