"""Metrics of several runs along one stream, a panel for each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge.figures.metric_curve import metric_curve
from streamgauge.papers._cells import WINDOW
from streamgauge.runs.run import Run

_EMPTY = pa.table({"series": pa.array([], pa.string()), "rows": [], "value": []})


def draw_curves(
    runs: Mapping[str, Run | None],
    metrics: Mapping[str, str],
    title: str,
    references: Sequence[str] = (),
) -> Any:
    """Draw the metrics (column → title of its panel) over the last 1000 rows.

    A run that is missing is left out, and the caption says so.
    """
    frames = []
    for metric, panel in metrics.items():
        for name, run in runs.items():
            if run is not None:
                values = run.curve[metric, WINDOW]
                frames.append(
                    pa.table(
                        {
                            "panel": [panel] * len(values),
                            "series": [name] * len(values),
                            "rows": run.curve.rows,
                            "value": pa.array(values, mask=~np.isfinite(values)),
                        }
                    )
                )
    table = pa.concat_tables(frames) if frames else _EMPTY
    single = len(metrics) == 1 and frames
    missing = [name for name, run in runs.items() if run is None]
    return metric_curve(
        table.drop_columns("panel") if single else table,
        next(iter(metrics.values())) if single else "",
        title=f"{title}; {WINDOW}",
        references=references,
        caption=[f"Missing: {', '.join(missing)}."] if missing else [],
        zero=True,
        own_axes=True,
    )


def positive_share(run: Run | None, metric: str) -> float:
    """The fraction of the defined points along the stream at which a metric is above 0."""
    if run is None:
        return float("nan")
    values = run.curve[metric, WINDOW]
    defined = values[np.isfinite(values)]
    return float((defined > 0).mean()) if len(defined) else float("nan")
