"""Metrics of regression."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import ClassificationSums, divide

_NONE_MADE = "no prediction made"


def _r2(s: RegressionSums) -> Floats:
    spread = s.level_squared - divide(s.level**2, s.made)
    flat = spread <= ClassificationSums.rounding * s.level_squared
    return 1 - divide(s.squared, np.where(flat, 0.0, spread))


mae = Metric("mae", lambda s: divide(s.absolute, s.made), "targets", _NONE_MADE, "lower", "target")
rmse = Metric(
    "rmse", lambda s: np.sqrt(divide(s.squared, s.made)), "targets", _NONE_MADE, "lower", "target"
)
r2 = Metric("r2", _r2, "targets", "the target hardly varied", "higher")
