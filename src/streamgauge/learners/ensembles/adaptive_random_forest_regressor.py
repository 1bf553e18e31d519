"""The adaptive random forest for regression (ARF-Reg)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Flags, Floats, Schema, Targets
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.trees._regression_events import Member, in_forest, play_all
from streamgauge.learners.trees._regression_nodes import new_trees, tree_bytes
from streamgauge.learners.trees._regression_params import Params

_MEAN_WEIGHT = 6.0  # of the Poisson distributed weight of a row in a tree
_MIN_WEIGHT = 5 * _MEAN_WEIGHT  # on either side of a split: five rows
_MAX_BINS = 64
_BUFFER_ROWS = 8
_NEVER = 1e-300  # a delta at which an ADWIN never raises an alarm
_BATCH_EVENTS = 1 << 16  # the trees' predictions are kept for this many events at a time


class AdaptiveRandomForestRegressor(CompiledLearner):
    """The mean answer of n regression trees with means at their leaves.

    Each tree weighs each row by its own Poisson(6) number, and each of its leaves watches a share
    `features` of all features, drawn for it. Two ADWINs follow the tree's answers: when the one at
    `warning` sees a change, a new tree starts to learn in the background (rows count once there);
    when the one at `drift` does, that tree, or else an empty one, takes the place (0: never). The
    trees are `HoeffdingTreeRegressor`s, adapting inside too. `jobs` threads share the trees, with
    the same result. Defaults are CapyMOA's, but for the number of trees (100 there).

    >>> AdaptiveRandomForestRegressor(5)
    AdaptiveRandomForestRegressor(n=5)
    """

    task = "regression"

    def __init__(
        self,
        n: int = 10,
        features: float = 0.6,
        grace: int = 50,
        delta: float = 0.01,
        tie: float = 0.05,
        warning: float = 0.01,
        drift: float = 0.001,
        jobs: int = 1,
    ) -> None:
        for name, value in (("n", n), ("grace", grace), ("jobs", jobs)):
            check_whole(f"AdaptiveRandomForestRegressor({name})", value)
        self._given: dict[str, Any] = {
            "n": n, "features": features, "grace": grace, "delta": delta, "tie": tie,
            "warning": warning, "drift": drift, "jobs": jobs,
        }  # fmt: skip
        if n < 1 or jobs < 1 or not 0 < features <= 1:
            raise UsageError(f"{self}: expected n >= 1, jobs >= 1 and 0 < features <= 1")
        if grace < 1 or not tie >= 0:
            raise UsageError(f"{self}: expected grace >= 1 and tie >= 0")
        if not (0 < delta < 1 and 0 <= warning < 1 and 0 <= drift < 1):
            raise UsageError(
                f"{self}: expected delta, warning and drift between 0 and 1 (drift=0: no ADWIN)"
            )
        self._n, self._share, self._jobs = int(n), float(features), int(jobs)
        self._params = Params(
            float(grace), float(delta), float(tie), _MIN_WEIGHT, _MAX_BINS, 0.0, 0.0, 0.005, 50.0
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        d = len(schema.features)
        leaf_features = min(d, max(1, round(self._share * d)))
        seeds = np.random.SeedSequence(seed).generate_state(self._n)
        warning, drift = (max(_NEVER, float(self._given[level])) for level in ("warning", "drift"))
        self._members = [
            Member(
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
        for start in range(0, len(events.ops), _BATCH_EVENTS):
            batch = events.cut(start, start + _BATCH_EVENTS)
            predictions = np.empty((self._n, len(batch.ops)))
            own_events = [batch._replace(label=own) for own in predictions]
            if self._jobs == 1:
                played = list(map(play_all, own_events, self._members))
            else:
                with ThreadPoolExecutor(self._jobs) as threads:
                    played = list(threads.map(play_all, own_events, self._members))
            self._members = played
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
