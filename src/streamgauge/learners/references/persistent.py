"""Persistent: the label revealed last, the reference of kappa_temporal (semantics §5)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import LEARN, PREDICT, Longs, Schema
from streamgauge.learners.base import (
    REMEDY_WITHOUT_FEATURES,
    CompiledLearner,
    Events,
    check_start_as,
)
from streamgauge.measures.reference import Reference


class Persistent(CompiledLearner):
    """Persistent (no-change) classifier: predicts the label revealed last.

    Abstains before any label.

    Parameters
    ----------
    start_as
        Class code to predict before any label (0 for MOA's No-Change classifier).
    oracle
        MOA's baseline under delay: use the label of the previous row even if that label has not
        been revealed. This peeks on purpose, so it is a reference that cannot be run in practice.

    References
    ----------
    bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [0], [0], [0]], ["a", "b", "b", "a"])
    >>> run = sg.evaluate(stream, sg.Persistent())
    >>> run.predictions["prediction"].to_pylist()
    [None, 'a', 'b', 'b']
    """

    random = False
    as_reference = Reference(
        "Persistent", "repeating the last label", uses_label_order=True, tie_rank=0
    )
    remedy = REMEDY_WITHOUT_FEATURES
    has_probabilities = False

    moa_never_abstains = True

    def __init__(self, start_as: int | None = None, oracle: bool = False) -> None:
        self.start_as, self.oracle = start_as, oracle

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        check_start_as(self.start_as, schema)
        self._last = np.full(1, -1 if self.start_as is None else self.start_as, np.int64)
        self._used = np.empty(0, np.int64)  # [row_id]: its first prediction, for `oracle`

    @property
    def nbytes(self) -> int:
        return self._last.nbytes

    def play(self, events: Events) -> None:
        if self.oracle and len(self._used) < len(events.y):
            more = np.empty(len(events.y) - len(self._used), np.int64)
            self._used = np.concatenate([self._used, more])
        _play(events, self._last, self._used, self.oracle)


NoChange = Persistent  # its name in bifet2013 and MOA


@lean_kernel
def _play(events: Events, last: Longs, used: Longs, oracle: bool) -> None:
    _, y, ops, slots, row_ids, weight, label, proba = events
    newest = last[0]
    for e in range(len(ops)):
        if ops[e] != LEARN:
            predicted = newest
            if oracle and ops[e] == PREDICT:
                used[row_ids[e]] = newest
                newest = y[slots[e]] if y[slots[e]] >= 0 else newest
            elif oracle:  # predicted again: it must not use the row's own label
                predicted = used[row_ids[e]]
            label[e] = predicted
            if len(proba):
                for c in range(proba.shape[1]):
                    proba[e, c] = np.nan if predicted < 0 else (1.0 if c == predicted else 0.0)
        elif weight[e] > 0 and not oracle:
            newest = y[slots[e]]
    last[0] = newest
