"""Toy streams and learners."""

from __future__ import annotations

from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge._support.types import Floats, Schema


def timed(arrives: Any, revealed: Any = None) -> sg.Stream:
    n = len(arrives)
    y = [i % 2 for i in range(n)]
    return sg.from_arrays(np.zeros((n, 1)), y, arrives=arrives, revealed=revealed)


class Fixed:
    """Always predicts the value it was created with."""

    def __init__(self, prediction: Any) -> None:
        self.prediction = prediction

    def start(self, schema: Schema, seed: int) -> None: ...

    def predict(self, X: Floats) -> Any:
        return np.array([self.prediction] * len(X), float)

    def learn(self, X: Any, y: Any, w: Any) -> None: ...
