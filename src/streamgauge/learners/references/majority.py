"""Majority: the most frequent revealed label, under any forgetting (semantics §5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Codes, Floats, Longs, Schema
from streamgauge.learners.base import CompiledLearner, Events, check_start, state_bytes
from streamgauge.measures.reference import Reference


class _State(NamedTuple):
    counts: Floats
    last: Codes  # the labels in the window, as a ring; empty without one
    seen: Longs  # one number: how many labels the ring has seen; 0 = none yet


class Majority(CompiledLearner):
    """Abstains before any label; ties go to the lowest class.

    `window` counts the last so many labels, `fading` is what each label keeps from row to row;
    `start_as` is what to answer before any label (MOA's starts as class 0).
    """

    as_reference = Reference("Majority", "guessing the majority class", tie_rank=1)

    def __init__(
        self,
        window: int | None = None,
        fading: float | None = None,
        start_as: int | None = None,
    ) -> None:
        if window is not None and fading is not None:
            raise UsageError("Majority: give window or fading, not both")
        if window is not None and window < 1:
            raise UsageError(f"Majority(window={window}): a window holds at least one label")
        if fading is not None and not 0 < fading <= 1:
            raise UsageError(f"Majority(fading={fading}): 0 < fading <= 1")
        self._window, self._fading, self._start_as = window, fading, start_as

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        check_start(self._start_as, schema)
        self._state = _State(
            np.zeros(len(schema.classes)),
            np.empty(self._window or 0, np.int32),
            np.zeros(1, np.int64),
        )

    @property
    def nbytes(self) -> int:
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        before = -1 if self._start_as is None else self._start_as
        _play(events, self._state, self._fading or 1.0, before)

    def __repr__(self) -> str:
        given = {"window": self._window, "fading": self._fading, "start_as": self._start_as}
        shown = ", ".join(f"{name}={value}" for name, value in given.items() if value is not None)
        return f"Majority({shown})"


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
            if plain:  # no branch on the label: which comes next cannot be foreseen
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
