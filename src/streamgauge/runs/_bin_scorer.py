"""Scores one learner in every bin of the wait, row by row; becomes `run.bins` (semantics §8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.bins import BinSums
from streamgauge.measures.curves import Sampler
from streamgauge.measures.verdict import Verdict, judge
from streamgauge.prequential.reevaluation.outcomes import outcome_type
from streamgauge.runs._bin_outcomes import OutcomeLog
from streamgauge.runs._bins import Bins
from streamgauge.runs._scores import Task

_BATCH = 8192  # rows folded at a time: a part of an agenda may score only a few


class BinScorer:
    """Feeds one learner's outcomes to the sums of every bin."""

    def __init__(self, task: Task, bins: int, log: OutcomeLog) -> None:
        plan = task.plan
        self._task, self._bins, self.log = task, bins, log
        self._k, self._names = len(plan.schema.classes), plan.reference_names
        self._metrics = plan.orderless_metrics
        self._sums = task.bin_sums(bins)
        self._judged = {(bins + 1) // 2, bins + 1} - {0}  # bin 0 has the run's own verdict
        self._scores = [task.scores(b in self._judged, bins + 2) for b in range(bins + 2)]
        self._sampler = Sampler(plan.every)
        self._effort: list[Floats] = []
        self._last_effort = np.full(3, np.nan)
        self._held: list[tuple[Targets, Longs, Floats, list[Targets]]] = []
        self._count = 0

    def prepare(self) -> None:
        """Compile what adding rows needs, by adding none."""
        none = np.empty((0, self._bins + 2), outcome_type(self._k))
        y = np.empty(0, np.int32 if self._k else np.float64)
        self._sums.add(y, [none] * (1 + len(self._names)))

    def add(self, y: Targets, times: Longs, outcomes: list[Targets], effort: Floats) -> None:
        """Score rows: labels and when they came, outcomes of the learner and the references, and
        the effort: N_C, N_B, N_R."""
        before = self._sampler.seen
        cuts = self._sampler.cuts(len(y))
        self._effort.append(np.column_stack([before + cuts, effort[cuts - 1]]))
        self._last_effort = effort[-1] if len(effort) else self._last_effort
        self._held.append((y, times, effort, outcomes))
        self._count += len(y)
        if self._count >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Score the rows held back so far."""
        if not self._held:
            return
        columns = zip(*(held[:3] for held in self._held), strict=True)
        y, times, effort = map(np.concatenate, columns)
        each = zip(*(held[3] for held in self._held), strict=True)
        outcomes = [np.concatenate(parts) for parts in each]
        self._held, self._count = [], 0
        self._sums.add(y, outcomes)
        self.log.add(y, effort, outcomes)
        for b, scores in enumerate(self._scores):
            predictions = np.stack([shown[:, b] for shown in outcomes])
            scores.add(y, predictions.astype(np.int32) if self._k else predictions, None, times)

    def table_after(self, labels: int) -> Bins:
        """The tables as they stood after the first `labels` labels."""
        if not 1 <= labels <= self._sums.rows:
            raise UsageError(
                f"labels={labels}: expected 1 to {self._sums.rows:,}, the number of labels scored"
            )
        sums = self._task.bin_sums(self._bins)
        last = np.full(3, np.nan)
        for y, effort, outcomes in self.log.read(labels):
            sums.add(y, outcomes)
            last = effort[-1]
        return self._bins_of(sums, last)

    def _bins_of(self, sums: BinSums, last: Floats, **more: Any) -> Bins:
        own, *others = (sums.table(who, self._metrics) for who in range(1 + len(self._names)))
        references = dict(zip(self._names, others, strict=True))
        return Bins(own.rows, own._sums, own._metrics, references, *last.tolist(), **more)

    def finish(self, name: str, first: Verdict, remedy: str) -> Bins:
        """The bins of the run, with verdicts; `first` is the verdict on first predictions."""
        self.flush()
        self.log.close()
        points = np.concatenate([np.empty((0, 4)), *self._effort])
        if self._sampler.last_is_due and self._sampler.seen:
            points = np.vstack([points, [self._sampler.seen, *self._last_effort]])
        effort = dict(zip(("rows", "n_c", "n_b", "n_r"), points.T, strict=True))
        bins = self._bins_of(self._sums, self._last_effort, effort=effort, _scores=self._scores)
        bins.verdicts[0] = first
        for b in sorted(self._judged):
            scores = self._scores[b]
            tables = (bins, *bins.references.values())
            overall = [{"accuracy": float(t["accuracy"][b])} if self._k else {} for t in tables]
            means, compared = scores.batch_means(), scores.compared(overall)
            bins.verdicts[b] = judge(name, means, compared, bins.curve(b), not self._k, remedy)
        return bins
