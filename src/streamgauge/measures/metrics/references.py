"""The accuracy of references and of guesses, on the same rows and under the same forgetting."""

from __future__ import annotations

import numpy as np

from streamgauge.measures.metric import Metric


def accuracy_metric(name: str, reference: str) -> Metric:
    """The metric that is a reference's accuracy."""
    return Metric(name, lambda s: s.reference(reference), "rates")


accuracy_majority = accuracy_metric("accuracy_majority", "Majority")
accuracy_persistent = accuracy_metric("accuracy_persistent", "Persistent")
accuracy_transition = accuracy_metric("accuracy_transition", "Transition")
accuracy_seasonal = accuracy_metric("accuracy_seasonal", "Seasonal")
accuracy_random = Metric("accuracy_random", lambda s: s.chance, "rates")
accuracy_no_information = Metric(
    "accuracy_no_information", lambda s: np.full(len(s.accuracy), 1 / s.k), "rates"
)
