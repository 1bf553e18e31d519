"""The parameters of classification trees, as the user and as kernels see them."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.types import Longs, Schema
from streamgauge.learners._parameters import LeafPrediction, SplitCriterion

INFO_GAIN: Final = 0
GINI: Final = 1

MAJORITY: Final = 0  # leaves predict the majority class
BAYES: Final = 1  # naive Bayes
ADAPTIVE: Final = 2  # whichever of the two was right more often at the leaf

_MODES = {"mc": MAJORITY, "nb": BAYES, "nba": ADAPTIVE}
_CRITERIA = {"info_gain": INFO_GAIN, "gini": GINI}
_MAX_LOG_SPACE_FEATURES = 128  # with more, a product of squared densities might overflow


class TreeParams(NamedTuple):
    """How a tree grows and predicts, and the nominal features of its stream."""

    split_criterion: int
    grace_period: float
    delta: float
    tau: float
    leaf_prediction: int
    log_space: bool  # whether naive Bayes may compare logarithms instead of products
    cardinality: Longs  # [feature]: number of nominal values, 0 if numeric
    value_offset: Longs  # [feature]: number of nominal values of the features before, -1 if numeric
    as_moa: bool  # whether a leaf without rows predicts class 0
    restarts: bool  # whether a leaf that cannot split starts again, or only counts classes


class TreeOptions(NamedTuple):
    """The parameters of the user that all classification trees share."""

    grace_period: int
    delta: float
    tau: float
    leaf_prediction: LeafPrediction
    split_criterion: SplitCriterion
    compat: Literal["moa"] | None = None

    def for_schema(self, schema: Schema) -> TreeParams:
        """Return the parameters for kernels, on a stream of this schema."""
        sizes = np.array(schema.cardinality, np.int64)
        offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1).astype(np.int64)
        log_space = (
            self.leaf_prediction != "mc" and 0 < (sizes == 0).sum() <= _MAX_LOG_SPACE_FEATURES
        )
        return TreeParams(
            _CRITERIA[self.split_criterion], float(self.grace_period), float(self.delta),
            float(self.tau), _MODES[self.leaf_prediction], log_space, sizes, offset,
            self.compat == "moa", False,
        )  # fmt: skip
