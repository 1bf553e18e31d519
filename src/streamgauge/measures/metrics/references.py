"""The accuracy of references and of guesses, on the same rows and under the same forgetting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.accuracy import accuracy


def accuracy_metric(name: str, reference: str) -> Metric:
    """The metric that is a reference's accuracy."""
    return _accuracy(name, lambda s: s.reference(reference))


def _accuracy(name: str, value: Callable[[Any], Floats]) -> Metric:
    return Metric(name, value, "rates", direction=accuracy.direction, unit=accuracy.unit)


accuracy_majority = accuracy_metric("accuracy_majority", "Majority")
accuracy_persistent = accuracy_metric("accuracy_persistent", "Persistent")
accuracy_transition = accuracy_metric("accuracy_transition", "Transition")
accuracy_seasonal = accuracy_metric("accuracy_seasonal", "Seasonal")
accuracy_random = _accuracy("accuracy_random", lambda s: s.chance)
accuracy_no_information = _accuracy(
    "accuracy_no_information", lambda s: np.full(len(s.accuracy), 1 / s.k)
)
