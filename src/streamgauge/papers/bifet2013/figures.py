"""Figures 2 to 11 of bifet2013: tables of their numbers, charts, claims."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from streamgauge.figures.sweep import FRAME, sweep
from streamgauge.papers._curves import draw_curves
from streamgauge.papers.bifet2013 import claims
from streamgauge.papers.bifet2013.plan import (
    COVER,
    NO_CHANGE,
    SWEPT,
    Bifet2013Plan,
    classifiers,
    sweeps,
    swept,
    swt,
    variants,
)
from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.scores import CellScores
from streamgauge.papers.study import PaperStudy
from streamgauge.rendering.sheet import sheet_of

_METRICS = {"accuracy": "accuracy", "kappa": "κ", "kappa_temporal": "κ⁺"}
_COSTS = {"seconds": "time, seconds", "model_bytes": "memory, kB"}
_REFERENCES = ("Majority", NO_CHANGE)


def figure2(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """Accuracy and kappa on Electricity."""
    names = ["NB", "VFDT", "Majority", NO_CHANGE]
    metrics = {"accuracy": "accuracy", "kappa": "κ"}
    scores, streams = classifiers(study, plan), variants(study, plan)
    return _curves(2, scores, streams, names, metrics, claims.figure2(scores, streams))


def figure3(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """Accuracy and both kappas on Cover."""
    scores = classifiers(study, plan)
    return _curves(3, scores, [COVER], ["NB", "VFDT", NO_CHANGE], _METRICS, claims.figure3(scores))


def figure4(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """The more powerful classifiers on Cover."""
    scores = classifiers(study, plan)
    return _curves(4, scores, [COVER], ["HAT", "LB", NO_CHANGE], _METRICS, claims.figure4(scores))


def figure5(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """The more powerful classifiers on Electricity."""
    scores, streams = classifiers(study, plan), variants(study, plan)
    names = ["HAT", "LB", NO_CHANGE]
    return _curves(5, scores, streams, names, _METRICS, claims.figure5(scores, streams))


def figure6(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """Wrapped classifiers on Electricity."""
    scores, streams = classifiers(study, plan), variants(study, plan)
    names = [*map(swt, plan.learners), NO_CHANGE]
    found = claims.figure6(scores, streams, plan)
    return _curves(6, scores, streams, names, _METRICS, found)


def figure7(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """Wrapped classifiers on Cover."""
    scores = classifiers(study, plan)
    names = [*map(swt, plan.learners), NO_CHANGE]
    return _curves(7, scores, [COVER], names, _METRICS, claims.figure7(scores, plan))


def figure8(study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """κ⁺ and accuracy of wrapped trees."""
    scores, streams = classifiers(study, plan), [*variants(study, plan), COVER]
    names = [swt("VFDT"), swt("HAT"), NO_CHANGE]
    metrics = {"kappa_temporal": "κ⁺", "accuracy": "accuracy"}
    return _curves(8, scores, streams, names, metrics, [])


def _curves(
    number: int,
    scores: CellScores,
    streams: Sequence[str],
    names: Sequence[str],
    metrics: Mapping[str, str],
    judged: list[PaperClaim],
) -> PaperSection:
    """The metrics of some classifiers over time, and over all rows."""
    heads = [f"{name} %" if metric == "accuracy" else name for metric, name in metrics.items()]
    lines = [["", *heads]]
    figures = []
    for stream in streams:
        for name in names:
            values = [scores.mean(stream, name, metric) for metric in metrics]
            cells = [_text(value, metric) for value, metric in zip(values, metrics, strict=True)]
            lines.append([f"{name} on {stream}", *cells])
        runs = {name: scores.run(stream, name) for name in names}
        title = f"bifet2013, figure {number}: {stream}"
        chart = partial(draw_curves, runs, metrics, title, _REFERENCES)
        figures.append(PaperFigure(f"figure{number}-{_slug(stream)}", chart))
    return PaperSection([PaperTable("Over all rows.", sheet_of(lines))], figures, judged)


def _slug(stream: str) -> str:
    return stream.lower().replace(", ", "-").replace(" ", "-")


def _text(value: float, metric: str) -> str:
    if math.isnan(value):
        return "-"
    return f"{100 * value:.2f}" if metric == "accuracy" else f"{value:.3f}"


def swept_figure(number: int, study: PaperStudy, plan: Bifet2013Plan) -> PaperSection:
    """Figures 9 to 11: accuracy, kappas, time and memory by the number of past labels."""
    name = SWEPT[number - 9]
    scores, streams = sweeps(study, plan), variants(study, plan)
    lines = [["", *(f"ℓ = {order}" for order in plan.orders)]]
    figures = []
    for stream in streams:
        for metric, label in _METRICS.items():
            for past, kind in _PAST.items():
                values = [scores.mean(stream, swept(name, n, past), metric) for n in plan.orders]
                cells = [_text(value, metric) for value in values]
                unit = " %" if metric == "accuracy" else ""
                lines.append([f"{label}{unit}, {kind}, {stream}", *cells])
        chart = partial(_draw_sweep, number, name, stream, scores, plan)
        figures.append(PaperFigure(f"figure{number}-{_slug(stream)}", chart))
    return PaperSection(
        [PaperTable(f"{swt(name)} over all rows.", sheet_of(lines))],
        figures,
        claims.swept_figure(scores, streams, plan, name),
        ["Time is measured, so it differs from run to run; it and memory are in the figure only."],
    )


_PAST = {False: "past labels", True: "past labels and features"}


def _draw_sweep(
    number: int, name: str, stream: str, scores: CellScores, plan: Bifet2013Plan
) -> Any:
    points = []
    for metric, label in (_METRICS | _COSTS).items():
        for past, kind in _PAST.items():
            for order in plan.orders:
                value = scores.mean(stream, swept(name, order, past), metric)
                value = value / 1000 if metric == "model_bytes" else value
                points.append({"panel": label, "series": kind, "x": float(order),
                               "value": None if math.isnan(value) else value})  # fmt: skip
    return sweep(
        pa.Table.from_pylist(points, FRAME),
        "",
        "past labels ℓ",
        title=f"bifet2013, figure {number}: {swt(name)} on {stream}",
    )
