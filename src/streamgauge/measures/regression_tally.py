"""The tally of a regressor: its sums under every forgetting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Floats, Longs, Targets
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.encoding import encode_targets
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Forgetting, keeps_sums
from streamgauge.measures.metric import Metric
from streamgauge.measures.tally import MAX_PENDING, Corrections, Tally


class RegressionTally(Tally):
    """The sums of a regressor: errors and targets, relative to the first target."""

    state_fields = ("_shift",)

    def __init__(
        self,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        max_pending: int = MAX_PENDING,
    ) -> None:
        for forgetting in forget:
            if not keeps_sums(forgetting):
                raise UsageError(f"{forgetting} estimates classification only")
        self._shift: float | None = None
        self._held: Corrections | None = None  # until the shift is known
        shape = Shape(RegressionSums.COUNTS, RegressionSums.CELLS, RegressionSums.VALUES, 0)
        super().__init__(forget, every, metrics, shape, max_pending)

    def add(self, y: Floats, predicted: Floats, times: Longs | None = None) -> None:
        """Add rows whose labels were revealed at `times`; a prediction of NaN abstains."""
        if self._shift is None and len(y):
            self._shift = float(y[0])  # R² subtracts squares: keeps them small
        if self._held is not None:
            held, self._held = self._held, None
            super().correct(held)
        cells, values = self._encoded(y, predicted[None], None)
        self._fold(cells, values, times)

    def correct(self, given: Corrections) -> None:
        """Replace labels in the sums that only grow; before further rows are added."""
        if self._shift is None:
            self._held = given
        else:
            super().correct(given)

    def _encoded(
        self, y: Targets, predictions: Targets, probabilities: Floats | None
    ) -> tuple[Codes, Floats]:
        cells = np.empty((len(y), RegressionSums.CELLS), np.int32)
        values = np.empty((len(y), RegressionSums.VALUES))
        encode_targets(y, predictions[0], self._shift or 0.0, cells, values)
        return cells, values

    def _no_rows(self) -> tuple[Codes, Floats]:
        return np.empty((0, RegressionSums.CELLS), np.int32), np.empty((0, RegressionSums.VALUES))

    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        return [self._values_of(RegressionSums(table)) for table in tables]
