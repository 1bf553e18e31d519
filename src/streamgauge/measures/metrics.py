"""Metrics: each has a name, the sums it needs, and a pure function of them (semantics §3).

A metric is computed for many points at once. It is NaN where it is undefined: 0/0, or a reference
that is always right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Label, Schema
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.sums import ClassificationSums, SmoothedSums, divide

Need = Literal["rates", "labels", "cost", "probabilities", "targets"]
AnySums = ClassificationSums | SmoothedSums | RegressionSums

_ROUNDING = ClassificationSums.rounding
_CHANCE = "chance"  # the reference of the plain kappa


@dataclass(frozen=True)
class Metric:
    """A pure function of sums.

    `needs` says which sums it reads; "rates" are also available from zliobaite2015's smoothed
    estimates. `undefined` says why a value may be NaN.
    """

    name: str
    needs: Need
    value: Callable[[Any], Floats]
    undefined: str = "no row scored"

    def of(self, sums: AnySums) -> Floats:
        """The metric at every point of the sums; NaN if the sums lack what it needs."""
        if isinstance(sums, SmoothedSums) and self.needs != "rates":
            return np.full(len(sums.accuracy), np.nan)
        return self.value(sums)


def _kappa_against(s: ClassificationSums | SmoothedSums, name: str) -> Floats:
    """(p − p_ref) / (1 − p_ref): the form of every kappa."""
    if name not in s.shared:
        reference = s.chance if name == _CHANCE else s.reference(name)
        gain, rest = s.accuracy - reference, 1 - reference
        s.shared[name] = divide(
            np.where(np.abs(gain) < s.rounding, 0.0, gain), np.where(rest < s.rounding, 0.0, rest)
        )
    return s.shared[name]


def _kappa(s: ClassificationSums | SmoothedSums) -> Floats:
    return _kappa_against(s, _CHANCE)


def _kappa_temporal(s: ClassificationSums | SmoothedSums) -> Floats:
    return _kappa_against(s, "Persistent")


def _kappa_plus(s: ClassificationSums | SmoothedSums) -> Floats:
    return np.asarray(np.sqrt(np.maximum(0, _kappa(s)) * np.maximum(0, _kappa_temporal(s))))


def _kappa_se(s: ClassificationSums) -> Floats:
    p, rest = s.accuracy, 1 - s.chance
    return np.sqrt(divide(p * (1 - p), s.size * np.where(rest < _ROUNDING, 0.0, rest) ** 2))


def _kappa_z(s: ClassificationSums) -> Floats:
    return divide(_kappa(s), np.sqrt(divide(s.chance, s.size * (1 - s.chance))))


def _error_autocorrelation(s: ClassificationSums) -> Floats:
    wrong = 1 - s.accuracy
    spread = wrong * s.accuracy
    return divide(divide(s.error_pairs, s.n) - wrong**2, np.where(spread < _ROUNDING, 0.0, spread))


def _mean_defined(per_class: Floats) -> Floats:
    """The mean over the classes for which the value is defined."""
    defined = ~np.isnan(per_class)
    return divide(np.where(defined, per_class, 0.0).sum(axis=1), defined.sum(axis=1).astype(float))


def _mean_recall(s: ClassificationSums) -> Floats:
    if "recall" not in s.shared:
        s.shared["recall"] = _mean_defined(s.recall)
    return s.shared["recall"]


def _g_mean(s: ClassificationSums) -> Floats:
    with np.errstate(divide="ignore"):
        return np.exp(_mean_defined(np.log(s.recall)))


def _mcc(s: ClassificationSums) -> Floats:
    """Gorodkin's R_K; an abstention is a predicted class that is never true."""
    abstained = s.n - s.predicted.sum(axis=1)
    together = s.hit.sum(axis=1) * s.n - (s.true * s.predicted).sum(axis=1)
    truth = s.n**2 - (s.true**2).sum(axis=1)
    guess = s.n**2 - (s.predicted**2).sum(axis=1) - abstained**2
    flat = (truth < _ROUNDING * s.n**2) | (guess < _ROUNDING * s.n**2)
    return divide(together, np.where(flat, 0.0, np.sqrt(np.abs(truth * guess))))


def _auc(s: ClassificationSums) -> Floats:
    """Fraction of pairs ranked correctly, half for ties; the one-vs-rest mean for many classes."""
    other, own = s.histograms[:, :, 0], s.histograms[:, :, 1]
    below = np.cumsum(other, axis=2) - other
    ranked = (own * (below + other / 2)).sum(axis=2)
    return _mean_defined(divide(ranked, own.sum(axis=2) * other.sum(axis=2)))


def _mean_value(attribute: str) -> Callable[[ClassificationSums], Floats]:
    return lambda s: divide(getattr(s, attribute), s.n)


def _reference(name: str) -> Callable[[ClassificationSums | SmoothedSums], Floats]:
    return lambda s: s.reference(name)


def _against(name: str) -> Callable[[ClassificationSums | SmoothedSums], Floats]:
    return lambda s: _kappa_against(s, name)


def _r2(s: RegressionSums) -> Floats:
    spread = s.level_squared - divide(s.level**2, s.made)
    flat = spread <= _ROUNDING * s.level_squared
    return 1 - divide(s.squared, np.where(flat, 0.0, spread))


_ALWAYS_RIGHT = "the reference was right on every row"
_ONE_CLASS = "only one class in truth and prediction"

_CLASSIFICATION_METRICS = (
    Metric("accuracy", "rates", lambda s: s.accuracy),
    Metric("error", "rates", lambda s: 1 - s.accuracy),
    Metric("kappa", "rates", _kappa, _ONE_CLASS),
    Metric("kappa_temporal", "rates", _kappa_temporal, _ALWAYS_RIGHT),
    Metric("kappa_plus", "rates", _kappa_plus, "kappa or kappa_temporal is undefined"),
    Metric("kappa_majority", "rates", _against("Majority"), _ALWAYS_RIGHT),
    Metric("kappa_transition", "rates", _against("Transition"), _ALWAYS_RIGHT),
    Metric("kappa_se", "labels", _kappa_se, _ONE_CLASS),
    Metric("kappa_z", "labels", _kappa_z, "chance agreement is 0 or 1"),
    Metric("error_autocorrelation", "labels", _error_autocorrelation, "all right or all wrong"),
    Metric("coverage", "labels", lambda s: divide(s.predicted.sum(axis=1), s.n)),
    Metric("accuracy_majority", "rates", _reference("Majority")),
    Metric("accuracy_persistent", "rates", _reference("Persistent")),
    Metric("accuracy_transition", "rates", _reference("Transition")),
    Metric("accuracy_random", "rates", lambda s: s.chance),
    Metric("accuracy_no_information", "rates", lambda s: np.full(len(s.accuracy), 1 / s.k)),
    Metric("balanced_accuracy", "labels", _mean_recall),
    Metric("macro_precision", "labels", lambda s: _mean_defined(s.precision), "no prediction made"),
    Metric("macro_recall", "labels", _mean_recall),
    Metric("macro_f1", "labels", lambda s: _mean_defined(s.f1)),
    Metric("g_mean", "labels", _g_mean),
    Metric("mcc", "labels", _mcc, "only one class in truth or in prediction"),
)
_COST_METRICS = (Metric("cost_loss", "cost", _mean_value("cost")),)
_PROBABILITY_METRICS = (
    Metric("log_loss", "probabilities", _mean_value("log_loss")),
    Metric("brier", "probabilities", _mean_value("brier")),
    Metric("auc", "probabilities", _auc, "only one class in truth"),
)
_REGRESSION_METRICS = (
    Metric("mae", "targets", lambda s: divide(s.absolute, s.made), "no prediction made"),
    Metric("rmse", "targets", lambda s: np.sqrt(divide(s.squared, s.made)), "no prediction made"),
    Metric("r2", "targets", _r2, "the target hardly varied"),
    Metric("coverage", "targets", lambda s: divide(s.made, s.n)),
)


def _per_class(classes: Sequence[Label]) -> Iterable[Metric]:
    for name, why in (
        ("precision", "the class was never predicted"),
        ("recall", "the class never occurred"),
        ("f1", "the class neither occurred nor was predicted"),
    ):
        for code, label in enumerate(classes):
            yield Metric(f"{name}[{label}]", "labels", _column(name, code), why)


def _column(name: str, code: int) -> Callable[[ClassificationSums], Floats]:
    return lambda s: np.asarray(getattr(s, name)[:, code])


def metrics_for(
    schema: Schema, asked: str | Sequence[str] = "labels", cost: bool = False
) -> tuple[Metric, ...]:
    """The metrics requested: "labels" (all that need no probabilities), "all", or names."""
    if schema.regression:
        known: tuple[Metric, ...] = _REGRESSION_METRICS
    else:
        known = (*_CLASSIFICATION_METRICS, *_per_class(schema.classes))
        known += (_COST_METRICS if cost else ()) + _PROBABILITY_METRICS
    if isinstance(asked, str) and asked in ("labels", "all"):
        return tuple(m for m in known if asked == "all" or m.needs != "probabilities")
    names = [asked] if isinstance(asked, str) else list(asked)
    if not names:
        raise UsageError("metrics=[]: expected at least one name, or 'labels' or 'all'")
    by_name = {m.name: m for m in known}
    for name in names:
        if name not in by_name:
            hint = " (give a cost matrix: cost=...)" if name == "cost_loss" else ""
            raise UsageError(
                f"unknown metric {name!r}{hint}; expected one of {', '.join(by_name)}; "
                "or metrics='labels' or 'all'"
            )
    return tuple(by_name[name] for name in names)
