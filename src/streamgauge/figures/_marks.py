"""True drifts and alarms, drawn the same way in all figures along a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.figures._style import WIDTH, altair, inline

DRIFT, ALARM = "#b30000", "#000000"


def drift_marks(drifts: Sequence[tuple[float, float]], pixel: float) -> list[Any]:
    """Abrupt drifts as lines, gradual ones as bands; encode their x from `rows`.

    `pixel`: the rows that one pixel stands for.
    """
    alt = altair()
    layers = []
    for gradual in (False, True):
        found = [each for each in drifts if (each[1] - each[0] > 2 * pixel) == gradual]
        if not found:
            continue
        data = inline([{"rows": start, "end": end} for start, end in found])
        chart = alt.Chart(data)
        if gradual:
            layers.append(chart.mark_rect(color=DRIFT, opacity=0.12, clip=True).encode(x2="end:Q"))
        else:
            layers.append(
                chart.mark_rule(color=DRIFT, strokeDash=[3, 3], strokeWidth=1.2, clip=True)
            )
    return layers


def alarm_ticks(rows: Sequence[float], height: int) -> list[Any]:
    """Alarms as ticks at the bottom; encode their x from `rows`.

    Of alarms less than half a pixel apart one is drawn.
    """
    alt = altair()
    if not len(rows):
        return []
    places = np.asarray(rows, np.float64)
    span = float(places.max() - places.min()) or 1.0
    _, first = np.unique((places - places.min()) // (span / (2 * WIDTH)), return_index=True)
    data = inline([{"rows": row} for row in places[np.sort(first)].tolist()])
    ticks = alt.Chart(data).mark_tick(
        color=ALARM, thickness=1.2, size=9, yOffset=-5, orient="vertical", clip=True
    )
    return [ticks.encode(y=alt.value(height))]


def alarm_marks(
    alarms: Sequence[float] | Mapping[str, Sequence[float]], height: int, colours: Mapping[str, str]
) -> list[Any]:
    """Alarms as ticks, or by series as vertical lines in its colour."""
    if not isinstance(alarms, Mapping):
        return alarm_ticks(alarms, height)
    layers = []
    for name, rows in alarms.items():
        data = [{"alarm": printable(name), "rows": float(row)} for row in rows]
        # The colour is fixed, not encoded: lines of alarms have no place in the legend.
        lines = (
            altair()
            .Chart(inline(data))
            .mark_rule(color=colours[printable(name)], strokeWidth=1.2, clip=True)
        )
        layers += [lines.encode(tooltip=["alarm:N", "rows:Q"])] if data else []
    return layers
