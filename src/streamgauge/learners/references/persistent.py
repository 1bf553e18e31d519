"""Persistent: the label revealed last, the reference of kappa_temporal (semantics §5)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Longs, Schema
from streamgauge.learners.base import CompiledLearner, Events, check_start
from streamgauge.measures.reference import Reference


class Persistent(CompiledLearner):
    """Abstains before any label. `start_as` is a label to begin with (MOA's No-Change: 0).

    `oracle=True` is MOA's baseline under delay: it is *told* the label of the row before, revealed
    or not. That is peeking, and meant: a reference that nobody could run.
    """

    as_reference = Reference(
        "Persistent", "repeating the last label", uses_label_order=True, tie_rank=0
    )

    def __init__(self, start_as: int | None = None, oracle: bool = False) -> None:
        self._start_as, self._oracle = start_as, oracle

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        check_start(self._start_as, schema)
        self._last = np.full(1, -1 if self._start_as is None else self._start_as, np.int64)
        self._told = np.empty(0, np.int64)

    @property
    def nbytes(self) -> int:
        return self._last.nbytes

    def play(self, events: Events) -> None:
        if self._oracle and len(self._told) < len(events.y):
            more = np.empty(len(events.y) - len(self._told), np.int64)
            self._told = np.concatenate([self._told, more])
        _play(events, self._last, self._told, self._oracle)

    def __repr__(self) -> str:
        start = [] if self._start_as is None else [f"start_as={self._start_as}"]
        return f"Persistent({', '.join(start + ['oracle=True'] * self._oracle)})"


NoChange = Persistent  # as bifet2013 and MOA call it


@kernel
def _play(events: Events, last: Longs, told: Longs, oracle: bool) -> None:
    _, y, ops, slots, homes, weight, label, proba = events
    known = last[0]
    for e in range(len(ops)):
        if ops[e] != LEARN:
            said = known
            if oracle and ops[e] == PREDICT:
                told[homes[e]] = known
                known = y[slots[e]] if y[slots[e]] >= 0 else known
            elif oracle:  # asked again, it must not be told the row's own label
                said = told[homes[e]]
            label[e] = said
            if len(proba):
                for c in range(proba.shape[1]):
                    proba[e, c] = np.nan if said < 0 else (1.0 if c == said else 0.0)
        elif weight[e] > 0 and not oracle:
            known = y[slots[e]]
    last[0] = known
