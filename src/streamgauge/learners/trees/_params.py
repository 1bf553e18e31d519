"""How a tree grows and votes: its parameters, and what it needs to know of the stream."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Longs, Schema

INFO_GAIN: Final = 0
GINI: Final = 1

MAJORITY: Final = 0  # leaves vote by class counts
BAYES: Final = 1  # by naive Bayes
ADAPTIVE: Final = 2  # by whichever was right more often there

Leaf = Literal["mc", "nb", "nba"]
Criterion = Literal["info_gain", "gini"]

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
    """The parameters that all trees have."""

    grace: int
    delta: float
    tie: float
    leaf: Leaf
    criterion: Criterion

    def check(self, name: str) -> None:
        """Refuse parameters that no tree can grow by."""
        check_whole(f"{name.partition('(')[0]}(grace)", self.grace)
        if self.grace < 1 or not 0 < self.delta < 1 or self.tie < 0:
            raise UsageError(f"{name}: expected grace >= 1, 0 < delta < 1 and tie >= 0")
        if self.leaf not in _MODES or self.criterion not in _CRITERIA:
            raise UsageError(f"{name}: leaf is mc, nb or nba; criterion is info_gain or gini")

    def on(self, schema: Schema) -> Rule:
        """The rule of trees on a stream."""
        sizes = np.array(schema.cardinality, np.int64)
        offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1).astype(np.int64)
        brief = self.leaf != "mc" and 0 < (sizes == 0).sum() <= _WIDEST_SHORT_CUT
        return Rule(
            _CRITERIA[self.criterion], float(self.grace), float(self.delta), float(self.tie),
            _MODES[self.leaf], brief, sizes, offset,
        )  # fmt: skip
