"""Checks of metrics."""

from __future__ import annotations

import warnings

import numpy as np

from streamgauge._support.types import Floats, Schema
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.references.mean import Mean
from streamgauge.measures.forgetting import Cumulative, Fading, Forgetting, TimeWindow, Window
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import Delay
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.run import Run
from streamgauge.streams.base import Stream
from streamgauge.testing._require import require
from streamgauge.testing._streams import example_stream

_FORGETTINGS: tuple[Forgetting, ...] = (Cumulative(), Window(50), Fading(0.97), TimeWindow(60))


def check_metric(metric: Metric) -> None:
    """Assert everything that streamgauge expects of a metric.

    Its function gives a number per point, the same whether points are computed one by one or
    together and however often; it changes no sums; it warns of nothing; it is NaN, not an error,
    where there are no rows; it can be computed under every forgetting and in bins.

    Parameters
    ----------
    metric
        The metric.

    Raises
    ------
    AssertionError
        The metric fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> sg.testing.check_metric(sg.Metric("miss_rate", lambda sums: 1 - sums.recall[:, 1]))
    >>> try:
    ...     sg.testing.check_metric(sg.Metric("infinite", lambda sums: sums.n / 0))
    ... except AssertionError as error:
    ...     print(error)
    infinite: infinite; expected NaN where undefined
    """
    watched = _CheckedMetric(metric)
    run = _evaluate(watched.metric, every=1)
    require(watched.calls, f"{metric.name} was never computed")
    together = run.curve[metric.name]
    thinned = _evaluate(metric, every=40).curve[metric.name]
    at = np.minimum(np.arange(39, len(together) + 39, 40), len(together) - 1)[: len(thinned)]
    require(
        np.array_equal(together[at], thinned, equal_nan=True),
        f"{metric.name}: its value at a point depends on the other points computed with it",
    )
    if metric.needs not in ("probabilities", "sequence"):
        bins = _evaluate(metric, reevaluate=Reevaluate(10, 3)).bins[metric.name]
        require(bins.shape == (5,), f"{metric.name}: expected a value for each of 5 bins")


class _CheckedMetric:
    """A metric that checks each of its calls."""

    def __init__(self, metric: Metric) -> None:
        self._metric, self.calls = metric, 0
        self.metric = Metric(metric.name, self._value, metric.needs, metric.undefined)

    def _value(self, sums: object) -> Floats:
        self.calls += 1
        name = self._metric.name
        before = _arrays(sums)
        with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
            warnings.simplefilter("error")
            value = np.asarray(self._metric.value(sums), np.float64)
            again = np.asarray(self._metric.value(sums), np.float64)
        require(np.array_equal(value, again, equal_nan=True), f"{name}: a second call differs")
        for attribute, array in before.items():
            same = np.array_equal(array, getattr(sums, attribute), equal_nan=True)
            require(same, f"{name}: its function changes the sums ({attribute})")
        rows = getattr(sums, "n", None)
        if rows is not None and value.shape == rows.shape:
            require(not np.isinf(value).any(), f"{name}: infinite; expected NaN where undefined")
        return value


def _arrays(sums: object) -> dict[str, Floats]:
    return {
        name: value.copy() for name, value in vars(sums).items() if isinstance(value, np.ndarray)
    }


def _evaluate(metric: Metric, every: int = 40, reevaluate: Reevaluate | None = None) -> Run:
    stream = _stream(metric)
    learner = Mean() if stream.schema.regression else NaiveBayes()
    run = evaluate(
        stream, learner, metrics=[metric], every=every, forget=_FORGETTINGS, progress=False,
        cost=_cost(stream.schema) if metric.needs == "cost" else None,
        labels=None if reevaluate is None else Delay(20), reevaluate=reevaluate,
    )  # fmt: skip
    for forgetting in _FORGETTINGS:
        values = run.curve[metric.name, forgetting]
        require(
            not np.isnan(values).all(),
            f"{metric.name}: undefined at every point under {forgetting}",
        )
    return run


def _stream(metric: Metric) -> Stream:
    return example_stream(300, regression=metric.task == "regression")


def _cost(schema: Schema) -> Floats:
    k = len(schema.classes)
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
