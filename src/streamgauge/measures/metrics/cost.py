"""The mean cost of predictions, given a cost matrix."""

from __future__ import annotations

from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import divide

cost_loss = Metric("cost_loss", lambda s: divide(s.cost, s.n), "cost", direction="lower")
