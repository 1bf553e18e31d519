"""The order of errors."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import ClassificationSums, divide


def _error_autocorrelation(s: ClassificationSums) -> Floats:
    wrong = 1 - s.accuracy
    spread = wrong * s.accuracy
    flat = spread < ClassificationSums.rounding
    return divide(divide(s.error_pairs, s.n) - wrong**2, np.where(flat, 0.0, spread))


error_autocorrelation = Metric(
    "error_autocorrelation", _error_autocorrelation, "sequence", "all right or all wrong"
)
