"""LED as MOA draws it."""

from __future__ import annotations

from streamgauge._support.java_random import java_below
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Codes, Floats, Longs


@lean_kernel
def draw_digits(
    state: Longs, segments: Floats, noise: int, places: Longs, X: Floats, y: Codes
) -> None:
    """Draw rows; `noise` is a percentage, and feature j is written to places[j]."""
    n_segments = segments.shape[1]
    for i in range(len(X)):
        digit = java_below(state, len(segments))
        for j in range(n_segments):
            lit = segments[digit, j]
            X[i, places[j]] = 1 - lit if java_below(state, 100) < noise else lit
        for j in range(n_segments, len(places)):
            X[i, places[j]] = java_below(state, 2)
        y[i] = digit
