"""The sums of a regressor, by name (semantics §3)."""

from __future__ import annotations

from streamgauge._support.read_only import freeze
from streamgauge._support.types import Floats


class RegressionSums:
    """Sums of scored rows at many points at once."""

    COUNTS, CELLS, VALUES = 3, 2, 4

    def __init__(self, table: Floats) -> None:
        self.n, self.made = table[:, 0], table[:, 1]
        self.absolute, self.squared, self.level, self.level_squared = table[:, 3:].T
        freeze(*vars(self).values())  # a user's metric might change those of others
