"""Late labels of a run: scores in order of arrival, and whether waits depend on the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge._support.types import Label, Longs, Schema, Targets
from streamgauge.measures.arrival_order import ArrivalOrder, OrderScores
from streamgauge.measures.class_waits import ClassWaits, class_waits, extremes_text
from streamgauge.measures.forgetting import Forgetting, Window
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.words import plural

_ROWS = 1000  # of the first and the last part, without a Window
_BATCHES = 1 << 10
_TESTED = 1 << 20  # labels, the most recent ones: a bound of the memory


@dataclass(frozen=True)
class LateLabels:
    """What differs if labels do not come in the order in which their rows arrived.

    Attributes
    ----------
    rows
        Number of rows in the first and in the last part of the stream.
    learner, references
        Scores over those parts, by reveal and by arrival.
    classes
        For each class of the run, in its order, whether its labels take longer than others; empty
        for regression.
    """

    rows: int
    learner: OrderScores
    references: dict[str, OrderScores]
    classes: tuple[ClassWaits, ...]

    def notes(self, classes: Sequence[Label]) -> tuple[str, ...]:
        """The sentences of the verdict; without classes it is a regression."""
        own = self.learner

        def both(first: float, last: float) -> str:
            return " and ".join(score_text(each, not classes) for each in (first, last))

        notes = [
            f"Labels did not come in the order of the rows. Over the first and the last "
            f"{self.rows:,} rows to arrive: {both(own.first_arrived, own.last_arrived)}; over the "
            f"first and the last {self.rows:,} labels: "
            f"{both(own.first_revealed, own.last_revealed)}."
        ]
        if found := extremes_text(classes, self.classes):
            notes.append(
                f"Warning: waits depend on the class: {found}. So the newest labels are not a fair "
                "sample of the newest rows."
            )
        return tuple(notes)


def never_labelled_note(rows: int) -> str:
    """Warn of rows that were predicted again to the end, though no label comes."""
    return (
        f"Warning: {plural(rows, 'row')} without a label waited, and were predicted again, to the "
        "end; FromStream(timeout=...) lets such rows leave."
    )


class LateLabelScorer:
    """Collects scored rows while labels come."""

    state_fields = ("_order", "_held", "_count")

    def __init__(self, schema: Schema, forget: Sequence[Forgetting], references: Sequence[str]):
        self._classes, self._references = schema.classes, references
        windows = (each.w for each in forget if isinstance(each, Window))
        self._order = ArrivalOrder(next(windows, _ROWS), 1 + len(references))
        self._held: list[tuple[Longs, Longs, Targets]] = []
        self._count = 0

    def add(self, ids: Longs, y: Targets, waits: Longs, predictions: Targets) -> None:
        """Add scored rows; `predictions` are participants × rows."""
        if self._classes:
            self._order.add(ids, (predictions == y).astype(np.float64))
            self._held.append((ids, waits, y))
            self._count += len(ids)
            if len(self._held) > _BATCHES:  # a live run gets many small ones
                newest = zip(*self._held[-_BATCHES // 2 :], strict=True)
                ids, waits, y = (np.concatenate(each) for each in newest)
                self._held[-_BATCHES // 2 :] = [(ids, waits, y)]
            while self._held and self._count - len(self._held[0][0]) >= _TESTED:
                self._count -= len(self._held.pop(0)[0])
        else:
            self._order.add(ids, np.abs(predictions - y))

    def finish(self) -> LateLabels | None:
        """None if labels came in the order of the rows, or if there are too few of them."""
        order = self._order
        if not order.differs or order.seen < 2 * order.rows:
            return None
        own, *others = order.scores()
        references = dict(zip(self._references, others, strict=True))
        return LateLabels(order.rows, own, references, self._class_waits())

    def _class_waits(self) -> tuple[ClassWaits, ...]:
        if not self._classes:
            return ()
        ids, waits, y = (np.concatenate(each)[-_TESTED:] for each in zip(*self._held, strict=True))
        arrival = np.argsort(ids, kind="stable")
        return class_waits(waits[arrival], y[arrival], len(self._classes))
