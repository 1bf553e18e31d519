"""The rows that a learner did not predict: those before its first prediction, and a note on all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streamgauge._support.types import Longs, Targets
from streamgauge.measures.verdict import score_text

WARNING = "Warning: "  # before a note that no answer leaves out
_NOTED_SHARE = 0.01  # of the rows: from more than this on, a note says that they count as wrong


class RowsBeforePrediction:
    """The rows scored before the first prediction of a learner."""

    state_fields = ("rows", "until", "_over")

    def __init__(self) -> None:
        self.rows, self.until, self._over = 0, 0, False  # until: the row after the last of them

    def add(self, ids: Longs, predictions: Targets) -> None:
        """Count rows until the first prediction."""
        if self._over:
            return
        made = predictions >= 0 if predictions.dtype == np.int32 else ~np.isnan(predictions)
        self._over = bool(made.any())
        ids = ids[: made.argmax()] if self._over else ids
        self.rows += len(ids)
        self.until = max(self.until, int(ids.max(initial=-1)) + 1)


def coverage_notes(
    name: str, rows: int, overall: Mapping[str, float], before_first: int, advice: str, late: bool
) -> tuple[str, ...]:
    """How many rows the learner did not predict; of few rows only if labels are `late`.

    `before_first`: the rows scored before its first prediction; `advice`: how to leave them out,
    the end of a sentence. A warning if they are most rows.
    """
    missing = round((1 - overall["coverage"]) * rows) if rows else 0
    if not missing or not (late or missing > _NOTED_SHARE * rows):
        return ()
    at_start = missing == before_first < rows
    first = "the first " if at_start else ""
    warning = WARNING if 2 * missing > rows else ""
    fact = f"{warning}{name} made no prediction for {first}{missing:,} of {rows:,} rows"
    if "accuracy" not in overall:
        return (f"{fact}, which are left out of its error.",)
    if missing == rows:
        return (f"{fact}, which count as wrong.",)
    answered = score_text(overall["accuracy"] / overall["coverage"], False)
    fact = f"{fact}, which count as wrong; of the others it got {answered} right"
    return (f"{fact}; {advice}." if at_start and advice else f"{fact}.",)
