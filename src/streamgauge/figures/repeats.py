"""Δ(ℓ): how much one more equal label before changes the probability of a repeat."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import altair, inline, series_encodings
from streamgauge.figures.panels import WHOLE, PanelSize, headed

_HEADING = "Δ(ℓ); below 0: runs of equal labels go on"


def repeats(
    frame: pa.Table, together: str, size: PanelSize = WHOLE, heading: str = _HEADING
) -> Any:
    """Draw Δ(ℓ) of each class and of all classes together: a panel.

    Parameters
    ----------
    frame
        Columns `series` (the class), `times` (ℓ) and `delta` (null where undefined).
    together
        The series of all classes together: grey and dashed.
    size
        Size of the panel.
    heading
        What stands above it.

    Returns
    -------
    altair.Chart or None
        The panel; None if fewer than two ℓ are defined.
    """
    alt = altair()
    defined = frame.filter(pc.is_valid(frame["delta"]))
    if len(pc.unique(defined["times"])) < 2:  # no line goes through one point
        return None
    names = list(dict.fromkeys(defined["series"].to_pylist()))
    own, others = [name for name in names if name != together], [n for n in names if n == together]
    data = alt.Chart(inline(defined.to_pylist()))
    chart = data.mark_line(strokeWidth=1.6).encode(
        x=alt.X("times:Q", title="ℓ", axis=alt.Axis(tickMinStep=1)),
        y=alt.Y("delta:Q", title="Δ(ℓ)"),
        tooltip=["series:N", "times:Q", alt.Tooltip("delta:Q", format=".4f")],
        **series_encodings(own, others),
    )
    return headed(chart, heading, size)
