"""The adaptive random forest for numbers (ARF-Reg): trees of different features and weights."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Flags, Floats, Schema, Targets
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.trees._regression_nodes import bytes_of_trees, new_trees
from streamgauge.learners.trees._regression_play import Member, go_through, new_watch
from streamgauge.learners.trees._regression_splits import Rule

_MEAN_WEIGHT = 6.0  # of a row at a member: a Poisson number
_LEAST = 5 * _MEAN_WEIGHT  # weight on either side of a split: five rows
_BINS = 64
_ROWS_WAITING = 8
_NEVER = 1e-300  # an ADWIN so sure raises no alarm
_PIECE = 1 << 16  # events whose votes are kept at a time


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
        self._rule = Rule(
            float(grace), float(delta), float(tie), _LEAST, _BINS, 0.0, 0.0, 0.005, 50.0
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        watched = min(len(schema.features), max(1, round(self._share * len(schema.features))))
        seeds = np.random.SeedSequence(seed).generate_state(self._n)
        warning, drift = (max(_NEVER, float(self._given[level])) for level in ("warning", "drift"))
        self._members = [
            Member(
                new_trees(schema, 2, watched, False, _ROWS_WAITING, int(each)),
                self._rule, new_watch(_MEAN_WEIGHT), warning, drift,
            )
            for each in seeds
        ]  # fmt: skip

    @property
    def nbytes(self) -> int:
        return sum(
            bytes_of_trees(each.trees) + state_bytes(each.watch.windows) for each in self._members
        )

    def play(self, events: Events) -> None:
        for start in range(0, len(events.ops), _PIECE):
            piece = events.cut(start, start + _PIECE)
            votes = np.empty((self._n, len(piece.ops)))
            jobs = [piece._replace(label=own) for own in votes]
            if self._jobs == 1:
                played = list(map(go_through, jobs, self._members))
            else:
                with ThreadPoolExecutor(self._jobs) as threads:
                    played = list(threads.map(go_through, jobs, self._members))
            self._members = played
            _average(votes, piece.ops, piece.label)


@kernel
def _average(votes: Floats, ops: Flags, label: Targets) -> None:
    """Of the trees that have an answer."""
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        total, count = 0.0, 0
        for i in range(len(votes)):
            if not np.isnan(votes[i, e]):
                total += votes[i, e]
                count += 1
        label[e] = total / count if count else np.nan
