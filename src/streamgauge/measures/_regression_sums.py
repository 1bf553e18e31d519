"""The sums of a regressor: what each scored row adds, and the sums by name (semantics §3)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats


@kernel
def encode_targets(
    y: Floats, predicted: Floats, shift: float, cells: Codes, values: Floats
) -> None:
    """Cells: all rows, rows predicted, the dummy cell. Values: |e|, e², y - shift, its square."""
    for i in range(len(y)):
        made = not np.isnan(predicted[i])
        cells[i, 0] = 0
        cells[i, 1] = 1 if made else 2
        error = predicted[i] - y[i] if made else 0.0
        level = y[i] - shift if made else 0.0
        values[i, 0] = abs(error)
        values[i, 1] = error * error
        values[i, 2] = level
        values[i, 3] = level * level


class RegressionSums:
    """Sums of scored rows at many points at once."""

    COUNTS, CELLS, VALUES = 3, 2, 4

    def __init__(self, table: Floats) -> None:
        self.n, self.made = table[:, 0], table[:, 1]
        self.absolute, self.squared, self.level, self.level_squared = table[:, 3:].T
