"""Metrics of predicted probabilities."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.classes import mean_defined
from streamgauge.measures.sums import ClassificationSums, divide


def _auc(s: ClassificationSums) -> Floats:
    """Fraction of pairs ranked correctly, half for ties; the one-vs-rest mean for many classes."""
    other, own = s.histograms[:, :, 0], s.histograms[:, :, 1]
    below = np.cumsum(other, axis=2) - other
    ranked = (own * (below + other / 2)).sum(axis=2)
    return mean_defined(divide(ranked, own.sum(axis=2) * other.sum(axis=2)))


log_loss = Metric("log_loss", lambda s: divide(s.log_loss, s.n), "probabilities", direction="lower")
brier = Metric("brier", lambda s: divide(s.brier, s.n), "probabilities", direction="lower")
auc = Metric("auc", _auc, "probabilities", "only one class in truth", "higher")
