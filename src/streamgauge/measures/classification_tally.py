"""The tally of a classifier: its sums under every forgetting, and outcomes for the verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Targets
from streamgauge.measures.encoding import encode_predictions, encode_scores
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Forgetting, smooths_probabilities
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import (
    FACTS,
    ClassificationSums,
    Outcomes,
    SmoothedSums,
    SumsLayout,
)
from streamgauge.measures.tally import MAX_PENDING, Tally

_CELLS_AT_ONCE = 1 << 22  # of rows that are folded together; with many classes a row has many


class ClassificationTally(Tally):
    """A classifier's sums, and the outcomes of its rows for the verdict."""

    state_fields = ("_missed_before",)

    def __init__(
        self,
        k: int,
        references: tuple[str, ...],
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        cost: Floats | None = None,
        max_pending: int = MAX_PENDING,
    ) -> None:
        probabilities = any(metric.needs == "probabilities" for metric in metrics)
        self._layout = layout = SumsLayout(k, references, cost is not None, probabilities)
        # An abstention is the last column: it costs as much as the worst prediction.
        self._cost = None if cost is None else np.column_stack([cost, cost.max(axis=1)])
        self._missed_before = np.zeros(1, np.int64)
        super().__init__(
            forget,
            every,
            metrics,
            Shape(layout.counts, layout.cells, layout.values, k),
            max_pending,
        )

    @property
    def probabilities(self) -> bool:
        """Whether any metric needs probabilities."""
        return self._layout.probabilities

    @property
    def outcome_type(self) -> np.dtype[np.unsignedinteger]:
        """The type of the outcomes that `add` returns."""
        return self._layout.outcome_type

    def add(
        self,
        y: Codes,
        predictions: Codes,
        probabilities: Floats | None,
        times: Longs | None = None,
    ) -> Outcomes:
        """Add rows to the sums: predictions are participants × rows, the learner first.

        Returns each row's outcome as bits: the learner right, then each reference right.
        """
        outcome = np.empty(len(y), self._layout.outcome_type)
        at_once = max(1, _CELLS_AT_ONCE // self._layout.cells)
        for start in range(0, max(1, len(y)), at_once):
            part = slice(start, start + at_once)
            self._add(
                y[part],
                np.ascontiguousarray(predictions[:, part]),  # kernels are compiled for these only
                None if probabilities is None else probabilities[part],
                None if times is None else times[part],
                outcome[part],
            )
        return outcome

    def _add(
        self,
        y: Codes,
        predictions: Codes,
        probabilities: Floats | None,
        times: Longs | None,
        outcome: Outcomes,
    ) -> None:
        cells, values = self._encode(y, predictions, probabilities, self._missed_before, outcome)
        self._fold(cells, values, times)

    def _encode(
        self,
        y: Codes,
        predictions: Codes,
        probabilities: Floats | None,
        missed_before: Longs,
        outcome: Outcomes,
    ) -> tuple[Codes, Floats]:
        layout = self._layout
        cells = np.empty((len(y), layout.cells), np.int32)
        values = np.empty((len(y), layout.values))
        encode_predictions(y, predictions, layout.k, missed_before, cells, outcome)
        if self._cost is not None:
            values[:, 0] = self._cost[y, predictions[0]]
        if probabilities is not None:
            encode_scores(y, probabilities, layout.first_score, cells, layout.histograms, values)
        return cells, values

    def _encoded(
        self, y: Targets, predictions: Targets, probabilities: Floats | None
    ) -> tuple[Codes, Floats]:
        layout = self._layout
        outcome = np.empty(len(y), layout.outcome_type)
        first = np.zeros(1, np.int64)
        cells, values = self._encode(y, predictions, probabilities, first, outcome)
        second_error = len(layout.references)  # of the facts, the one that has an order
        group, (columns, bit) = second_error // FACTS, layout.combination(second_error)
        cells[:, 1 + group] = columns.start + ((cells[:, 1 + group] - columns.start) & ~(1 << bit))
        return cells, values

    def _no_rows(self) -> tuple[Codes, Floats]:
        return np.empty((0, self._layout.cells), np.int32), np.empty((0, self._layout.values))

    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        """Read tables of one layout together, so that a metric takes one call for all of them."""
        smoothed = [smooths_probabilities(f) for f in self._forget]
        together = [t for t, apart in zip(tables, smoothed, strict=True) if not apart]
        sizes = [
            self._effective_size(f, rows, table)
            for f, table, apart in zip(self._forget, tables, smoothed, strict=True)
            if not apart
        ]
        parts: list[Floats] = []
        if together:
            sums = ClassificationSums(np.concatenate(together), self._layout, np.concatenate(sizes))
            ends = np.cumsum([len(table) for table in together])
            parts = np.split(self._values_of(sums), ends[:-1])
        shared = iter(parts)
        return [
            self._values_of(SmoothedSums(table, self._layout.k)) if apart else next(shared)
            for table, apart in zip(tables, smoothed, strict=True)
        ]

    def _effective_size(self, forgetting: Forgetting, rows: Longs, table: Floats) -> Floats:
        size = forgetting.effective(rows)
        return table[:, : self._layout.confusion].sum(axis=1) if size is None else size
