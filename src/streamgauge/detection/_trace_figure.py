"""Detections as a figure: the error, and each detector's statistic, alarm level and alarms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.figures.detector_trace import detector_trace
from streamgauge.rendering.words import plural

if TYPE_CHECKING:
    from streamgauge.detection.detect import Detections


def trace_figure(found: Detections, detectors: Sequence[str] = ()) -> Any:
    """Draw the error, and a panel for each detector."""
    names = list(detectors) or list(found.alarms)
    for name in names:
        if name not in found.alarms:
            close = did_you_mean(str(name), found.alarms)
            known = ", ".join(found.alarms)
            raise UsageError(f"no detector {name!r}{close}; expected one of {known}")
    errors = found.error_curve
    window = errors["window"][0].as_py() if len(errors) else 0
    alarms = [(name, int(row)) for name in names for row in found.alarms[name]]
    return detector_trace(
        pa.table({"row": errors["row"], "value": errors["error"]}),
        found.statistic,
        pa.table(
            {
                "detector": pa.array([name for name, _ in alarms], pa.string()),
                "row": pa.array([row for _, row in alarms], pa.int64()),
            }
        ),
        names,
        title=found.head(),
        drifts=[
            (each.position - each.width / 2, each.position + each.width / 2)
            for each in found.drifts or ()
        ],
        error=f"Error, mean of the last {plural(window, 'error')}",
        percent=not found.regression,
        caption=_caption(found, names),
    )


def _caption(found: Detections, names: Sequence[str]) -> list[str]:
    if found.drifts is None:
        return ["The true drifts are unknown: no alarm can be called right or wrong."]
    card = found.score()
    lines = []
    for name in names:
        score = card.scores[name]
        seen = f"{score.detections} of {plural(score.drifts, 'drift')} detected"
        late = f" after {score.mtd:,.0f} rows on average" if score.detections else ""
        lines.append(f"{name}: {seen}{late}, {plural(score.false_alarms, 'false alarm')}.")
    return lines
