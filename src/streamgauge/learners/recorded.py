"""Recorded: predictions made elsewhere, which the stream carries as its first feature."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Schema
from streamgauge.learners.base import CompiledLearner, Events


class Recorded(CompiledLearner):
    """Recorded predictions: predicts the value of the first feature; NaN abstains.

    The other features, if any, are the class probabilities.
    """

    task = None
    remedy = "give it the last revealed label as a feature"

    def __init__(self, name: str = "prediction") -> None:
        self.name = name

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema

    @property
    def nbytes(self) -> int:
        return 0

    def play(self, events: Events) -> None:
        if self._schema.regression:
            _play_regression(events)
        else:
            _play_labels(events)

    def __repr__(self) -> str:
        return self.name


@kernel
def _play_labels(events: Events) -> None:
    X, _, ops, slots, _, _, label, proba = events
    k = proba.shape[1]
    has_proba = X.shape[1] - 1 == k
    for e in range(len(ops)):
        if ops[e] != LEARN:
            code = X[slots[e], 0]
            label[e] = -1 if np.isnan(code) else np.int32(code)
            if len(proba):
                for c in range(k):
                    sure = np.nan if label[e] < 0 else (1.0 if c == label[e] else 0.0)
                    proba[e, c] = X[slots[e], 1 + c] if has_proba else sure


@kernel
def _play_regression(events: Events) -> None:
    X, _, ops, slots, _, _, label, _ = events
    for e in range(len(ops)):
        if ops[e] != LEARN:
            label[e] = X[slots[e], 0]
