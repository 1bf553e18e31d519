"""Streaming gradient boosted trees (SGBT) for classification."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Flags, Floats, Targets
from streamgauge.learners._parameters import (
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
from streamgauge.learners.ensembles._features import TreeFeatures


class StreamingGradientBoostedTrees(BoostedTrees):
    """Streaming gradient boosted trees (SGBT): each tree corrects the sum of those before it.

    The trees are `HoeffdingTreeRegressor`s with means at their leaves, which replace subtrees on
    drift. At each row, tree after tree learns the gradient of the logistic loss divided by its
    second derivative, at the score of the trees before it. A tree sees its own random subspace of
    the features. With more than two classes, one booster per class tells it from all others.
    Abstains before any label. Defaults are CapyMOA's. Unlike MOA, predictions apply the learning
    rate as training does, so that the probabilities are those that were trained.

    Parameters
    ----------
    n_models
        Number of boosting steps: trees per booster.
    learning_rate
        Factor of each tree's prediction in the score.

    References
    ----------
    gunasekara2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.StreamingGradientBoostedTrees(n_models=20))
    >>> majority = run.references["Majority"]["accuracy"]
    >>> print(f"{run.overall['accuracy']:.1%}, of the majority class {majority:.1%}")
    92.2%, of the majority class 68.1%
    """

    def __init__(
        self,
        n_models: NModels = 100,
        max_features: TreeFeatures = 0.75,
        learning_rate: LearningRate = 0.0125,
        grace_period: GracePeriod = 25,
        delta: Delta = 0.05,
        tau: Tau = 0.05,
        max_depth: MaxDepth = None,
        n_jobs: NJobs = 1,
    ) -> None:
        self.n_models, self.max_features, self.learning_rate = n_models, max_features, learning_rate
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.max_depth, self.n_jobs = max_depth, n_jobs
        self._configure(bag_size=1)

    def _answer(self, events: Events, scores: Floats) -> None:
        votes = np.empty(len(self._schema.classes))
        _classify(scores, events.ops, votes, events.label, events.proba)


@kernel
def _classify(scores: Floats, ops: Flags, votes: Floats, label: Targets, proba: Floats) -> None:
    """Write the most probable class; probabilities of several boosters are made to sum to 1."""
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        known = scores[0, e, KNOWN] > 0
        total = 0.0
        for c in range(len(votes)):
            if c < len(scores):
                votes[c] = 1 / (1 + math.exp(-scores[c, e, SCORE]))
            else:
                votes[c] = 1 - votes[0]
            total += votes[c]
        best = 0
        for c in range(len(votes)):
            votes[c] = votes[c] / total if known else np.nan
            if votes[c] > votes[best]:
                best = c
            if len(proba):
                proba[e, c] = votes[c]
        label[e] = best if known else -1
