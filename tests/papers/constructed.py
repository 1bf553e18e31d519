"""Scores that a test makes up, in place of those of cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.scores import CellScores


class Constructed(CellScores):
    """Scores by a function of stream, learner and metric; None means that a cell has no run."""

    def __init__(self, score: Callable[[str, str, str], float | None]) -> None:
        super().__init__([])
        self._score = score

    def values(self, stream: str, learner: str, metric: str = "accuracy") -> Floats:
        value = self._score(stream, learner, metric)
        return np.array([math.nan if value is None else value])


def word_of(claims: Sequence[PaperClaim], begins: str) -> str:
    """The answer to the only claim whose statement begins so."""
    (found,) = [claim for claim in claims if claim.statement.startswith(begins)]
    return found.word
