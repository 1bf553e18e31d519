"""Scores behind a table: kappa and kappa_temporal in percent, of our runs or as printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.experiments.results import Results
from streamgauge.papers.printed import PrintedTable
from streamgauge.papers.ziffer2024.plan import ALL_ROWS, BATCH, BATCHES
from streamgauge.ranking.ranking import Ranking
from streamgauge.ranking.score_table import ScoreTable
from streamgauge.runs.run import Run


class Outcome(NamedTuple):
    """Scores of one run in percent, and whether it beats every reference."""

    kappa: float  # the mean over batches, as the paper scores
    kappa_temporal: float = np.nan  # the mean over batches
    over_all_rows: float = np.nan  # kappa
    beats_all: bool = False


class SeedOutcomes:
    """Outcomes by stream and learner, one per seed."""

    def __init__(self, outcomes: Mapping[tuple[str, str], Sequence[Outcome]]) -> None:
        self._outcomes = outcomes

    def values(self, stream: str, learner: str, metric: str = "kappa") -> list[float]:
        """A metric of each seed; empty if not run."""
        return [getattr(each, metric) for each in self._outcomes.get((stream, learner), ())]

    def mean(self, stream: str, learner: str, metric: str = "kappa") -> float:
        """The mean of a metric over the seeds; NaN if not run."""
        values = self.values(stream, learner, metric)
        return float(np.mean(values)) if values else np.nan

    def table(
        self, streams: Sequence[str], learners: Sequence[str], metric: str = "kappa"
    ) -> Floats:
        """Means over the seeds as an array, streams × learners."""
        rows = [[self.mean(stream, learner, metric) for learner in learners] for stream in streams]
        return np.array(rows).reshape(len(streams), len(learners))

    def means(
        self, streams: Sequence[str], learners: Sequence[str], metric: str = "kappa"
    ) -> dict[str, float]:
        """The mean over the streams, by learner."""
        table = self.table(streams, learners, metric)
        return dict(zip(learners, table.mean(axis=0).tolist(), strict=True)) if streams else {}

    def ranking(self, streams: Sequence[str], learners: Sequence[str]) -> Ranking | None:
        """The ranking of learners over streams; None if a run is missing."""
        table = self.table(streams, learners)
        if not streams or np.isnan(table).any():
            return None
        return Ranking(ScoreTable(tuple(streams), tuple(learners), table))

    def average_ranks(self, streams: Sequence[str], learners: Sequence[str]) -> dict[str, float]:
        """The average rank of each learner; NaN if a run is missing."""
        ranking = self.ranking(streams, learners)
        return ranking.average_ranks if ranking else dict.fromkeys(learners, np.nan)

    def beating(self, stream: str, learners: Sequence[str]) -> list[str]:
        """Learners whose verdict is better than every reference with every seed."""
        found = {name: self._outcomes.get((stream, name), ()) for name in learners}
        return [name for name, each in found.items() if each and all(o.beats_all for o in each)]


def read_scores(experiments: Iterable[Results]) -> SeedOutcomes:
    """The scores of all complete runs of some experiments."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for result in chain.from_iterable(each.cell_results for each in experiments):
        if result.run is None:
            continue
        outcome = Outcome(
            100 * batch_mean(result.run, "kappa"),
            100 * batch_mean(result.run, "kappa_temporal"),
            100 * result.run.summaries[ALL_ROWS]["kappa"],
            all(each.word == "better" for each in result.run.verdict.against),
        )
        found.setdefault((result.cell.stream, result.cell.learner), []).append(outcome)
    return SeedOutcomes(found)


def batch_mean(run: Run, metric: str) -> float:
    """The mean of a metric over the full batches of rows in which it is defined; NaN without any.

    Each batch has its own class frequencies, so slow changes of them give no credit.
    """
    values = run.curve[metric, BATCHES][run.curve.rows % BATCH == 0]
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


def printed_scores(table: PrintedTable) -> SeedOutcomes:
    """The scores as printed, so that claims can be judged by them too."""
    return SeedOutcomes(
        {
            (stream, learner): [Outcome(value)]
            for stream, values in table.rows.items()
            for learner, value in zip(table.columns, values, strict=True)
        }
    )
