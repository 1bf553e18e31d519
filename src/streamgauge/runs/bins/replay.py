"""Replays the log of outcomes: the table of bins after any label, and each bin's curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.bins import BinTable
from streamgauge.measures.curves import Curve
from streamgauge.runs._scores import RunScores
from streamgauge.runs._task import task_of
from streamgauge.runs.bins.outcome_log import BinRows, OutcomeLog
from streamgauge.runs.scoring_plan import ScoringPlan

if TYPE_CHECKING:
    from streamgauge.measures.bin_sums import BinSums


class BinReplay:
    """Scores the rows of a log again, as the plan says."""

    def __init__(self, plan: Callable[[], ScoringPlan], log: OutcomeLog) -> None:
        self._plan, self.log = plan, log

    def tables_after(self, labels: int) -> tuple[list[BinTable], Floats]:
        """Every participant's table and the effort, as after the first `labels` labels."""
        plan = self._plan()
        assert plan.bins is not None
        sums = task_of(plan).bin_sums(plan.bins)
        effort = np.full(3, np.nan)
        for rows in self.log.read(labels):
            sums.add(rows.y, rows.outcomes)
            effort = rows.effort[-1]
        return tables_of(sums, plan), effort

    def values_between(self, edges: Longs, metric: str) -> Floats:
        """The learner's metric per bin over the labels between successive edges: parts × bins."""
        plan = self._plan()
        assert plan.bins is not None
        if metric not in [each.name for each in plan.orderless_metrics]:
            raise UsageError(
                f"{metric} is a metric of your own, which a saved run does not keep: its values "
                "along the stream need the run that evaluate() returned"
            )
        found = np.full((len(edges) - 1, plan.bins + 2), np.nan)
        task, part, seen = task_of(plan), 0, 0
        sums = task.bin_sums(plan.bins)
        for rows in self.log.read(int(edges[-1])):
            start = 0
            while start < len(rows.y):
                stop = min(len(rows.y), start + int(edges[part + 1]) - seen)
                sums.add(rows.y[start:stop], [each[start:stop] for each in rows.outcomes])
                seen, start = seen + stop - start, stop
                if seen == edges[part + 1]:
                    found[part] = sums.table(0, plan.orderless_metrics)[metric]
                    sums, part = task.bin_sums(plan.bins), part + 1
        return found

    def curve(self, b: int, labels: int) -> Curve:
        """Every metric in bin b along the stream."""
        plan = self._plan()
        assert plan.bins is not None
        scores = task_of(plan).scores(judged=False, bins=plan.bins + 2)
        for rows in self.log.read(labels):
            add_bin(scores, rows, b)
        return scores.finish()


def tables_of(sums: BinSums, plan: ScoringPlan) -> list[BinTable]:
    """The tables of the learner and then of each reference."""
    participants = range(1 + len(plan.references))
    return [sums.table(who, plan.orderless_metrics) for who in participants]


def add_bin(scores: RunScores, rows: BinRows, b: int) -> None:
    """Add rows to the scores, with what was predicted in bin b of their wait."""
    predictions: Targets = np.stack([shown[:, b] for shown in rows.outcomes])
    codes = predictions.dtype.kind != "f"
    scores.add(rows.y, predictions.astype(np.int32) if codes else predictions, None, rows.times)
