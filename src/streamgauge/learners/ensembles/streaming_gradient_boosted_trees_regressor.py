"""Streaming gradient boosted trees for regression (SGBR)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import LEARN, Floats
from streamgauge.learners._parameters import (
    Count,
    Delta,
    GracePeriod,
    LearningRate,
    MaxDepth,
    NJobs,
    NModels,
    Tau,
)
from streamgauge.learners.base import Events
from streamgauge.learners.ensembles._boosted_trees import BoostedTrees
from streamgauge.learners.ensembles._boosting import KNOWN, SCORE
from streamgauge.learners.ensembles._features import StepFeatures


class StreamingGradientBoostedTreesRegressor(BoostedTrees):
    """Streaming gradient boosted regression (SGBR): each step learns what those before leave over.

    A step is a bag of `HoeffdingTreeRegressor`s with means at their leaves, which replace subtrees
    on drift; each tree learns a row with its own Poisson(1) weight (its first row in any case), and
    the step predicts their mean. At each row, step after step learns the target minus the sum of
    the steps before it. All trees of a step see the same random subspace of the features. Abstains
    before any label. Defaults are those of CapyMOA's StreamingGradientBoostedRegression.

    Parameters
    ----------
    n_models
        Number of boosting steps.
    bag_size
        Trees per step; a single one learns every row once.
    learning_rate
        Factor of each step's prediction in the sum.

    References
    ----------
    gunasekara2025 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> X = np.random.default_rng(1).random((2000, 2))
    >>> stream = sg.from_arrays(X, 3 * X[:, 0] + (X[:, 1] > 0.5))
    >>> run = sg.evaluate(stream, sg.StreamingGradientBoostedTreesRegressor(n_models=3))
    >>> print(f"MAE {run.summary['mae']:.3f}, of the mean {run.references['Mean']['mae']:.3f}")
    MAE 0.123, of the mean 0.834
    """

    task = "regression"

    def __init__(
        self,
        n_models: NModels = 10,
        bag_size: Count = 10,
        max_features: StepFeatures = 0.75,
        learning_rate: LearningRate = 1.0,
        grace_period: GracePeriod = 50,
        delta: Delta = 0.01,
        tau: Tau = 0.05,
        max_depth: MaxDepth = None,
        n_jobs: NJobs = 1,
    ) -> None:
        self.n_models, self.bag_size, self.max_features = n_models, bag_size, max_features
        self.learning_rate, self.max_depth, self.n_jobs = learning_rate, max_depth, n_jobs
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self._configure(bag_size=bag_size)

    def _answer(self, events: Events, scores: Floats) -> None:
        predicted, known = events.ops != LEARN, scores[0, :, KNOWN] > 0
        events.label[predicted] = np.where(known, scores[0, :, SCORE], np.nan)[predicted]
