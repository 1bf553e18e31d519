"""The error along the stream, and what each drift detector made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._marks import alarm_ticks, drift_marks
from streamgauge.figures._style import WIDTH, altair, finished, inline, nothing_to_draw
from streamgauge.figures._thinning import thinned
from streamgauge.figures.colours import colours_of

_ERROR_HEIGHT, _HEIGHT = 120, 80  # pixels of a panel
_LINE = "#222222"


def detector_trace(
    errors: pa.Table,
    statistic: pa.Table,
    alarms: pa.Table,
    detectors: Sequence[str],
    *,
    title: str,
    drifts: Sequence[tuple[float, float]] = (),
    error: str = "Error",
    percent: bool = True,
    caption: Sequence[str] = (),
) -> Any:
    """Draw the error, and a panel for each detector with its statistic, alarm level and alarms.

    Parameters
    ----------
    errors
        Columns `row` and `value`.
    statistic
        Columns `detector`, `row`, `value`, `threshold` (null while it does not test) and
        `alarms_below`.
    alarms
        Columns `detector` and `row`.
    detectors
        The detectors to draw.
    title
        Title of the figure.
    drifts
        Start and end of each true drift.
    error
        What the error is.
    percent
        Whether the error is a rate.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart.
    """
    alt = altair()
    if not len(errors):
        return nothing_to_draw(title, "There is no error: no row has been scored.")
    rows = errors["row"].to_numpy()
    ends = alt.Scale(domain=[float(rows.min()), float(rows.max())], nice=False, zero=False)
    pixel = float(rows.max() - rows.min()) / WIDTH
    colours = colours_of(map(printable, detectors))
    said = ["Red: true drifts."] if len(drifts) else []
    said.append("Ticks: alarms; dashed: the level at which a detector alarms.")

    def x(last: bool = False) -> Any:
        title = "newest row" if last else None
        return alt.X("rows:Q", title=title, scale=ends, axis=alt.Axis(format="~s"))

    def panel(layers: list[Any], heading: str, height: int, last: bool) -> Any:
        marked = [*layers, *drift_marks(drifts, pixel)]
        drawn = alt.layer(*(each.encode(x=x(last)) for each in marked))
        title = alt.TitleParams(printable(heading), fontSize=11, anchor="start", offset=4)
        return drawn.properties(width=WIDTH, height=height, title=title)

    mean = alt.Chart(inline(_points(errors, "value"))).mark_line(color=_LINE, strokeWidth=1.4)
    y = alt.Y("value:Q", title=None, axis=alt.Axis(format="~%") if percent else alt.Axis())
    parts = [panel([mean.encode(y=y)], error, _ERROR_HEIGHT, not detectors)]
    for name in detectors:
        mine = _only(statistic, name)
        colour = colours[printable(name)]
        rung = _only(alarms, name)["row"].to_numpy()
        known = len(mine) > 0 and np.isfinite(mine["value"].to_numpy()).any()
        height = _HEIGHT if known else 16
        layers = [*(_levels(mine, colour) if known else []), *alarm_ticks(rung, height)]
        below = known and mine["alarms_below"][0].as_py()
        count = f"{len(rung):,} alarm{'' if len(rung) == 1 else 's'}"
        how = (
            ", below the dashed line" if below else "" if known else "; its statistic is not known"
        )
        last = name == detectors[-1]
        parts.append(panel(layers, f"{name}: {count}{how}", height, last))
    whole = alt.vconcat(*parts, spacing=6) if len(parts) > 1 else parts[0]
    return finished(whole, title, [*caption, " ".join(said)])


def _only(table: pa.Table, detector: str) -> pa.Table:
    mine = [each == detector for each in table["detector"].to_pylist()]
    return table.filter(pa.array(mine, pa.bool_()))


def _points(table: pa.Table, *names: str) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = (
        table.select(["row", *names]).rename_columns(["rows", *names]).to_pylist()
    )
    return points


def _levels(mine: pa.Table, colour: str) -> list[Any]:
    """The statistic as a line, its threshold dashed."""
    alt = altair()
    shown, _ = thinned(mine, ("detector",))
    base = alt.Chart(inline(_points(shown, "value", "threshold")))
    gaps = "break-paths-show-path-domains"
    value = base.mark_line(color=colour, strokeWidth=1.4, invalid=gaps)
    threshold = base.mark_line(
        color=_LINE, strokeWidth=1, strokeDash=[4, 3], invalid=gaps, interpolate="step-after"
    )
    scale = alt.Scale(zero=False)
    tooltip = [
        alt.Tooltip("rows:Q", format=","),
        alt.Tooltip("value:Q", format=".4g"),
        alt.Tooltip("threshold:Q", format=".4g"),
    ]
    return [
        threshold.encode(y=alt.Y("threshold:Q", title=None, scale=scale)),
        value.encode(y=alt.Y("value:Q", title=None, scale=scale), tooltip=tooltip),
    ]
