"""Small streams in place of the paper's, and scores without runs."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge._support.types import Floats
from streamgauge.papers.grzenda2019 import plan, sections
from streamgauge.papers.grzenda2019.plan import Data
from streamgauge.papers.grzenda2019.scores import BinScores

LEARNERS = {name: plan.LEARNERS[name] for name in ("NB", "NC", "MC", "kNN")}


def make_small(patch: pytest.MonkeyPatch) -> None:
    """A generated stream for each data set, four learners, no files."""
    small = Data({"generate": "SEA(400, seed=1, noise=0.1)"}, "Delay(60)", 300)
    for name in plan.DATA:
        patch.setitem(plan.DATA, name, small)
    patch.setitem(plan.DATA, "LED", Data({"load": "gone"}))
    patch.setitem(
        plan.REGRESSION, plan.BIKES, Data({"generate": "SEA(400, seed=1)"}, "Delay(60)", 300)
    )
    patch.setattr(plan, "LEARNERS", LEARNERS)
    patch.setitem(sections._BIN_NUMBERS, "quick", (10, 50, 100))
    patch.setattr(sections, "_EVERY", (5, 10))


def made_up(mean: Floats | list[float], half: float = 1.0) -> BinScores:
    """Scores of these means, with bands of this half width."""
    scores = BinScores([])
    mean = np.asarray(mean, np.float64)
    vars(scores).update(mean=mean, band=np.column_stack([mean - half, mean + half]))
    return scores


def line(first: float, last: float, bins: int = 50) -> Floats:
    """A mean that rises evenly from the first to the final bin."""
    return np.linspace(first, last, bins + 2)
