"""The scores of an experiment's cells by stream and learner, over the seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.experiments.results import Results
from streamgauge.runs.run import Run

_WHOLE = "Cumulative()"


class CellScores:
    """Metrics over all rows of the cells of some experiments; NaN where a cell has no run.

    A learner may also be a reference: its scores are on the same rows as those of the cells.

    Parameters
    ----------
    results
        The results of the experiments; where two have a stream and a learner of the same names,
        the last one counts.
    """

    def __init__(self, results: Iterable[Results]) -> None:
        self._cells = {
            (each.cell.stream, each.cell.learner, each.cell.seed): each
            for found in results
            for each in found.cell_results
        }

    def values(self, stream: str, learner: str, metric: str = "accuracy") -> Floats:
        """The metric, or cost, of each seed."""
        found = []
        for (its_stream, its_learner, _), each in self._cells.items():
            if its_stream == stream and its_learner == learner:
                known = {}
                if each.run is not None:
                    known = each.run.summaries[_WHOLE] | each.run.cost.numbers()
                found.append(known.get(metric, math.nan))
        return np.array(found or self._reference(stream, learner, metric) or [math.nan])

    def _reference(self, stream: str, name: str, metric: str) -> list[float]:
        """The metric of a reference for each seed, or once if no seed changes it."""
        found = {}
        for (its_stream, _, seed), each in self._cells.items():
            if its_stream == stream and each.run is not None and name in each.run.references:
                its_seed = seed if each.cell.by_seed == "rows" else None
                found[its_seed] = each.run.references[name].get(metric, math.nan)
        return list(found.values())

    def mean(self, stream: str, learner: str, metric: str = "accuracy") -> float:
        """The mean over the seeds; NaN if one of them has no run."""
        return float(self.values(stream, learner, metric).mean())

    def spread(self, stream: str, learner: str, metric: str = "accuracy") -> float:
        """The standard deviation over the seeds; NaN for a single one."""
        values = self.values(stream, learner, metric)
        return float(values.std(ddof=1)) if len(values) > 1 else math.nan

    def runs(self, stream: str, learner: str) -> list[Run]:
        """The runs of all seeds that have one."""
        return [
            each.run
            for (its_stream, its_learner, _), each in self._cells.items()
            if (its_stream, its_learner) == (stream, learner) and each.run is not None
        ]

    def run(self, stream: str, learner: str) -> Run | None:
        """The run of the first seed that has one; None if none has."""
        return next(iter(self.runs(stream, learner)), None)

    def learners(self, stream: str) -> list[str]:
        """The learners that have a cell on this stream."""
        return list(dict.fromkeys(key[1] for key in self._cells if key[0] == stream))
