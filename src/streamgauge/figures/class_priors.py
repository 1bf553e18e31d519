"""Class priors along the stream."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures._style import altair, inline, series_encodings
from streamgauge.figures.panels import WHOLE, PanelSize, headed


def class_priors(frame: pa.Table, window: int, size: PanelSize = WHOLE) -> Any:
    """Draw the fraction of each class among the last labels: a panel.

    Parameters
    ----------
    frame
        Columns `series` (the class), `rows` (labelled rows so far) and `share`.
    window
        Number of labels that a share is of.
    size
        Size of the panel.

    Returns
    -------
    altair.Chart or None
        The panel; None without rows.
    """
    alt = altair()
    if not len(frame):
        return None
    names = list(dict.fromkeys(frame["series"].to_pylist()))
    lines = alt.Chart(inline(frame.to_pylist())).mark_line(strokeWidth=1.6)
    chart = lines.encode(
        x=alt.X(
            "rows:Q",
            title="labelled rows",
            axis=alt.Axis(format="~s", tickCount=5),
            scale=alt.Scale(nice=False),
        ),
        y=alt.Y("share:Q", title="fraction", scale=alt.Scale(domain=[0, 1])),
        color=series_encodings(names, ())["color"],
        tooltip=[
            "series:N",
            alt.Tooltip("rows:Q", format=","),
            alt.Tooltip("share:Q", format=".3f"),
        ],
    )
    return headed(chart, f"Classes among the last {window:,} labels", size)
