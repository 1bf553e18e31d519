"""Scores over the bins of the wait: means over the seeds, with bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.papers.grzenda2019.plan import Runs
from streamgauge.runs.run import Run

_Z = 1.96  # 95 %


@dataclass(frozen=True)
class BinScores:
    """A learner's accuracy in per cent, or its mean absolute error, in every bin."""

    runs: Sequence[Run]

    @property
    def metric(self) -> str:
        """The metric's name."""
        return "mae" if "mae" in self.runs[0].bins.metrics else "accuracy"

    @property
    def _scale(self) -> float:
        return 1.0 if self.metric == "mae" else 100.0

    @cached_property
    def by_seed(self) -> Floats:
        """The score of each seed in each bin."""
        return np.array([run.bins[self.metric] for run in self.runs]) * self._scale

    @cached_property
    def mean(self) -> Floats:
        """The mean over the seeds, by bin."""
        return np.asarray(self.by_seed.mean(axis=0))

    @property
    def sd(self) -> Floats:
        """The standard deviation over the seeds, by bin; NaN for a single seed."""
        if len(self.runs) < 2:
            return np.full_like(self.mean, np.nan)
        return np.asarray(self.by_seed.std(axis=0, ddof=1))

    @cached_property
    def band(self) -> Floats:
        """[bin, low and high]: of one run as if its rows were independent, else of the mean."""
        if len(self.runs) == 1:
            return np.asarray(self.runs[0].bins.band(self.metric) * self._scale)
        half = _Z * self.sd / math.sqrt(len(self.runs))
        return np.column_stack([self.mean - half, self.mean + half])

    @property
    def half_width(self) -> float:
        """Half the width of the band at the first prediction."""
        return float(self.band[0] @ [-0.5, 0.5])

    def gain(self, first: int = 0, last: int = -1) -> float:
        """From one bin to another."""
        return float(self.mean[last] - self.mean[first])


def scores_of(runs: Runs) -> dict[str, BinScores]:
    """The scores of each learner."""
    return {name: BinScores(each) for name, each in runs.items()}


def at(scores: Mapping[str, BinScores], learner: str, b: int) -> float:
    """A learner's score in bin b; NaN if it was not run."""
    return float(scores[learner].mean[b]) if learner in scores else math.nan


def best_by_bin(scores: Mapping[str, BinScores], lower: bool = False) -> list[str]:
    """The best learner in each bin; the first one in the table if several are."""
    table = np.array([each.mean for each in scores.values()])
    places = table.argmin(axis=0) if lower else table.argmax(axis=0)
    names = list(scores)
    return [names[place] for place in places]
