"""Metrics per class, and those that weigh all classes equally."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from streamgauge._support.types import Floats, Label
from streamgauge.measures.metric import ClassColumn, Metric
from streamgauge.measures.sums import ClassificationSums, divide
from streamgauge.rendering.units import Unit

_ROUNDING = ClassificationSums.rounding


def mean_defined(per_class: Floats) -> Floats:
    """The mean over the classes for which the value is defined."""
    defined = ~np.isnan(per_class)
    return divide(np.where(defined, per_class, 0.0).sum(axis=1), defined.sum(axis=1).astype(float))


def per_class(classes: Sequence[Label]) -> tuple[Metric, ...]:
    """Precision, recall and F1 of every class: `recall[spam]`."""
    return _per_class(tuple(map(str, classes)))  # as text: 1 and True are equal


@lru_cache(4)
def _per_class(classes: tuple[str, ...]) -> tuple[Metric, ...]:
    metrics: dict[str, tuple[str, Unit]] = {
        "precision": ("the class was never predicted", "fraction"),
        "recall": ("the class never occurred", "fraction"),
        "f1": ("the class neither occurred nor was predicted", "number"),
    }
    return tuple(
        Metric(f"{name}[{label}]", ClassColumn(name, code), "labels", why, "higher", unit)
        for name, (why, unit) in metrics.items()
        for code, label in enumerate(classes)
    )


def _mean_recall(s: ClassificationSums) -> Floats:
    if "recall" not in s.shared:
        s.shared["recall"] = mean_defined(s.recall)
    return s.shared["recall"]


def _g_mean(s: ClassificationSums) -> Floats:
    with np.errstate(divide="ignore"):
        return np.exp(mean_defined(np.log(s.recall)))


def _mcc(s: ClassificationSums) -> Floats:
    """Gorodkin's R_K; an abstention is a predicted class that is never true."""
    abstained = s.n - s.predicted.sum(axis=1)
    together = s.hit.sum(axis=1) * s.n - (s.true * s.predicted).sum(axis=1)
    truth = s.n**2 - (s.true**2).sum(axis=1)
    guess = s.n**2 - (s.predicted**2).sum(axis=1) - abstained**2
    flat = (truth < _ROUNDING * s.n**2) | (guess < _ROUNDING * s.n**2)
    return divide(together, np.where(flat, 0.0, np.sqrt(np.abs(truth * guess))))


balanced_accuracy = Metric("balanced_accuracy", _mean_recall, direction="higher", unit="fraction")
macro_precision = Metric(
    "macro_precision",
    lambda s: mean_defined(s.precision),
    undefined="no prediction made",
    direction="higher",
    unit="fraction",
)
macro_recall = Metric("macro_recall", _mean_recall, direction="higher", unit="fraction")
macro_f1 = Metric("macro_f1", lambda s: mean_defined(s.f1), direction="higher")
g_mean = Metric("g_mean", _g_mean, direction="higher")
mcc = Metric("mcc", _mcc, undefined="only one class in truth or in prediction", direction="higher")
