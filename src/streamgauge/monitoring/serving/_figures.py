"""Figures of a monitor's page: metrics along time, labels in by age, cohorts by arrival."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_floats, arrow_integers
from streamgauge._support.types import Clock
from streamgauge.figures.cohorts import cohorts
from streamgauge.figures.label_coverage import label_coverage
from streamgauge.figures.metric_curve import Marks, metric_curve
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import accuracy_column
from streamgauge.monitoring._text import SHOWN, span_unit
from streamgauge.monitoring.serving._reading import Reading
from streamgauge.reports.page_chart import PageChart, page_chart

_METRICS = 2  # that have a curve on the page
_POINTS = 500  # of a series
_MILLISECOND = 10**6
_ZERO = ("kappa", "kappa_temporal")


def curves(reading: Reading) -> Iterator[PageChart]:
    """The first metrics along time, for all models and references; a panel per forgetting."""
    drawn = {name: curve for name, curve in reading.curves.items() if len(curve)}
    if not drawn:
        return
    first = next(iter(drawn.values()))
    name = reading.status["name"]
    raised = [each["time"] for each in reading.status["events"] if each["state"] == "raised"]
    times = reading.clock != "integers"
    for metric in [each for each in SHOWN if each in first.metrics][:_METRICS]:
        series = {(model, over): curve[metric, over] for model, curve, over in _each(drawn)}
        references = _references(reading, first, metric)
        chart = metric_curve(
            _frame(series, drawn, references, first, reading.clock),
            metric,
            title=f"{name}: {metric}",
            references=list(dict.fromkeys(each for each, _ in references)),
            marks=Marks(alarms=_places(np.array(raised, np.int64), reading.clock).tolist()),
            caption=_caption(reading, bool(references)),
            zero=metric in _ZERO,
            percent=reading.scales[metric].unit == "fraction",
            x_title="time of the label",
            times=times,
        )
        yield page_chart(chart, _POINTS)


def _each(drawn: Mapping[str, Curve]) -> Iterator[tuple[str, Curve, str]]:
    for model, curve in drawn.items():
        for over in curve.forgettings:
            yield model, curve, over


def _references(reading: Reading, first: Curve, metric: str) -> dict[tuple[str, str], Any]:
    """The curves of the references on the rows of the first model."""
    if metric != "accuracy":
        return {}
    model = next(name for name, curve in reading.curves.items() if curve is first)
    return {
        (name, over): first[column, over]
        for name in reading.status["models"][model]["references"]
        if (column := accuracy_column(name)) in first.metrics
        for over in first.forgettings
    }


def _frame(
    series: Mapping[tuple[str, str], Any],
    drawn: Mapping[str, Curve],
    references: Mapping[tuple[str, str], Any],
    first: Curve,
    clock: Clock,
) -> pa.Table:
    parts = []
    for (name, over), values in [*series.items(), *references.items()]:
        curve = drawn[name] if (name, over) in series else first
        assert curve.moments is not None
        parts.append(
            pa.table(
                {
                    "series": pa.array([name] * len(values), pa.string()),
                    "rows": arrow_integers(_places(curve.moments, clock)),
                    "value": arrow_floats(values),
                    "panel": pa.array([over] * len(values), pa.string()),
                }
            )
        )
    table = pa.concat_tables(parts)
    return table if len(first.forgettings) > 1 else table.drop_columns("panel")


def _places(moments: Any, clock: Clock) -> Any:
    """Times as figures want them: milliseconds since 1970; integers unchanged."""
    return moments if clock == "integers" else moments // _MILLISECOND


def _caption(reading: Reading, references: bool) -> list[str]:
    several = references and len(reading.curves) > 1
    model = next(iter(reading.curves), "")
    return [f"References on the rows of {model}."] if several else []


def maturity(reading: Reading) -> Iterator[PageChart]:
    """Labels in by age for all models, then the cohorts of each."""
    models = reading.status["models"]
    covered = {name: model["maturity"]["coverage_by_age"] for name, model in models.items()}
    longest = max((points[-1]["age"] for points in covered.values() if points), default=0)
    size, unit = span_unit(longest, reading.clock)
    points = [
        {"series": name, "age": point["age"] / size, "value": point["coverage"]}
        for name, found in covered.items()
        for point in found
    ]
    if not points:
        return
    title = f"{reading.status['name']}: labels in by age"
    said = ["From past waits; predictions count for the ages that they have reached."]
    yield page_chart(
        label_coverage(pa.Table.from_pylist(points), unit, title=title, caption=said), _POINTS
    )
    for name, model in models.items():
        rows = [_cohort(each, reading.clock) for each in model["maturity"]["cohorts"]]
        if rows:
            score = "mae" if reading.status["classes"] == "regression" else "accuracy"
            chart = cohorts(
                pa.Table.from_pylist(rows, schema=_COHORT), score,
                times=reading.clock != "integers", title=f"{name}: by time of arrival",
            )  # fmt: skip
            yield page_chart(chart, _POINTS)


_SCORES = ("score", "reweighted", "reweighted_low", "reweighted_high", "worst", "best")
_COHORT = pa.schema(
    [
        ("rows", pa.int64()),
        *((name, pa.float64()) for name in (*_SCORES, "coverage", "expected")),
    ]
)


def _cohort(cohort: dict[str, Any], clock: Clock) -> dict[str, Any]:
    start = cohort["start"]
    if clock != "integers":
        start = np.datetime64(start.removesuffix("Z"), "ms").astype(np.int64)
    kept = {name: cohort[name] for name in (*_SCORES, "coverage")}
    return {"rows": int(start), "expected": cohort["expected_coverage"], **kept}
