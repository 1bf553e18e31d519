"""The kappa family: accuracy against a reference, (p − p_ref) / (1 − p_ref) (semantics §3)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import ClassificationSums, SmoothedSums, divide

_ROUNDING = ClassificationSums.rounding
_CHANCE = "chance"  # the reference of the plain kappa
_ALWAYS_RIGHT = "the reference was right on every row"
_ONE_CLASS = "only one class in truth and prediction"
Rates = ClassificationSums | SmoothedSums


def kappa_against(s: Rates, name: str) -> Floats:
    """The kappa against a reference."""
    if name not in s.shared:
        reference = s.chance if name == _CHANCE else s.reference(name)
        gain, rest = s.accuracy - reference, 1 - reference
        s.shared[name] = divide(
            np.where(np.abs(gain) < s.rounding, 0.0, gain), np.where(rest < s.rounding, 0.0, rest)
        )
    return s.shared[name]


def kappa_metric(name: str, reference: str) -> Metric:
    """The metric that compares the accuracy with a reference's."""
    return Metric(name, lambda s: kappa_against(s, reference), "rates", _ALWAYS_RIGHT, "higher")


def _kappa(s: Rates) -> Floats:
    return kappa_against(s, _CHANCE)


def _kappa_plus(s: Rates) -> Floats:
    against_last = kappa_against(s, "Persistent")
    return np.asarray(np.sqrt(np.maximum(0, _kappa(s)) * np.maximum(0, against_last)))


def _kappa_se(s: ClassificationSums) -> Floats:
    p, rest = s.accuracy, 1 - s.chance
    return np.sqrt(divide(p * (1 - p), s.size * np.where(rest < _ROUNDING, 0.0, rest) ** 2))


def _kappa_z(s: ClassificationSums) -> Floats:
    return divide(_kappa(s), np.sqrt(divide(s.chance, s.size * (1 - s.chance))))


kappa = Metric("kappa", _kappa, "rates", _ONE_CLASS, "higher")
kappa_temporal = kappa_metric("kappa_temporal", "Persistent")
kappa_plus = Metric(
    "kappa_plus", _kappa_plus, "rates", "kappa or kappa_temporal is undefined", "higher"
)
kappa_majority = kappa_metric("kappa_majority", "Majority")
kappa_transition = kappa_metric("kappa_transition", "Transition")
kappa_seasonal = kappa_metric("kappa_seasonal", "Seasonal")
kappa_se = Metric("kappa_se", _kappa_se, "labels", _ONE_CLASS)
kappa_z = Metric("kappa_z", _kappa_z, "labels", "chance agreement is 0 or 1", "higher")
