"""The Hoeffding tree for regression (FIMT-DD): models at the leaves, drift tests at the splits."""

from __future__ import annotations

from typing import Any, Literal

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Schema
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.trees._regression_events import Member, alone, play_all
from streamgauge.learners.trees._regression_nodes import count_nodes, new_trees, tree_bytes
from streamgauge.learners.trees._regression_params import Params

_MIN_WEIGHT = 5.0  # on either side of a split, as in MOA
_MAX_BINS = 128
_BUFFER_ROWS = 128


class HoeffdingTreeRegressor(CompiledLearner):
    """A leaf considers a split after every `grace` rows. It takes the one that leaves the least
    variance of the target, once the second best feature's gain is smaller by a share of more than
    Hoeffding's bound at `delta`, or when the bound is below `tie`.

    Leaves answer with a perceptron, taken over from the leaf they come from (its rate is `rate` /
    (1 + `decay` × rows)), or with the mean of their rows ("mean"). At every split the error is
    watched by Page and Hinkley's test; on an alarm a rival grows beside the subtree and replaces
    it when it has lost less, looked at every 150 rows and given up after 1,500. Numbers are cut
    between up to 128 bins; of a nominal feature one value is told from the others. A missing value
    follows the branch that more rows took, and is the mean to a perceptron. Abstains before any
    label. Defaults are those of CapyMOA's FIMTDD.

    >>> HoeffdingTreeRegressor(leaf="mean")
    HoeffdingTreeRegressor(leaf='mean')
    """

    task = "regression"

    def __init__(
        self,
        grace: int = 200,
        delta: float = 1e-7,
        tie: float = 0.05,
        leaf: Literal["perceptron", "mean"] = "perceptron",
        rate: float = 0.02,
        decay: float = 0.001,
        drift_delta: float = 0.005,
        drift_threshold: float = 50.0,
    ) -> None:
        check_whole("HoeffdingTreeRegressor(grace)", grace)
        self._given: dict[str, Any] = {
            "grace": grace, "delta": delta, "tie": tie, "leaf": leaf, "rate": rate, "decay": decay,
            "drift_delta": drift_delta, "drift_threshold": drift_threshold,
        }  # fmt: skip
        if grace < 1 or not 0 < delta < 1 or not tie >= 0:
            raise UsageError(f"{self}: expected grace >= 1, 0 < delta < 1 and tie >= 0")
        if leaf not in ("perceptron", "mean"):
            raise UsageError(f"{self}: expected leaf perceptron or mean")
        if not 0 < rate <= 1 or not decay >= 0:
            raise UsageError(f"{self}: expected 0 < rate <= 1 and decay >= 0")
        if not drift_delta >= 0 or not drift_threshold > 0:
            raise UsageError(f"{self}: expected drift_delta >= 0 and drift_threshold > 0")
        self._linear = leaf == "perceptron"
        self._params = Params(
            float(grace), float(delta), float(tie), _MIN_WEIGHT, _MAX_BINS,
            float(rate), float(decay), float(drift_delta), float(drift_threshold),
        )  # fmt: skip

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        d = len(schema.features)
        trees = new_trees(schema, 1, d, self._linear, _BUFFER_ROWS, seed)
        self._member = Member(trees, self._params, alone())

    @property
    def nbytes(self) -> int:
        return tree_bytes(self._member.trees)

    @property
    def node_count(self) -> int:
        """Number of splits and leaves, including those of alternate subtrees."""
        return count_nodes(self._member.trees)

    def play(self, events: Events) -> None:
        self._member = play_all(events, self._member)
