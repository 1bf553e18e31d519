"""Mean: the mean of the revealed targets, a reference for regression (semantics §5)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.measures.reference import Reference


class Mean(CompiledLearner):
    """Mean target: predicts the mean of the revealed targets.

    Abstains before any target.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0]] * 4, [2.0, 4.0, 9.0, 1.0], task="regression")
    >>> run = sg.evaluate(stream, sg.Mean())
    >>> run.predictions["prediction"].to_pylist()[1:]  # the first row has no target before it
    [2.0, 3.0, 5.0]
    """

    random = False
    as_reference = Reference("Mean", "guessing the mean so far", tie_rank=1)

    task = "regression"
    _keeps_all = True

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._state = np.zeros(2)  # total weight, mean

    @property
    def nbytes(self) -> int:
        return self._state.nbytes

    def play(self, events: Events) -> None:
        _play(events, self._state, self._keeps_all)


@lean_kernel
def _play(events: Events, state: Floats, keeps_all: bool) -> None:
    _, y, ops, slots, _, weight, label, _ = events
    for e in range(len(ops)):
        if ops[e] != LEARN:
            label[e] = state[1] if state[0] > 0 else np.nan
        elif weight[e] > 0:
            state[0] = state[0] + weight[e] if keeps_all else weight[e]
            state[1] += (y[slots[e]] - state[1]) * (weight[e] / state[0])
