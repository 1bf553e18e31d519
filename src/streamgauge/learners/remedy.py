"""What a verdict suggests to a learner that falls behind the last label."""

from __future__ import annotations

from streamgauge.learners.augmented import TemporallyAugmented
from streamgauge.learners.correction import TemporalCorrection
from streamgauge.learners.recorded import Recorded
from streamgauge.learners.wrapper import shown_as


def remedy_for(learner: object) -> str:
    """As the end of a sentence, the learner to try written as it is called."""
    if isinstance(learner, Recorded):
        return "give it the last revealed label as a feature"
    if isinstance(learner, TemporallyAugmented | TemporalCorrection):
        return "it is told past labels, so try another base learner or a longer history (order=2)"
    return f"try TemporallyAugmented({shown_as(learner)})"
