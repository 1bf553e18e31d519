"""One learner's performance per bin of the wait: collected row by row, shown as `run.bins`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs, Schema, Targets
from streamgauge.measures.bins import BinSums, BinTable
from streamgauge.measures.curves import Curve, Sampler
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.measures.tally import PENDING_NUMBERS, LabelTally, NumberTally
from streamgauge.measures.verdict import Spool, Verdict, judge
from streamgauge.prequential.reevaluation.outcomes import outcome_type
from streamgauge.runs._bin_outcomes import OutcomeLog

_AT_ONCE = 8192  # rows folded at a time: pieces of an agenda may score only a few


@dataclass(frozen=True, repr=False)
class Bins(BinTable):
    """The learner's table at the end of the run; `references` have their own.

    `n_c`, `n_b`, `n_r`: extra predictions over the last 100 events, those held for rows that wait,
    and per labelled row. `verdicts`: of bins 0, the middle one and B + 1. `effort`: rows (labels),
    n_c, n_b, n_r along the stream.
    """

    references: dict[str, BinTable] = field(default_factory=dict)
    n_c: float = math.nan
    n_b: float = math.nan
    n_r: float = math.nan
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    effort: dict[str, Floats] = field(default_factory=dict)
    _tallies: Sequence[LabelTally | NumberTally] = ()
    _curves: dict[int, Curve] = field(default_factory=dict)

    def curve(self, b: int) -> Curve:
        """Every metric in bin b along the stream, under every forgetting; -1 is the final one."""
        if not self._tallies:
            raise UsageError("a table of the past has no curves; run.bins has")
        if not -len(self) <= b < len(self):
            raise UsageError(f"bin {b}: there are bins 0 to {len(self) - 1}")
        b %= len(self)
        if b not in self._curves:  # each takes its time, few are looked at
            self._curves[b] = self._tallies[b].finish()
        return self._curves[b]

    def to_dict(self) -> dict[str, Any]:
        """As plain values (docs/json.md)."""
        return {
            "bins": self.bins,
            "labels": self.rows,
            "metrics": {name: self[name].tolist() for name in self.metrics},
            "bands": {
                name: band.tolist()
                for name in self.metrics
                if not np.isnan(band := self.band(name)).all()
            },
            "references": {
                who: {name: table[name].tolist() for name in table.metrics}
                for who, table in self.references.items()
            },
            "n_c": self.n_c,
            "n_b": self.n_b,
            "n_r": self.n_r,
            "verdicts": {str(b): str(verdict) for b, verdict in self.verdicts.items()},
        }

    def to_arrow(self) -> pa.Table:
        """A line per answerer and bin: the learner ("learner"), then the references."""
        tables = {"learner": BinTable(self.rows, self._sums, self._metrics), **self.references}
        return pa.concat_tables(
            table.to_arrow().add_column(0, "answerer", pa.array([who] * len(table)))
            for who, table in tables.items()
        )

    @property
    def middle(self) -> int:
        """The bin in the middle of the wait."""
        return (self.bins + 1) // 2

    def __str__(self) -> str:
        from streamgauge.runs._bin_text import show_bins

        return show_bins(self)

    __repr__ = __str__


@dataclass(frozen=True)
class BinPlan:
    """What is asked of the bins."""

    bins: int
    schema: Schema
    references: tuple[str, ...]
    forget: Sequence[Forgetting]
    every: int
    metrics: tuple[Metric, ...]
    cost: Floats | None

    def table_metrics(self) -> tuple[Metric, ...]:
        """All that a table without order can tell."""
        every = metrics_for(self.schema, "labels", self.cost is not None)
        return tuple(metric for metric in every if metric.name != "error_autocorrelation")

    def tallies(self) -> list[LabelTally | NumberTally]:
        """One a bin."""
        chosen = tuple(metric for metric in self.metrics if metric.needs != "probabilities")
        chosen = chosen or metrics_for(self.schema, "labels", self.cost is not None)
        k, pending = len(self.schema.classes), PENDING_NUMBERS // (self.bins + 2)
        return [
            LabelTally(k, self.forget, self.every, chosen, self.cost, pending)
            if k
            else NumberTally(self.forget, self.every, chosen, pending)
            for _ in range(self.bins + 2)
        ]


class BinnedEntry:
    """Feeds one learner's outcomes to the sums of every bin."""

    def __init__(self, plan: BinPlan, log: OutcomeLog) -> None:
        bins, references = plan.bins, plan.references
        self._bins, self._references, self._cost = bins, references, plan.cost
        self._k = k = len(plan.schema.classes)
        self._metrics = plan.table_metrics()
        self._sums = self._new_sums()
        self._tallies = plan.tallies()
        self.log = log
        self._judged = {b: Spool(len(references), not k) for b in {(bins + 1) // 2, bins + 1} - {0}}
        self._common = {b: np.zeros(2 + len(references)) for b in self._judged}
        self._sampler = Sampler(plan.every)
        self._effort: list[Floats] = []
        self._last_effort = np.full(3, np.nan)
        self._held: list[tuple[Targets, Longs, Floats, list[Targets]]] = []
        self._count = 0

    def _new_sums(self) -> BinSums:
        return BinSums(1 + len(self._references), self._bins, self._k, self._cost)

    def prepare(self) -> None:
        """Compile what adding rows will need, by adding none."""
        none = np.empty((0, self._bins + 2), outcome_type(self._k))
        y = np.empty(0, np.int32 if self._k else np.float64)
        self._sums.add(y, [none] * (1 + len(self._references)))

    def add(self, y: Targets, times: Longs, outcomes: list[Targets], effort: Floats) -> None:
        """Rows scored: labels and when they came, outcomes of the learner and the references, N_C,
        N_B, N_R."""
        before = self._sampler.seen
        cuts = self._sampler.cuts(len(y))
        self._effort.append(np.column_stack([before + cuts, effort[cuts - 1]]))
        self._last_effort = effort[-1] if len(effort) else self._last_effort
        self._held.append((y, times, effort, outcomes))
        self._count += len(y)
        if self._count >= _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Count the rows that wait to be counted."""
        if not self._held:
            return
        columns = zip(*(held[:3] for held in self._held), strict=True)
        y, times, effort = map(np.concatenate, columns)
        each = zip(*(held[3] for held in self._held), strict=True)
        outcomes = [np.concatenate(parts) for parts in each]
        self._held, self._count = [], 0
        self._sums.add(y, outcomes)
        self.log.add(y, effort, outcomes)
        for b, tally in enumerate(self._tallies):
            answers = np.stack([shown[:, b] for shown in outcomes])
            if isinstance(tally, LabelTally):
                outcome = tally.add(y, answers.astype(np.int32), None, times)
                if b in self._judged:
                    self._judged[b].add_outcomes(outcome)
            else:
                tally.add(y, answers[0], times)
                if b in self._judged:
                    self._compare(b, np.abs(answers - y))

    def _compare(self, b: int, losses: Floats) -> None:
        """A row is compared where all have answered: an abstention has no loss."""
        losses = losses[:, ~np.isnan(losses).any(axis=0)]
        self._common[b] += [losses.shape[1], *losses.sum(axis=1)]
        self._judged[b].add_differences((losses[1:] - losses[0]).T)

    def table_after(self, rows: int) -> Bins:
        """The tables as they stood after so many labels."""
        if not 1 <= rows <= self._sums.rows:
            raise UsageError(f"labels={rows}: expected 1 to {self._sums.rows:,}, the labels scored")
        sums = self._new_sums()
        last = np.full(3, np.nan)
        for y, effort, outcomes in self.log.read(rows):
            sums.add(y, outcomes)
            last = effort[-1]
        return self._bins_of(sums, last)

    def _bins_of(self, sums: BinSums, last: Floats, **more: Any) -> Bins:
        tables = [sums.table(who, self._metrics) for who in range(1 + len(self._references))]
        references = dict(zip(self._references, tables[1:], strict=True))
        own = tables[0]
        return Bins(own.rows, own._sums, own._metrics, references, *last.tolist(), **more)

    def finish(self, name: str, first: Verdict, remedy: str) -> Bins:
        """All there is to show; `first`: the verdict on first predictions."""
        self.flush()
        self.log.close()
        points = np.concatenate([np.empty((0, 4)), *self._effort])
        if self._sampler.last_is_due and self._sampler.seen:
            points = np.vstack([points, [self._sampler.seen, *self._last_effort]])
        effort = dict(zip(("rows", "n_c", "n_b", "n_r"), points.T, strict=True))
        bins = self._bins_of(self._sums, self._last_effort, effort=effort, _tallies=self._tallies)
        bins.verdicts[0] = first
        for b, spool in sorted(self._judged.items()):
            scores = self._scores(bins, b)
            bins.verdicts[b] = judge(name, spool, scores, bins.curve(b), not self._k, remedy)
        return bins

    def _scores(self, bins: Bins, b: int) -> dict[str, tuple[float, float]]:
        if not self._k:
            count, own, *others = self._common[b].tolist()
            return {
                name: (own / count, other / count) if count else (np.nan, np.nan)
                for name, other in zip(self._references, others, strict=True)
            }
        own = float(bins["accuracy"][b])
        return {name: (own, float(t["accuracy"][b])) for name, t in bins.references.items()}
