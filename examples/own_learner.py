"""Your own learner, used by bench.toml: predicts the label of the nearest recent row."""

from __future__ import annotations

import numpy as np


class Nearest:
    """Nearest neighbour among the last `window_size` rows.

    A learner needs only the three methods below and no base class; see docs/learners.md.
    """

    def __init__(self, window_size: int) -> None:
        self.window_size = window_size

    def start(self, schema, seed):
        """Reset, for a stream of this schema."""
        self.n_classes = len(schema.classes)
        self.X, self.y = np.empty((0, len(schema.features))), np.empty(0, int)

    def predict(self, X):
        """Class probabilities, rows × classes; a NaN row abstains."""
        probabilities = np.full((len(X), self.n_classes), np.nan)
        if len(self.y):
            for i, row in enumerate(np.nan_to_num(X)):
                nearest = ((self.X - row) ** 2).sum(axis=1).argmin()
                probabilities[i] = np.arange(self.n_classes) == self.y[nearest]
        return probabilities

    def learn(self, X, y, w):
        """Update with rows whose labels have been revealed."""
        self.X = np.concatenate([self.X, np.nan_to_num(X)])[-self.window_size :]
        self.y = np.concatenate([self.y, y])[-self.window_size :]
