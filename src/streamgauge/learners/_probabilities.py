"""Class votes as probabilities."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats


@inlined
def to_probabilities(votes: Floats, unknown: bool, proba: Floats, e: int) -> None:
    """Normalise votes; all 0 if every product underflowed, split evenly among infinite votes."""
    total, infinite = 0.0, 0
    for each in votes:
        total += each
        infinite += 1 if np.isinf(each) else 0
    for c in range(len(votes)):
        if unknown:
            proba[e, c] = np.nan
        elif infinite:
            proba[e, c] = 1.0 / infinite if np.isinf(votes[c]) else 0.0
        else:
            proba[e, c] = votes[c] / total if total > 0 else 0.0
