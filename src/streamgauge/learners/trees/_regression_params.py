"""The parameters of regression trees that kernels need."""

from __future__ import annotations

from typing import Final, NamedTuple

MOST_BINS: Final = 128  # that any tree may have of a numeric feature at a leaf
ANY_DEPTH: Final = 2**31 - 1  # deeper than any tree


class RegressionParams(NamedTuple):
    """How a regression tree grows, learns and adapts."""

    grace_period: float
    delta: float
    tau: float
    min_weight: float  # on either side of a split
    max_bins: int  # of a numeric feature at a leaf
    max_depth: int  # a leaf at this depth never splits
    learning_rate: float = 0.0  # of the perceptron
    learning_decay: float = 0.0
    drift_delta: float = 0.005  # of the Page–Hinkley test
    drift_threshold: float = 50.0
