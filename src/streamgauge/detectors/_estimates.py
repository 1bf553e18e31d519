"""Running estimates of the error, which a detector may watch instead of single errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Forgetting, TimeWindow, keeps_sums

_ONE_MEAN = Shape(counts=2, cells=1, values=1, classes=0)  # rows, the dummy cell; sum of errors


class Estimate:
    """The running mean of the errors under a forgetting."""

    state_fields = ("_fold",)

    def __init__(self, forgetting: Forgetting) -> None:
        self._fold = forgetting.fold(_ONE_MEAN)

    def after(self, errors: Floats) -> Floats:
        """Consume errors; return the estimate after each of them."""
        n = len(errors)
        rows = np.arange(1, n + 1)
        sums = self._fold.add(np.zeros((n, 1), np.int32), errors[:, np.newaxis], rows, rows)
        return sums[:, 2] / sums[:, 0]

    @property
    def nbytes(self) -> int:
        """Memory of the sums, and of the window if any."""
        arrays = [each for each in vars(self._fold).values() if isinstance(each, np.ndarray)]
        return sum(array.nbytes for array in arrays)


def check_estimate(who: object, what: str, forgetting: Any) -> None:
    """Raise an error for a forgetting that needs times or does not give a plain mean."""
    plain = hasattr(forgetting, "fold") and not isinstance(forgetting, TimeWindow | type)
    if not plain or not keeps_sums(forgetting):
        raise UsageError(
            f"{who}: {what} is {forgetting!r}; expected Cumulative(), Window(w) or Fading(a)"
        )
