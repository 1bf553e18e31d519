"""AdaptiveRandomForest: the adaptive random forest (Gomes et al. 2017), as in MOA."""

from __future__ import annotations

import numpy as np

from streamgauge._support.rng import new_rng, poisson_steps
from streamgauge._support.types import Schema
from streamgauge.detectors.adwin_pool import new_adwins
from streamgauge.learners._parameters import (
    Compat,
    Delta,
    DriftDelta,
    GraceWeight,
    LambdaValue,
    LeafPrediction,
    NJobs,
    NModels,
    SplitCriterion,
    Tau,
    WarningDelta,
)
from streamgauge.learners.ensembles._background_trees import (
    BackgroundMember,
    BackgroundTrees,
    Replacing,
)
from streamgauge.learners.ensembles._features import LeafFeatures, count_features
from streamgauge.learners.trees._nodes import new_pools, new_tree
from streamgauge.learners.trees._params import TreeOptions


class AdaptiveRandomForest(BackgroundTrees):
    """Adaptive random forest: Hoeffding trees on random feature subsets, replaced on drift.

    Each tree learns a row with a Poisson weight, and each leaf observes a random subset of the
    features. Two adaptive windows (ADWIN) watch the tree's errors: on a warning a new tree starts
    in the background, on a drift it replaces the tree. Votes are weighted by the accuracy of each
    tree. Defaults are CapyMOA's, except that CapyMOA grows 100 trees.

    Parameters
    ----------
    compat
        "moa": draw features as MOA does, which uses the same random numbers for all trees and all
        seeds, so that their roots observe the same features.

    References
    ----------
    gomes2017 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.AdaptiveRandomForest(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.941
    """

    def __init__(
        self,
        n_models: NModels = 10,
        max_features: LeafFeatures = 0.6,
        lambda_value: LambdaValue = 6.0,
        warning_delta: WarningDelta = 0.01,
        drift_delta: DriftDelta = 0.001,
        grace_period: GraceWeight = 50,
        delta: Delta = 0.01,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        n_jobs: NJobs = 1,
        compat: Compat = None,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.max_features: LeafFeatures = max_features
        self.lambda_value = lambda_value
        self.warning_delta, self.drift_delta = warning_delta, drift_delta
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.compat: Compat = compat
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._replacing = Replacing(
            float(warning_delta), float(drift_delta), poisson_steps(float(lambda_value)),
            background_resamples=False, keeps_background=False,
        )  # fmt: skip

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        leaf_features = count_features(self.max_features, len(schema.features))
        alike = self.compat == "moa"
        self._members = [
            _new_member(schema, leaf_features, alike, seed, i) for i in range(self.n_models)
        ]


def _new_member(
    schema: Schema, leaf_features: int, alike: bool, seed: int, i: int
) -> BackgroundMember:
    pools = new_pools(schema, leaf_features, new_rng(seed, i), alike)
    return BackgroundMember(pools, new_adwins(2), np.array([new_tree(pools), -1]), np.zeros(2))
