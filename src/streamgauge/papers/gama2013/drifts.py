"""Figures 8 to 10 of gama2013: what Page–Hinkley watches around a drift."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.detection.detect import Detections, detect
from streamgauge.figures.detector_trace import detector_trace
from streamgauge.figures.metric_curve import Marks, metric_curve
from streamgauge.papers.gama2013.figure_claims import detects_first_drift, fading_is_fastest
from streamgauge.papers.gama2013.plan import (
    ALL_ROWS,
    FADING,
    NAIVE,
    PH_SEA,
    STREAMS,
    WINDOWS,
    drifting,
    plain,
    ratio,
    run_name,
    sea,
    size_of,
)
from streamgauge.papers.gama2013.series import PaperCurve, curves_frame, curves_sheet
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.study import PaperStudy

_RUN = 1  # the run that Figures 9 and 10 draw


def show_figure8(study: PaperStudy) -> PaperSection:
    """Figure 8: the error of naive Bayes on SEA, and Page–Hinkley's statistic with its level."""
    period = size_of(study).sea_period
    run = study.run(sea(size_of(study))).run(learner=NAIVE)
    found = detect(run, [PH_SEA])
    error = PaperCurve(run.curve.rows, run.curve["error", ALL_ROWS])
    statistic = PaperCurve(*(found.statistic[name].to_numpy() for name in ("row", "value")))
    lines = {"error, all rows": error, "Page–Hinkley statistic": statistic}
    return PaperSection(
        [PaperTable("The first two concepts of SEA.", curves_sheet(lines, 2 * period, ".4g", 8))],
        [PaperFigure("figure8", partial(_draw_trace, found, error, period))],
        [detects_first_drift(found.alarms[PH_SEA].astype(float), period)],
        [
            "The paper does not print δ and λ of this figure: δ = 0.005 and λ = 50 are the "
            "defaults of MOA and River."
        ],
    )


def show_figure9(study: PaperStudy) -> PaperSection:
    """Figure 9: three estimates of the error and the alarms on them."""
    return _show_streams(
        study,
        {name: plain(name) for name in (ALL_ROWS, WINDOWS[0], FADING[0])},
        "figure9",
        ("error", "Figure 9: {}, estimates of the error and their alarms"),
        partial(fading_is_fastest, fading=FADING[0], what="the estimates"),
    )


def show_figure10(study: PaperStudy) -> PaperSection:
    """Figure 10: two ratios of estimates and the alarms on them."""
    names = {
        "R of Fading(0.997) to Fading(0.9994)": ratio(FADING[-1]),
        "R of Window(1000) to Window(5000)": ratio(WINDOWS[-1]),
    }
    return _show_streams(
        study,
        names,
        "figure10",
        ("R", "Figure 10: {}, ratio of two estimates and its alarms"),
        partial(fading_is_fastest, fading=next(iter(names)), what="the ratio"),
    )


def _show_streams(
    study: PaperStudy,
    detectors: Mapping[str, str],
    name: str,
    texts: tuple[str, str],
    claim: Callable[[Mapping[str, Mapping[str, float]]], Any],
) -> PaperSection:
    """A figure per stream: what each detector watches, and its alarms, in one run."""
    size = size_of(study)
    results = study.run(drifting(size))
    what, title = texts
    section, delays = PaperSection(), {}
    for stream in STREAMS:
        found = detect(
            results.run(stream=run_name(stream, _RUN), learner="NBa"), [*detectors.values()]
        )
        lines = {each: watched_line(found, detector) for each, detector in detectors.items()}
        near = {
            each: watched_line(found, detector, size.around(stream))
            for each, detector in detectors.items()
        }
        alarms = {each: found.alarms[detector] for each, detector in detectors.items()}
        drift = size.drift(stream)
        delays[stream] = {
            each: float(rows[rows >= drift][0] - drift) if (rows >= drift).any() else math.nan
            for each, rows in alarms.items()
        }
        sheet = curves_sheet(lines, found.n, ".4f", 6)
        said = ", ".join(f"{each}: {_listed(rows)}" for each, rows in alarms.items())
        section.tables.append(PaperTable(f"{stream}: {what}. Alarms at rows: {said}.", sheet))
        marks = Marks([(drift, drift)], {each: rows.tolist() for each, rows in alarms.items()})
        draw = partial(
            metric_curve,
            curves_frame(near),
            what,
            title=title.format(stream),
            marks=marks,
            caption=[
                "Hoeffding tree with naive Bayes leaves, one run, the rows around the drift. An "
                "alarm resets its curve."
            ],
            percent=what == "error",
            x_title="row",
        )
        section.figures.append(PaperFigure(f"{name}-{stream.lower()}", draw))
    section.claims.append(claim(delays))
    return section


def watched_line(
    found: Detections, detector: str, between: tuple[int, int | None] = (0, None)
) -> PaperCurve:
    """The input of a detector's test along the stream, or between two rows."""
    every = found.statistic_between(*between)
    table = every.filter(pc.equal(every["detector"], detector))
    return PaperCurve(table["row"].to_numpy(), table["signal"].to_numpy())


def _listed(rows: Any) -> str:
    shown = ", ".join(f"{row:,}" for row in rows[:5].tolist())
    return (shown + (f" and {len(rows) - 5} more" if len(rows) > 5 else "")) or "none"


def _draw_trace(found: Detections, error: PaperCurve, period: int) -> Any:
    """The first two concepts, as the paper draws them."""
    end = 2 * period
    shown = found.statistic.filter(pc.less(found.statistic["row"], end))
    rung = [int(row) for row in found.alarms[PH_SEA] if row < end]
    kept = error.rows < end
    return detector_trace(
        pa.table({"row": error.rows[kept], "value": error.values[kept]}),
        shown,
        pa.table({"detector": [PH_SEA] * len(rung), "row": pa.array(rung, pa.int64())}),
        [PH_SEA],
        title="Figure 8: naive Bayes on SEA, watched by Page–Hinkley",
        drifts=[(period, period)],
        error="Error over all rows so far",
    )
