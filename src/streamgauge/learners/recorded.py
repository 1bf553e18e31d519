"""Recorded: predictions made elsewhere, which the stream carries as features."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Schema
from streamgauge.learners.base import CompiledLearner, Events


class Recorded(CompiledLearner):
    """Recorded predictions: predicts the value of a feature; NaN abstains.

    Parameters
    ----------
    name
        The name in tables.
    column
        The feature that holds the predictions.
    probabilities
        Whether the features after it are the class probabilities.
    """

    task = None
    remedy = "give it the last revealed label as a feature"

    def __init__(
        self, name: str = "prediction", column: int = 0, probabilities: bool = False
    ) -> None:
        self.name = name
        self.column, self.probabilities = column, probabilities

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema

    @property
    def nbytes(self) -> int:
        return 0

    def play(self, events: Events) -> None:
        if self._schema.regression:
            _play_regression(events, self.column)
        else:
            _play_labels(events, self.column, self.probabilities)

    def __repr__(self) -> str:
        return self.name


@kernel
def _play_labels(events: Events, column: int, has_proba: bool) -> None:
    X, _, ops, slots, _, _, label, proba = events
    k = proba.shape[1]
    for e in range(len(ops)):
        if ops[e] != LEARN:
            code = X[slots[e], column]
            label[e] = -1 if np.isnan(code) else np.int32(code)
            if len(proba):
                for c in range(k):
                    sure = np.nan if label[e] < 0 else (1.0 if c == label[e] else 0.0)
                    proba[e, c] = X[slots[e], column + 1 + c] if has_proba else sure


@kernel
def _play_regression(events: Events, column: int) -> None:
    X, _, ops, slots, _, _, label, _ = events
    for e in range(len(ops)):
        if ops[e] != LEARN:
            label[e] = X[slots[e], column]
