"""Scoring for classification: curve, rows for the verdict, totals, sums per bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.batch_means import CONFIDENCE, BatchMeansTest
from streamgauge.measures.bin_sums import BinSums, ClassificationBinSums
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.encoding import count_confusions
from streamgauge.measures.metric import MetricTable
from streamgauge.measures.reference import Reference
from streamgauge.measures.spool import OutcomeSpool
from streamgauge.measures.sums import hits_of, sums_of_confusions
from streamgauge.measures.tally import MAX_PENDING, Corrections
from streamgauge.runs._scores import RunScores, Task, Totals
from streamgauge.runs.scoring_plan import ScoringPlan


class ClassificationScores(RunScores):
    """Correct predictions of the learner and of the references."""

    state_fields = ("_tally", "_spool")

    _tally: ClassificationTally
    _spool: OutcomeSpool | None  # None: no verdict is wanted

    def __init__(self, plan: ScoringPlan, judged: bool, bins: int | None) -> None:
        metrics, max_pending = plan.metrics, MAX_PENDING
        if bins is not None:  # a bin's outcome has no probabilities
            metrics = tuple(metric for metric in metrics if metric.needs != "probabilities")
            metrics = metrics or plan.orderless_metrics
            max_pending //= bins
        self._clock = plan.clock
        k, names = len(plan.schema.classes), plan.reference_names
        self._tally = ClassificationTally(
            k, names, plan.forget, plan.every, metrics, plan.cost, max_pending
        )
        self._spool = OutcomeSpool(len(names), self._tally.outcome_type) if judged else None

    @property
    def probabilities(self) -> bool:
        return self._tally.probabilities

    def prepare(self) -> None:
        if self._spool is not None:
            self._spool.prepare()

    def add(
        self, y: Targets, predictions: Targets, probabilities: Floats | None, times: Longs
    ) -> None:
        outcome = self._tally.add(y, predictions, probabilities, times)
        if self._spool is not None:
            self._spool.add(outcome)

    def keep_outcomes(self, folder: Inside, name: str) -> None:
        if self._spool is not None:
            self._spool.keep_in(folder / f"{name}.bin")

    def _main_scores(self, overall: Sequence[Mapping[str, float]]) -> list[tuple[float, float]]:
        own, *others = (metrics["accuracy"] for metrics in overall)
        return [(own, other) for other in others]

    def _tests(
        self, references: Sequence[Reference], scores: Sequence[tuple[float, float]]
    ) -> list[tuple[BatchMeansTest, BatchMeansTest | None]]:
        assert self._spool is not None
        spool, columns = self._spool, self._spool.sums().T
        tests = [spool.decided(column) for column in columns]
        uses_order = [reference.uses_label_order for reference in references]
        orderless = [i for i, uses in enumerate(uses_order) if not uses]
        if not orderless:
            return [(test, None) for test in tests]
        best = columns[max(orderless, key=lambda i: scores[i][1])]
        level = 1 - (1 - CONFIDENCE) / max(1, sum(uses_order))  # the strongest one is looked at
        return [
            (test, spool.decided(best - column, level) if uses else None)
            for test, column, uses in zip(tests, columns, uses_order, strict=True)
        ]


class ClassificationTotals(Totals):
    """A confusion table per participant."""

    state_fields = ("_confusions",)

    def __init__(self, plan: ScoringPlan) -> None:
        self._plan = plan
        k = len(plan.schema.classes)
        self._confusions = np.zeros((1 + len(plan.references), k, k + 1), np.int64)

    @property
    def confusion(self) -> Longs:
        found: Longs = self._confusions[0]
        return found

    def add(self, y: Targets, predictions: Targets) -> None:
        count_confusions(y, predictions, self._confusions)

    def correct(self, given: Corrections) -> None:
        before, after = np.zeros_like(self._confusions), np.zeros_like(self._confusions)
        count_confusions(given.old, given.predictions, before)
        count_confusions(given.new, given.predictions, after)
        self._confusions += after - before

    def overall(self) -> list[dict[str, float]]:
        plan, confusions = self._plan, self._confusions
        sums = sums_of_confusions(confusions, hits_of(confusions[1:]), plan.reference_names)
        if plan.cost is not None:
            # An abstention costs as much as the worst prediction.
            cost = np.column_stack([plan.cost, plan.cost.max(axis=1)])
            sums.cost = (confusions * cost).sum(axis=(1, 2))
        names = [metric.name for metric in plan.orderless_metrics]
        values = MetricTable(plan.orderless_metrics).of(sums)
        return [dict(zip(names, row, strict=True)) for row in values.tolist()]


class Classification(Task):
    """Scoring for streams with classes."""

    def scores(self, judged: bool = True, bins: int | None = None) -> ClassificationScores:
        return ClassificationScores(self.plan, judged, bins)

    def totals(self) -> ClassificationTotals:
        return ClassificationTotals(self.plan)

    def bin_sums(self, bins: int) -> BinSums:
        plan = self.plan
        k = len(plan.schema.classes)
        return ClassificationBinSums(plan.reference_names, bins, k, plan.cost)
