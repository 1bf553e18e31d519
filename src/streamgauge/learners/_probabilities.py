"""Class votes normalised to probabilities."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats


@inlined
def normalise_votes(votes: Floats, abstains: bool, proba: Floats, e: int) -> None:
    """Write votes as probabilities to row `e` of `proba`; NaN if the learner abstains.

    If every vote underflowed to 0, all probabilities are 0. If votes overflowed, those classes
    share the probability.
    """
    total, infinite = 0.0, 0
    for each in votes:
        total += each
        infinite += 1 if np.isinf(each) else 0
    for c in range(len(votes)):
        if abstains:
            proba[e, c] = np.nan
        elif infinite:
            proba[e, c] = 1.0 / infinite if np.isinf(votes[c]) else 0.0
        else:
            proba[e, c] = votes[c] / total if total > 0 else 0.0
