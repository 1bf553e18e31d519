"""The Hoeffding tree for regression (FIMT-DD): models at the leaves, drift tests at the splits."""

from __future__ import annotations

from typing import Annotated, Literal

from streamgauge._support.declared import Declared
from streamgauge._support.types import Schema
from streamgauge.learners._parameters import (
    Delta,
    GracePeriod,
    LearningRate,
    NonNegative,
    PageHinkleyDelta,
    PageHinkleyThreshold,
    Tau,
)
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.trees._regression_events import RegressionMember, alone, play_all
from streamgauge.learners.trees._regression_nodes import count_nodes, new_trees, tree_bytes
from streamgauge.learners.trees._regression_params import ANY_DEPTH, MOST_BINS, RegressionParams

_MIN_WEIGHT = 5.0  # on either side of a split, as in MOA
_BUFFER_ROWS = 128
_LeafPrediction = Annotated[Literal["perceptron", "mean"], Declared()]


class HoeffdingTreeRegressor(CompiledLearner):
    """Hoeffding tree for regression (FIMT-DD): models at the leaves, drift tests at the splits.

    A leaf takes the split that reduces the target's variance most, once the reduction by the second
    best feature, relative to the best, falls short of 1 by more than Hoeffding's bound. New leaves
    inherit the perceptron of the leaf that was split. A Page–Hinkley test watches the error at
    every split; on an alarm an alternate tree grows beside the subtree and replaces it when its
    loss is lower. The two are compared every 150 rows; after 1,500 rows the alternate is dropped.
    Numeric features are cut between up to 128 bins; nominal features split into one value against
    the rest. A missing value follows the branch that more rows took, and counts as the mean in a
    perceptron. Abstains before any label. Defaults are those of CapyMOA's FIMTDD.

    Parameters
    ----------
    leaf_prediction
        A linear model ("perceptron") or the mean of the leaf's rows ("mean").
    learning_rate, learning_rate_decay
        The rate of the perceptron is learning_rate / (1 + learning_rate_decay × rows).

    References
    ----------
    ikonomovska2011 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> X = np.random.default_rng(1).random((2000, 2))
    >>> stream = sg.from_arrays(X, 3 * X[:, 0] + (X[:, 1] > 0.5))
    >>> run = sg.evaluate(stream, sg.HoeffdingTreeRegressor())
    >>> print(f"MAE {run.summary['mae']:.3f}, of the mean {run.references['Mean']['mae']:.3f}")
    MAE 0.405, of the mean 0.834
    """

    task = "regression"

    def __init__(
        self,
        grace_period: GracePeriod = 200,
        delta: Delta = 1e-7,
        tau: Tau = 0.05,
        leaf_prediction: _LeafPrediction = "perceptron",
        learning_rate: LearningRate = 0.02,
        learning_rate_decay: NonNegative = 0.001,
        drift_delta: PageHinkleyDelta = 0.005,
        drift_threshold: PageHinkleyThreshold = 50.0,
    ) -> None:
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: _LeafPrediction = leaf_prediction
        self.learning_rate, self.learning_rate_decay = learning_rate, learning_rate_decay
        self.drift_delta, self.drift_threshold = drift_delta, drift_threshold
        self._linear = leaf_prediction == "perceptron"
        self._params = RegressionParams(
            float(grace_period), float(delta), float(tau), _MIN_WEIGHT, MOST_BINS,
            ANY_DEPTH, float(learning_rate), float(learning_rate_decay), float(drift_delta),
            float(drift_threshold),
        )  # fmt: skip

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it draws the first weights of its leaves: perceptrons do."""
        return self._linear

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        d = len(schema.features)
        trees = new_trees(schema, 1, d, self._linear, _BUFFER_ROWS, seed)
        self._member = RegressionMember(trees, self._params, alone())

    @property
    def nbytes(self) -> int:
        return tree_bytes(self._member.trees)

    @property
    def node_count(self) -> int:
        """Number of splits and leaves, including those of alternate subtrees."""
        return count_nodes(self._member.trees)

    def play(self, events: Events) -> None:
        self._member = play_all(events, self._member)
