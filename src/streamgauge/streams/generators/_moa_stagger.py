"""STAGGER as MOA draws it."""

from __future__ import annotations

from streamgauge._support.java_random import java_below
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Codes, Floats, Longs


@lean_kernel
def draw_objects(state: Longs, labels: Codes, balanced: bool, X: Floats, y: Codes) -> None:
    """Draw rows; `labels` has the label of every object. Balanced: labels 1, 0, 1, 0 …"""
    for i in range(len(X)):
        while True:
            size, color, shape = java_below(state, 3), java_below(state, 3), java_below(state, 3)
            label = labels[size, color, shape]
            if not balanced or label == 1 - i % 2:
                break
        X[i, 0], X[i, 1], X[i, 2] = size, color, shape
        y[i] = label
