"""The streams on which learners are compared: the papers' real ones and generated ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import streamgauge as sg
from streamgauge.streams.frames import ArrayStream

ROWS = 30_000  # at most; longer streams are cut
_GENERATED = 50_000  # rows of each generated stream


def friedman(rows: int, seed: int = 1) -> sg.Stream:
    """Friedman's function: five of ten uniform features matter, plus unit noise."""
    random = np.random.default_rng(seed)
    X = random.random((rows, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    y += 10 * X[:, 3] + 5 * X[:, 4] + random.normal(size=rows)
    return sg.from_arrays(X, y, name="friedman", task="regression")


CLASSIFICATION: dict[str, Callable[[], sg.Stream]] = {
    "Elec2, 6 features": lambda: sg.load("elec2"),
    "Elec2, 8 features": lambda: sg.load("elec2", "all"),
    "covtype": lambda: sg.load("covtype"),
    "KDD99": lambda: sg.load("kdd99_10pct"),
    "airlines": lambda: sg.load("airlines"),
    "weather": lambda: sg.load("weather"),
    "SEA": lambda: sg.SEA(_GENERATED, seed=1, noise=0.1),
    "LED": lambda: sg.LED(_GENERATED, seed=1),
    "RBF": lambda: sg.RandomRBF(_GENERATED, seed=1),
    "RBF with drift": lambda: sg.RandomRBFDrift(_GENERATED, seed=1, change_speed=0.001),
}
REGRESSION: dict[str, Callable[[], sg.Stream]] = {
    "bike_hour": lambda: sg.load("bike_hour"),
    "Friedman": lambda: friedman(20_000),
}


def opened(name: str, rows: int) -> sg.Stream:
    """The first rows of a stream, in memory."""
    stream = {**CLASSIFICATION, **REGRESSION}[name]().take(rows)
    return ArrayStream(name, stream.schema, next(stream.blocks(rows)))
