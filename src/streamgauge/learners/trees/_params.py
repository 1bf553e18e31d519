"""The parameters of trees, and the constants their kernels derive from a stream's schema."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Longs, Schema

INFO_GAIN: Final = 0
GINI: Final = 1

MAJORITY: Final = 0  # leaves vote by class counts
BAYES: Final = 1  # by naive Bayes
ADAPTIVE: Final = 2  # by whichever was right more often there

LeafPrediction = Literal["mc", "nb", "nba"]
SplitCriterion = Literal["info_gain", "gini"]

_MODES = {"mc": MAJORITY, "nb": BAYES, "nba": ADAPTIVE}
_CRITERIA = {"info_gain": INFO_GAIN, "gini": GINI}
_WIDEST_SHORT_CUT = 128  # features; with more, a product of narrownesses might overflow


class Rule(NamedTuple):
    """For kernels."""

    criterion: int
    grace: float
    delta: float
    tie: float
    mode: int
    brief: bool  # may naive Bayes compare logarithms, without an exp?
    sizes: Longs  # [feature]: how many nominal values, 0 = a number
    offset: Longs  # [feature]: where its values begin in Leaves.values, -1 = a number


class Growth(NamedTuple):
    """The parameters that all trees share."""

    grace_period: int
    delta: float
    tau: float
    leaf_prediction: LeafPrediction
    split_criterion: SplitCriterion

    def check(self, name: str) -> None:
        """Refuse parameters out of range."""
        check_integer(f"{name.partition('(')[0]}(grace_period)", self.grace_period)
        if self.grace_period < 1 or not 0 < self.delta < 1 or self.tau < 0:
            raise UsageError(f"{name}: expected grace_period >= 1, 0 < delta < 1 and tau >= 0")
        if self.leaf_prediction not in _MODES or self.split_criterion not in _CRITERIA:
            raise UsageError(
                f"{name}: expected leaf_prediction mc, nb or nba and split_criterion info_gain or "
                "gini"
            )

    def on(self, schema: Schema) -> Rule:
        """The constants of trees on a stream of this schema."""
        sizes = np.array(schema.cardinality, np.int64)
        offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1).astype(np.int64)
        brief = self.leaf_prediction != "mc" and 0 < (sizes == 0).sum() <= _WIDEST_SHORT_CUT
        return Rule(
            _CRITERIA[self.split_criterion], float(self.grace_period), float(self.delta),
            float(self.tau), _MODES[self.leaf_prediction], brief, sizes, offset,
        )  # fmt: skip
