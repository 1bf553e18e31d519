"""Majority: the most frequent revealed label, under any forgetting (semantics §5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.growing import grown
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import LEARN, Codes, Floats, Longs, Schema
from streamgauge.learners._label_forgetting import kept_labels
from streamgauge.learners.base import (
    REMEDY_WITHOUT_FEATURES,
    CompiledLearner,
    Events,
    check_start_as,
    state_bytes,
)
from streamgauge.measures.forgetting import Cumulative, Forgetting
from streamgauge.measures.reference import Reference

_ALL = Cumulative()


class _MajorityState(NamedTuple):
    counts: Floats
    last: Codes  # the labels in the window, a ring buffer that grows; empty without a window
    last_weight: Floats
    seen: Longs  # [0]: labels counted; without window or fading, 1 once there is any


class Majority(CompiledLearner):
    """Majority class: predicts the most frequent revealed label.

    Ties go to the lowest class. Abstains before any label.

    Parameters
    ----------
    forget
        Which labels count: all of them (`Cumulative()`), the last w (`Window(w)`), or all with
        weights that fade (`Fading(a)`). A learner does not see times, so there is no `TimeWindow`.
    start_as
        Class code to predict before any label (MOA starts with class 0).

    References
    ----------
    bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [0], [0], [0]], ["a", "b", "b", "b"])
    >>> run = sg.evaluate(stream, sg.Majority())
    >>> run.predictions["prediction"].to_pylist()
    [None, 'a', 'a', 'b']
    >>> run = sg.evaluate(stream, sg.Majority(forget=sg.Window(1)))
    >>> run.predictions["prediction"].to_pylist()
    [None, 'a', 'b', 'b']
    """

    random = False
    as_reference = Reference("Majority", "guessing the majority class", tie_rank=1)
    remedy = REMEDY_WITHOUT_FEATURES

    def __init__(self, forget: Forgetting = _ALL, start_as: int | None = None) -> None:
        self._kept = kept_labels(forget, "Majority")
        self.forget, self.start_as = forget, start_as

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        check_start_as(self.start_as, schema)
        self._state = _MajorityState(
            np.zeros(len(schema.classes)),
            np.empty(0, np.int32),
            np.empty(0),
            np.zeros(1, np.int64),
        )

    @property
    def nbytes(self) -> int:
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        before = -1 if self.start_as is None else self.start_as
        state, size = self._state, self._kept.window
        if len(state.last) < size:
            needed = int(state.seen[0]) + len(events.ops)
            self._state = state._replace(
                last=grown(state.last, needed, size),
                last_weight=grown(state.last_weight, needed, size),
            )
        _play(events, self._state, self._kept.fading, size, before)


@inlined
def _largest(counts: Floats) -> int:
    """Return the first of the largest counts; argmax takes longer to compile."""
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best]:
            best = c
    return best


@lean_kernel
def _play(events: Events, state: _MajorityState, keep: float, size: int, before: int) -> None:
    _, y, ops, slots, _, weight, label, proba = events
    counts, last, last_weight, seen = state
    k = len(counts)
    plain = keep == 1 and not size
    best = _largest(counts) if seen[0] else -1
    most = counts[best] if seen[0] else 0.0
    for e in range(len(ops)):
        if ops[e] != LEARN:
            label[e] = best if best >= 0 else before
            if len(proba):
                total = 0.0
                for c in range(k):
                    total += counts[c]
                for c in range(k):
                    sure = 1.0 if c == before else (np.nan if before < 0 else 0.0)
                    proba[e, c] = counts[c] / total if best >= 0 else sure
        elif weight[e] > 0:
            c = y[np.uint64(slots[e])]  # unsigned: it does not count from the end
            if plain:  # no branch on the label: it cannot be predicted
                count = counts[np.uint64(c)] + weight[e]
                counts[np.uint64(c)] = count
                better = (count > most) | ((count == most) & (c < best))
                best = c if better else best
                most = max(count, most)
                continue
            if size:
                place = seen[0] % size
                if seen[0] >= size:
                    counts[last[place]] -= last_weight[place]
                last[place] = c
                last_weight[place] = weight[e]
            else:
                for i in range(k):
                    counts[i] *= keep
            counts[c] += weight[e]
            seen[0] += 1
            best = _largest(counts)
    if plain and best >= 0:
        seen[0] = 1
