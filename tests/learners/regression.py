"""Regression streams, and a learner compared with its oracle on them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, Floats
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import example_stream
from tests.playing import POLICIES, agendas


class Oracle(Protocol):
    def predict(self, x: list[float]) -> float: ...

    def learn(self, x: list[float], y: float, w: float) -> None: ...


def drifting(rows: int, seed: int) -> sg.Stream:
    """Numbers, nominal features of few and of many values, and gaps.

    Half-way what they say of the target turns round.
    """
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.integers(0, 40, rows) / 8,
            random.integers(0, 3, rows),
            random.normal(size=rows).round(3),
            np.arange(rows),
            random.integers(0, 9, rows) * 7 + random.integers(0, 2, rows),
        ]
    )
    sign = np.where(np.arange(rows) < rows // 2, 1.0, -3.0)
    y = sign * (X[:, 0] > 2) + (X[:, 1] == 1) + (X[:, 4] == 14) + 0.2 * random.normal(size=rows)
    X[random.random(X.shape) < 0.03] = np.nan
    colours, places = ("blue", "green", "red"), tuple(map(str, range(60)))
    schema = sg.Schema(("a", "b", "c", "d", "e"), ((), colours, (), (), places), ())
    return ArrayStream("drifting", schema, sg.Block(0, X, y))


def compare(learner: CompiledLearner, oracle: Oracle, stream: sg.Stream, policy: Any, size: int,
            weights: Floats) -> None:  # fmt: skip
    """Every answer, event by event; the learner has been started."""
    ours, theirs = [], []
    for room, (ops, slots, row_ids, ids, weight, _, _) in agendas(stream, policy, size):
        label, heavy = np.empty(len(ops)), weight * weights[ids % len(weights)]
        learner.play(Events(room.X, room.y, ops, slots, row_ids, heavy, label, np.empty((0, 0))))
        for e, slot in enumerate(slots):
            x = room.X[slot].tolist()
            if ops[e] != LEARN:
                ours.append(label[e])
                theirs.append(oracle.predict(x))
            elif heavy[e] > 0:
                oracle.learn(x, float(room.y[slot]), float(heavy[e]))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


cases = given(
    seed=st.integers(0, 1000),
    grace=st.sampled_from([10, 40]),
    loose=st.booleans(),
    policy=st.sampled_from(POLICIES),
    size=st.sampled_from([1, 7, 64, 1000]),
    weights=st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0]), min_size=1, max_size=4),
    plain=st.booleans(),
)


def stream_of(plain: bool, seed: int, policy: Any, rows: int) -> sg.Stream:
    timed = isinstance(policy, sg.FromStream)
    return example_stream(rows, seed, regression=True) if plain or timed else drifting(rows, seed)


def friedman(rows: int, seed: int = 1) -> sg.Stream:
    random = np.random.default_rng(seed)
    X = random.random((rows, 10))
    curve = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return sg.from_arrays(X, curve + 10 * X[:, 3] + 5 * X[:, 4] + random.normal(size=rows))


def same(one: sg.Run, other: sg.Run) -> bool:
    first, second = (run.predictions["prediction"].to_numpy() for run in (one, other))
    return np.array_equal(first, second, equal_nan=True)
