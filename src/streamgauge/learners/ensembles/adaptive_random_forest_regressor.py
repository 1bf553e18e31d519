"""The adaptive random forest for regression (ARF-Reg)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.declared import Declared
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Flags, Floats, Schema, Targets
from streamgauge.learners._parameters import Delta, GraceWeight, NJobs, NModels, Tau
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._features import LeafFeatures, count_features
from streamgauge.learners.trees._regression_events import RegressionMember, in_forest, play_all
from streamgauge.learners.trees._regression_nodes import new_trees, tree_bytes
from streamgauge.learners.trees._regression_params import ANY_DEPTH, RegressionParams

_MEAN_WEIGHT = 6.0  # of the Poisson distributed weight of a row in a tree
_MIN_WEIGHT = 5 * _MEAN_WEIGHT  # on either side of a split: five rows
_MAX_BINS = 64
_BUFFER_ROWS = 32  # most leaves split with fewer, and never need bins
_NEVER = 1e-300  # a delta at which an ADWIN never raises an alarm
_BATCH_EVENTS = 1 << 16  # the trees' predictions are kept for this many events at a time

_OffOrDelta = Annotated[float, Declared(least=0, below=1)]


class AdaptiveRandomForestRegressor(CompiledLearner):
    """Adaptive random forest for regression (ARF-Reg): the mean of regression trees.

    The trees are `HoeffdingTreeRegressor`s with means at their leaves, which also replace subtrees
    on drift. Each tree learns a row with its own Poisson(6) weight, and each leaf observes a random
    subset of the features. Two ADWINs watch the tree's predictions: on a warning a new tree starts
    to learn in the background, with weight 1 per row; on a drift that tree, or else an empty one,
    replaces it. Defaults are CapyMOA's, except that CapyMOA grows 100 trees.

    Parameters
    ----------
    warning_delta, drift_delta
        Significance levels of the ADWINs for warnings and for drifts; 0 switches an ADWIN off.

    References
    ----------
    gomes2018 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> X = np.random.default_rng(1).random((2000, 2))
    >>> stream = sg.from_arrays(X, 3 * X[:, 0] + (X[:, 1] > 0.5))
    >>> run = sg.evaluate(stream, sg.AdaptiveRandomForestRegressor(n_models=5))
    >>> print(f"MAE {run.summary['mae']:.3f}, of the mean {run.references['Mean']['mae']:.3f}")
    MAE 0.140, of the mean 0.834
    """

    task = "regression"

    def __init__(
        self,
        n_models: NModels = 10,
        max_features: LeafFeatures = 0.6,
        grace_period: GraceWeight = 50,
        delta: Delta = 0.01,
        tau: Tau = 0.05,
        warning_delta: _OffOrDelta = 0.01,
        drift_delta: _OffOrDelta = 0.001,
        n_jobs: NJobs = 1,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.max_features: LeafFeatures = max_features
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.warning_delta, self.drift_delta = warning_delta, drift_delta
        self._params = RegressionParams(
            float(grace_period), float(delta), float(tau), _MIN_WEIGHT, _MAX_BINS, ANY_DEPTH
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        leaf_features = count_features(self.max_features, len(schema.features))
        seeds = np.random.SeedSequence(seed).generate_state(int(self.n_models))
        warning = max(_NEVER, float(self.warning_delta))
        drift = max(_NEVER, float(self.drift_delta))
        self._members = [
            RegressionMember(
                new_trees(schema, 2, leaf_features, False, _BUFFER_ROWS, int(tree_seed)),
                self._params, in_forest(_MEAN_WEIGHT, warning, drift),
            )
            for tree_seed in seeds
        ]  # fmt: skip

    @property
    def nbytes(self) -> int:
        return sum(
            tree_bytes(each.trees) + state_bytes(each.ensembling.windows) for each in self._members
        )

    def play(self, events: Events) -> None:
        with helpers(self.n_jobs) as each:
            for batch in events.parts(_BATCH_EVENTS):
                predictions = np.empty((self.n_models, len(batch.ops)))
                own_events = [batch._replace(label=own) for own in predictions]
                self._members = list(each(play_all, own_events, self._members))
                _average(predictions, batch.ops, batch.label)


@kernel
def _average(predictions: Floats, ops: Flags, label: Targets) -> None:
    """Write the mean prediction of the trees that do not abstain to `label`."""
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        total, count = 0.0, 0
        for i in range(len(predictions)):
            if not np.isnan(predictions[i, e]):
                total += predictions[i, e]
                count += 1
        label[e] = total / count if count else np.nan
