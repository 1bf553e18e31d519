"""What re-evaluation costs along the stream: N_C and N_B, in a panel each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge.figures._style import (
    WIDTH,
    altair,
    finished,
    inline,
    nothing_to_draw,
    series_encodings,
)
from streamgauge.figures.panels import PanelSize, headed

_PANELS = {
    "n_c": "N_C: predictions made again in the last 100 arrivals and labels",
    "n_b": "N_B: predictions held for rows that wait",
}


def effort(frame: pa.Table, *, title: str, caption: Sequence[str] = ()) -> Any:
    """Draw the extra predictions along the stream.

    Parameters
    ----------
    frame
        Columns `series`, `rows` (labels so far), `n_c` and `n_b`.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: N_C above, N_B below.
    """
    alt = altair()
    if not len(frame):
        return nothing_to_draw(title, "no label was revealed, so nothing was predicted again")
    names = list(dict.fromkeys(frame["series"].to_pylist()))
    data = inline(frame.to_pylist())
    colours = series_encodings(names, ())
    x = alt.X("rows:Q", title="labels", scale={"nice": False}, axis=alt.Axis(format="~s"))
    tooltip = ["series:N", "rows:Q", "n_c:Q", "n_b:Q"]
    lines = alt.Chart(data).mark_line(strokeWidth=1.6).encode(x=x, tooltip=tooltip, **colours)
    charts = [
        headed(
            lines.encode(y=alt.Y(f"{field}:Q", title=None, axis=alt.Axis(format="~s"))),
            words,
            PanelSize(WIDTH, 110),
        )
        for field, words in _PANELS.items()
    ]
    return finished(alt.vconcat(*charts), title, caption)
