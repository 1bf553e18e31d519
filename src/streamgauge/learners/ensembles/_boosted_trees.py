"""The base of streaming gradient boosted trees, for classification and for regression."""

from __future__ import annotations

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Schema
from streamgauge.learners._parameters import MOST_MODELS
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.ensembles._boosting import (
    REGRESSION,
    Boosting,
    booster_bytes,
    draw_subspaces,
    new_booster,
    play_boosters,
    with_bags_of,
)
from streamgauge.learners.ensembles._features import MaxFeatures
from streamgauge.learners.trees._regression_params import ANY_DEPTH, RegressionParams

_MIN_WEIGHT = 5.0  # on either side of a split, as in MOA
_MAX_BINS = 64


class BoostedTrees(CompiledLearner):
    """Boosters of regression trees; one per class if there are more than two."""

    n_models: int
    max_features: MaxFeatures
    learning_rate: float
    grace_period: int
    delta: float
    tau: float
    max_depth: int | None
    n_jobs: int

    def _configure(self, bag_size: int) -> None:
        """Keep what kernels need."""
        if self.n_models * bag_size > MOST_MODELS:
            raise UsageError(f"{self}: expected n_models × bag_size <= {MOST_MODELS:,}")
        depth = ANY_DEPTH if self.max_depth is None else min(ANY_DEPTH, int(self.max_depth))
        tree = RegressionParams(
            float(self.grace_period), float(self.delta), float(self.tau), _MIN_WEIGHT, _MAX_BINS,
            depth,
        )  # fmt: skip
        self._settings: Boosting = with_bags_of(bag_size, float(self.learning_rate), tree)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        k, d = len(schema.classes), len(schema.features)
        subspaces = draw_subspaces(d, int(self.n_models), self.max_features, seed)
        # Two classes need one booster, which tells the first from the second.
        classes = range(k) if k > 2 else [0 if k else REGRESSION]
        self._boosters = [
            new_booster(schema, subspaces, self._settings.bag_size, c, seed) for c in classes
        ]

    @property
    def nbytes(self) -> int:
        return sum(map(booster_bytes, self._boosters))

    def play(self, events: Events) -> None:
        for part, scores in play_boosters(events, self._boosters, self._settings, self.n_jobs):
            self._answer(part, scores)

    def _answer(self, events: Events, scores: Floats) -> None:
        """Turn the boosters' scores into predictions."""
        raise NotImplementedError
