"""Streaming random patches (Gomes, Read and Bifet 2019), as in MOA."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from streamgauge._support.declared import Declared
from streamgauge._support.rng import new_rng, poisson_steps, uniform
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
from streamgauge.learners.ensembles._features import TreeFeatures, count_features
from streamgauge.learners.trees._nodes import draw_features, new_pools, new_tree
from streamgauge.learners.trees._params import TreeOptions

TrainingMethod = Annotated[Literal["patches", "subspaces", "resampling"], Declared()]

_MOST_DISTINCT = 20  # features; with more, two trees hardly ever draw the same subspace


class StreamingRandomPatches(BackgroundTrees):
    """Streaming random patches (SRP): Hoeffding trees on random features and resampled rows.

    Each tree observes its own random subset of the features and learns a row with a Poisson weight.
    Two adaptive windows (ADWIN) watch the tree's errors: on a warning a new tree with a new subset
    starts in the background, on a drift it replaces the tree. Votes are weighted by the accuracy of
    each tree. Defaults are CapyMOA's.

    Parameters
    ----------
    training_method
        Random features and resampled rows ("patches"), only random features ("subspaces"), or only
        resampled rows ("resampling"). If trees observe all features, rows are resampled anyway.
    compat
        "moa": a background tree that took over remains the background tree until the next warning,
        as in MOA. Until then it learns each row twice, and no drift replaces it.

    References
    ----------
    gomes2019 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.StreamingRandomPatches(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.935
    """

    def __init__(
        self,
        n_models: NModels = 100,
        max_features: TreeFeatures = 0.6,
        training_method: TrainingMethod = "patches",
        lambda_value: LambdaValue = 6.0,
        warning_delta: WarningDelta = 1e-4,
        drift_delta: DriftDelta = 1e-5,
        grace_period: GraceWeight = 50,
        delta: Delta = 0.01,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        n_jobs: NJobs = 1,
        compat: Compat = None,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.max_features: TreeFeatures = max_features
        self.training_method: TrainingMethod = training_method
        self.lambda_value = lambda_value
        self.warning_delta, self.drift_delta = warning_delta, drift_delta
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.compat: Compat = compat
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        # As in MOA. A subspace may be constant for a while, as three features of Elec2 are.
        self._params = self._options.for_schema(schema)._replace(restarts=True)
        d = len(schema.features)
        m = max(2, count_features(self.max_features, d))
        if self.training_method == "resampling" or m >= d:
            m = d
        resamples = self.training_method != "subspaces" or m == d
        self._replacing = Replacing(
            float(self.warning_delta), float(self.drift_delta),
            poisson_steps(float(self.lambda_value)) if resamples else np.empty(0),
            background_resamples=True, keeps_background=self.compat == "moa",
        )  # fmt: skip
        first: list[list[int]] | list[None] = [None] * self.n_models
        if m < d <= _MOST_DISTINCT:
            first = _distinct_subspaces(d, m, self.n_models, seed)
        self._members = [_new_member(schema, m, each, seed, i) for i, each in enumerate(first)]


def _new_member(
    schema: Schema, m: int, subspace: list[int] | None, seed: int, i: int
) -> BackgroundMember:
    """Return a member whose tree observes a subspace of m features, drawn if not given."""
    n_subspaces = 2 if m < len(schema.features) else 0  # of the tree and the background tree
    pools = new_pools(schema, m, new_rng(seed, i), n_subspaces=n_subspaces, first_splits=4)
    if subspace is not None:
        pools.allocator.subspaces[0] = subspace
    elif n_subspaces:
        draw_features(pools.allocator, pools.allocator.subspaces, 0)
    return BackgroundMember(pools, new_adwins(2), np.array([new_tree(pools), -1]), np.zeros(2))


def _distinct_subspaces(d: int, m: int, n_models: int, seed: int) -> list[list[int]]:
    """Draw m of d features for each member; none twice, unless all have been drawn."""
    total = math.comb(d, m)
    random = uniform(np.arange(max(total, n_models)), seed, n_models)
    ranks = np.argsort(random, kind="stable")[:n_models] % total
    return [_combination(d, m, int(rank)) for rank in ranks]


def _combination(d: int, m: int, rank: int) -> list[int]:
    """Return the combination of m of d features at this place in lexicographic order."""
    chosen: list[int] = []
    for feature in range(d):
        with_it = math.comb(d - feature - 1, m - len(chosen) - 1) if len(chosen) < m else 0
        if rank < with_it:
            chosen.append(feature)
        else:
            rank -= with_it
    return chosen
