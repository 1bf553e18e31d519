"""The Hoeffding tree for numbers (FIMT-DD): models at the leaves, drift watched at the splits."""

from __future__ import annotations

from typing import Any, Literal

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Schema
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.trees._regression_nodes import bytes_of_trees, count_nodes, new_trees
from streamgauge.learners.trees._regression_play import Member, go_through, new_watch
from streamgauge.learners.trees._regression_splits import Rule

_LEAST = 5.0  # weight on either side of a split, as in MOA
_BINS = 128
_ROWS_WAITING = 128


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
        self._rule = Rule(
            float(grace), float(delta), float(tie), _LEAST, _BINS, float(rate), float(decay),
            float(drift_delta), float(drift_threshold),
        )  # fmt: skip

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        watched = len(schema.features)
        trees = new_trees(schema, 1, watched, self._linear, _ROWS_WAITING, seed)
        self._member = Member(trees, self._rule, new_watch(0), warning=0.0, drift=0.0)  # no forest

    @property
    def nbytes(self) -> int:
        return bytes_of_trees(self._member.trees)

    @property
    def node_count(self) -> int:
        """Nodes of the tree, splits and leaves alike, and of rivals."""
        return count_nodes(self._member.trees)

    def play(self, events: Events) -> None:
        self._member = go_through(events, self._member)
