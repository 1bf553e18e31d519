"""The figures of grzenda2019, through our own: bins of the wait, along the stream, effort."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Floats
from streamgauge.figures.effort import effort
from streamgauge.figures.metric_curve import metric_curve
from streamgauge.figures.wait_bins import INDEPENDENT, wait_bins
from streamgauge.papers.grzenda2019.plan import LEARNERS, REFERENCES, B
from streamgauge.papers.grzenda2019.scores import BinScores
from streamgauge.runs.run import Run

ACCURACY = "accuracy (%)"
SHOWN_ALONG = (0, 25, 45, 51)  # bins of Figures 6 and 10
_POINTS = 500  # of a line


def draw_bins(data: str, scores: Mapping[str, BinScores]) -> Any:
    """Figures 3, 4, 5, 7, 8, 9 and 14: every learner's score over the bins of the wait."""
    lower = any(each.metric == "mae" for each in scores.values())
    seeds = max(len(each.runs) for each in scores.values())
    bands = f"95 % for the mean of {seeds} seeds" if seeds > 1 else INDEPENDENT
    drawn = {name: each for name, each in scores.items() if lower or name in LEARNERS}
    return wait_bins(
        _frame({name: (each.mean, each.band, np.arange(B + 2.0)) for name, each in drawn.items()}),
        "mean absolute error" if lower else ACCURACY,
        title=f"{data}: {'error' if lower else 'accuracy'} while labels are awaited",
        final=B + 1,
        references=["TMean"] if lower else REFERENCES,
        direction="lower" if lower else "higher",
        bands=bands,
    )


def draw_bin_numbers(by_bins: Mapping[int, BinScores], most: int = 100) -> Any:
    """Figure 13: one learner with several B, at b·N/B, without the first and final bin."""
    series = {}
    for bins, scores in by_bins.items():
        places = np.arange(1, bins + 1) * most / bins
        series[f"B = {bins}"] = (scores.mean[1:-1], scores.band[1:-1], places)
    return wait_bins(
        _frame(series),
        ACCURACY,
        title="Electricity: NC with several numbers of bins",
        final=most + 1,
        caption=[
            f"Bin b of B stands at b·{most}/B; the first and the final prediction are left out."
        ],
        best=False,
    )


def _frame(series: Mapping[str, tuple[Floats, Floats, Floats]]) -> pa.Table:
    names = [name for name, (value, _, _) in series.items() for _ in value]
    value, band, places = (np.concatenate(each) for each in zip(*series.values(), strict=True))
    columns = {"value": value, "low": band[:, 0], "high": band[:, 1]}
    return pa.table(
        {"series": names, "bin": places}
        | {name: pa.array(each, mask=~np.isfinite(each)) for name, each in columns.items()}
    )


def draw_along(data: str, runs: Mapping[str, Run]) -> Any:
    """Figures 6 and 10: some bins along the stream, a panel for each learner."""
    columns: dict[str, list[Any]] = {"series": [], "panel": [], "rows": [], "value": []}
    for learner, run in runs.items():
        for b in SHOWN_ALONG:
            curve = run.bins.curve(b)
            columns["series"] += [f"b = {b}"] * len(curve)
            columns["panel"] += [learner] * len(curve)
            columns["rows"] += curve.rows.tolist()
            columns["value"] += (100 * curve["accuracy", "Cumulative()"]).tolist()
    return metric_curve(
        pa.table(columns),
        ACCURACY,
        title=f"{data}: accuracy so far, in four bins of the wait",
        x_title="labels",
    )


def draw_effort(run: Run, data: str) -> Any:
    """Figure 11: N_C and N_B along the stream."""
    along = _thinned(run.bins.effort)
    frame = pa.table({"series": [data] * len(along["rows"]), **along})
    return effort(frame, title=f"{data}: predictions made again, every K = 10 labels")


def draw_repredictions(by_every: Mapping[int, Run], data: str) -> Any:
    """Figure 12: N_R along the stream for several K."""
    columns: dict[str, list[Any]] = {"series": [], "rows": [], "value": []}
    for every, run in by_every.items():
        along = _thinned(run.bins.effort)
        columns["series"] += [f"K = {every}"] * len(along["rows"])
        columns["rows"] += along["rows"].tolist()
        columns["value"] += along["n_r"].tolist()
    return metric_curve(
        pa.table(columns),
        "N_R",
        title=f"{data}: predictions made again per labelled row",
        x_title="labels",
    )


def _thinned(along: Mapping[str, Floats]) -> dict[str, Floats]:
    length = len(along["rows"])
    kept = np.unique(np.linspace(0, length - 1, min(length, _POINTS)).astype(np.int64))
    return {name: values[kept] for name, values in along.items()}
