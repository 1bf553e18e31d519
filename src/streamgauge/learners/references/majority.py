"""Majority: the most frequent revealed label, under any forgetting (semantics §5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Codes, Floats, Longs, Schema
from streamgauge.learners.base import CompiledLearner, Events, check_start_as, state_bytes
from streamgauge.measures.reference import Reference


class _State(NamedTuple):
    counts: Floats
    last: Codes  # the labels in the window, a ring buffer; empty without a window
    seen: Longs  # [0]: labels counted; without window or fading, 1 once there is any


class Majority(CompiledLearner):
    """Majority class: predicts the most frequent revealed label.

    Ties go to the lowest class. Abstains before any label.

    Parameters
    ----------
    window_size
        Count only this many labels, the most recent ones.
    fading
        Multiply every count by this factor at each new label.
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
    """

    as_reference = Reference("Majority", "guessing the majority class", tie_rank=1)

    def __init__(
        self,
        window_size: int | None = None,
        fading: float | None = None,
        start_as: int | None = None,
    ) -> None:
        if window_size is not None and fading is not None:
            raise UsageError("Majority: expected window_size or fading, got both")
        if window_size is not None and window_size < 1:
            raise UsageError(f"Majority(window_size={window_size}): expected at least one label")
        if fading is not None and not 0 < fading <= 1:
            raise UsageError(f"Majority(fading={fading}): expected 0 < fading <= 1")
        self.window_size, self.fading, self.start_as = window_size, fading, start_as

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        check_start_as(self.start_as, schema)
        self._state = _State(
            np.zeros(len(schema.classes)),
            np.empty(self.window_size or 0, np.int32),
            np.zeros(1, np.int64),
        )

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        before = -1 if self.start_as is None else self.start_as
        _play(events, self._state, self.fading or 1.0, before)


@kernel
def _play(events: Events, state: _State, keep: float, before: int) -> None:
    _, y, ops, slots, _, weight, label, proba = events
    counts, last, seen = state
    k = len(counts)
    plain = keep == 1 and not len(last)
    best = np.argmax(counts) if seen[0] else -1
    most = counts[best] if seen[0] else 0.0
    for e in range(len(ops)):
        if ops[e] != LEARN:
            label[e] = best if best >= 0 else before
            if len(proba):
                total = counts.sum()
                for c in range(k):
                    sure = 1.0 if c == before else (np.nan if before < 0 else 0.0)
                    proba[e, c] = counts[c] / total if best >= 0 else sure
        elif weight[e] > 0:
            c = y[slots[e]]
            if plain:  # no branch on the label: it cannot be predicted
                count = counts[c] + weight[e]
                counts[c] = count
                better = (count > most) | ((count == most) & (c < best))
                best = c if better else best
                most = max(count, most)
                continue
            if len(last):
                place = seen[0] % len(last)
                if seen[0] >= len(last):
                    counts[last[place]] -= 1
                last[place] = c
                counts[c] += 1
            else:
                for i in range(k):
                    counts[i] *= keep
                counts[c] += weight[e]
            seen[0] += 1
            best = np.argmax(counts)
    if plain and best >= 0:
        seen[0] = 1
