"""Accuracy, error and coverage."""

from __future__ import annotations

from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import divide

accuracy = Metric("accuracy", lambda s: s.accuracy, "rates", direction="higher", unit="fraction")
error = Metric("error", lambda s: 1 - s.accuracy, "rates", direction="lower", unit="fraction")
coverage = Metric(
    "coverage", lambda s: divide(s.made, s.n), "rows", direction="higher", unit="fraction"
)
