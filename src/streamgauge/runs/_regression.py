"""Scoring for regression: curve, rows for the verdict, totals, sums per bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.batch_means import BatchMeansTest
from streamgauge.measures.bin_sums import BinSums, RegressionBinSums
from streamgauge.measures.encoding import add_common_losses
from streamgauge.measures.forgetting import Cumulative
from streamgauge.measures.reference import Reference
from streamgauge.measures.regression_tally import RegressionTally
from streamgauge.measures.spool import LossSpool
from streamgauge.measures.sums import divide
from streamgauge.measures.tally import MAX_PENDING, Corrections
from streamgauge.runs._scores import RunScores, Task, Totals
from streamgauge.runs.scoring_plan import ScoringPlan

_AT_THE_END = 1 << 62  # rows between points: only the last point is needed


class RegressionScores(RunScores):
    """Absolute losses of the learner and of the references."""

    state_fields = ("_tally", "_spools", "_common", "_changes")

    _tally: RegressionTally

    def __init__(self, plan: ScoringPlan, judged: bool, bins: int | None) -> None:
        max_pending = MAX_PENDING if bins is None else MAX_PENDING // bins
        self._clock = plan.clock
        self._tally = RegressionTally(plan.forget, plan.every, plan.metrics, max_pending)
        self._spools = [LossSpool() for _ in plan.references] if judged else []
        # For each reference: rows that it and the learner predicted, their losses on these rows.
        self._common = np.zeros((len(plan.references), 3))
        self._changes = np.zeros_like(self._common)  # by corrections

    def prepare(self) -> None:
        pass

    def add(
        self, y: Targets, predictions: Targets, probabilities: Floats | None, times: Longs
    ) -> None:
        self._tally.add(y, predictions[0], times)
        for reference, spool in enumerate(self._spools):
            saved = np.empty(len(y))
            own, other = predictions[0], predictions[1 + reference]
            n = add_common_losses(y, own, other, self._common[reference], saved)
            spool.add(saved[:n])

    def correct(self, given: Corrections) -> None:
        super().correct(given)
        own, *others = (
            np.abs(each - given.new) - np.abs(each - given.old) for each in given.predictions
        )
        for reference, other in enumerate(others):
            both = np.column_stack([np.zeros(len(own)), own, other])
            changes = both[~np.isnan(both).any(axis=1)]
            self._changes[reference] = np.cumsum(
                np.vstack([self._changes[reference], changes]), axis=0
            )[-1]

    def keep_outcomes(self, folder: Inside, name: str) -> None:
        for place, spool in enumerate(self._spools):
            spool.keep_in(folder / f"{name}-{place}.bin")

    def _main_scores(self, overall: Sequence[Mapping[str, float]]) -> list[tuple[float, float]]:
        common = self._common + self._changes
        means = divide(common[:, 1:], common[:, :1]).tolist()
        return [(own, other) for own, other in means]

    def _tests(
        self, references: Sequence[Reference], scores: Sequence[tuple[float, float]]
    ) -> list[tuple[BatchMeansTest, None]]:
        return [(spool.test(), None) for spool in self._spools]


class RegressionTotals(Totals):
    """Cumulative sums per participant."""

    state_fields = ("_tallies",)

    def __init__(self, plan: ScoringPlan) -> None:
        self._tallies = [
            RegressionTally([Cumulative()], _AT_THE_END, plan.orderless_metrics)
            for _ in range(1 + len(plan.references))
        ]

    def add(self, y: Targets, predictions: Targets) -> None:
        for tally, each in zip(self._tallies, predictions, strict=True):
            tally.add(y, each)

    def correct(self, given: Corrections) -> None:
        for tally, each in zip(self._tallies, given.predictions, strict=True):
            tally.correct(given._replace(predictions=each[None]))

    def overall(self) -> list[dict[str, float]]:
        return [tally.finish().last() for tally in self._tallies]


class Regression(Task):
    """Scoring for streams with a numeric target."""

    def scores(self, judged: bool = True, bins: int | None = None) -> RegressionScores:
        return RegressionScores(self.plan, judged, bins)

    def totals(self) -> RegressionTotals:
        return RegressionTotals(self.plan)

    def bin_sums(self, bins: int) -> BinSums:
        return RegressionBinSums(self.plan.reference_names, bins)
