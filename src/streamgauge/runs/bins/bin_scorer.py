"""Scores one learner in every bin of the wait, row by row; becomes `run.bins` (semantics §8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.curves import Sampler
from streamgauge.measures.reference import Reference
from streamgauge.measures.verdict import Verdict, judge
from streamgauge.prequential.reevaluation.outcomes import outcome_type
from streamgauge.runs._task import task_of
from streamgauge.runs.bins.bins import Bins
from streamgauge.runs.bins.outcome_log import BinRows, OutcomeWriter
from streamgauge.runs.bins.replay import BinReplay, add_bin, tables_of
from streamgauge.runs.scoring_plan import ScoringPlan

_BATCH = 8192  # rows folded at a time: a part of an agenda may score only a few


class BinScorer:
    """Feeds one learner's outcomes to the sums of every bin, and to the log."""

    def __init__(self, plan: ScoringPlan, bins: int) -> None:
        self._plan, self._bins = plan, bins
        self._k = len(plan.schema.classes)
        self._writer = OutcomeWriter(plan, bins)
        task = task_of(plan)
        self._sums = task.bin_sums(bins)
        judged = sorted({(bins + 1) // 2, bins + 1} - {0})  # bin 0 has the run's own verdict
        self._judged = {b: task.scores(judged=True, bins=bins + 2) for b in judged}
        self._sampler = Sampler(plan.every)
        self._effort: list[Floats] = []
        self._last_effort = np.full(3, np.nan)
        self._held: list[BinRows] = []
        self._count = 0

    def prepare(self) -> None:
        """Compile what adding rows needs, by adding none."""
        none = np.empty((0, self._bins + 2), outcome_type(self._k))
        y = np.empty(0, np.int32 if self._k else np.float64)
        self._sums.add(y, [none] * (1 + len(self._plan.references)))

    def add(self, rows: BinRows) -> None:
        """Hold rows back; score them once there is a batch of them."""
        before = self._sampler.seen
        cuts = self._sampler.cuts(len(rows.y))
        self._effort.append(np.column_stack([before + cuts, rows.effort[cuts - 1]]))
        self._last_effort = rows.effort[-1] if len(rows.effort) else self._last_effort
        self._held.append(rows)
        self._count += len(rows.y)
        if self._count >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        """Score the rows held back so far."""
        if not self._held:
            return
        rows = BinRows.concatenated(self._held)
        self._held, self._count = [], 0
        self._sums.add(rows.y, rows.outcomes)
        self._writer.add(rows)
        for b, scores in self._judged.items():
            add_bin(scores, rows, b)

    def finish(
        self, name: str, stream: str, references: Sequence[Reference], first: Verdict, remedy: str
    ) -> Bins:
        """The bins of the run, with verdicts; `first` is the verdict on first predictions."""
        self._flush()
        points = np.concatenate([np.empty((0, 4)), *self._effort])
        if self._sampler.last_is_due and self._sampler.seen:
            points = np.vstack([points, [self._sampler.seen, *self._last_effort]])
        effort = dict(zip(("rows", "n_c", "n_b", "n_r"), points.T, strict=True))
        tables = tables_of(self._sums, self._plan)
        verdicts = {0: first}
        for b, scores in self._judged.items():
            overall = [{"accuracy": float(t["accuracy"][b])} if self._k else {} for t in tables]
            compared, curve = scores.compared(references, overall), scores.finish()
            verdicts[b] = judge(name, compared, curve, not self._k, remedy)
        plan = self._plan
        replay = BinReplay(lambda: plan, self._writer.finish())
        return Bins.of(
            tables, plan.reference_names, self._last_effort, verdicts, effort, replay, name, stream,
            plan.scales,
        )  # fmt: skip
