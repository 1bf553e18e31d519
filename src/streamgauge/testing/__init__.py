"""Checks for your own extensions: what streamgauge expects of each kind."""

from __future__ import annotations

from streamgauge.testing._detectors import check_detector
from streamgauge.testing._label_policies import check_label_policy
from streamgauge.testing._learners import check_learner, check_no_peeking
from streamgauge.testing._metrics import check_metric
from streamgauge.testing._sources import check_source
from streamgauge.testing._streams import check_stream, example_stream

__all__ = [
    "check_detector",
    "check_label_policy",
    "check_learner",
    "check_metric",
    "check_no_peeking",
    "check_source",
    "check_stream",
    "example_stream",
]
