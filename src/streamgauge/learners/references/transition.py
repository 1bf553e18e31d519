"""Transition: the most frequent successor of the label revealed last (semantics §5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import LEARN, PREDICT, Codes, Floats, Longs, Schema
from streamgauge.learners.base import REMEDY_WITHOUT_FEATURES, Events, Guarded, state_bytes
from streamgauge.measures.reference import Reference


class _TransitionState(NamedTuple):
    pairs: Floats  # [c, i]: rows labelled i that were predicted while c was the last label
    best: Longs  # [c]: its most frequent i; -1 = unseen
    counts: Floats  # of the revealed labels
    last: Longs  # [the label revealed last, the most frequent label]
    seen_then: Codes  # [row_id]: the label revealed last when its row was first predicted


class Transition(Guarded, Parametrized):
    """Transition (label Markov chain): predicts the most frequent successor of the last label.

    Predicts the majority class where the last label has no known successor. Abstains before any
    label.

    For each waiting row it remembers which label was the last one at the row's first prediction, so
    that it learns transitions at the same lag at which it predicts them. It therefore plays agendas
    only: plain predict and learn do not identify the row.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0]] * 5, ["a", "b", "a", "b", "a"])
    >>> run = sg.evaluate(stream, sg.Transition())
    >>> run.predictions["prediction"].to_pylist()  # the last two know what follows
    [None, 'a', 'a', 'b', 'a']
    """

    random = False
    as_reference = Reference(
        "Transition",
        "guessing the usual successor of the last label",
        uses_label_order=True,
        tie_rank=2,
    )
    remedy = REMEDY_WITHOUT_FEATURES

    task = "classification"

    def start(self, schema: Schema, seed: int) -> None:
        k = len(schema.classes)
        self._state = _TransitionState(
            np.zeros((k, k)),
            np.full(k, -1, np.int64),
            np.zeros(k),
            np.full(2, -1, np.int64),
            np.empty(0, np.int32),
        )

    @property
    def nbytes(self) -> int:
        """The counts of label pairs and what each waiting row knew, in bytes."""
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        missing = len(events.y) - len(self._state.seen_then)
        if missing > 0:
            longer = np.concatenate([self._state.seen_then, np.full(missing, -1, np.int32)])
            self._state = self._state._replace(seen_then=longer)
        _play(events, self._state)


@lean_kernel
def _play(events: Events, state: _TransitionState) -> None:
    _, y, ops, slots, row_ids, weight, label, proba = events
    pairs, best, counts, ends, seen_then = state
    k = len(counts)
    last, most = ends[0], ends[1]
    for e in range(len(ops)):
        row_id = np.uint64(
            row_ids[e]
        )  # unsigned: numba need not ask whether it counts from the end
        if ops[e] != LEARN:
            if ops[e] == PREDICT:
                seen_then[row_id] = last
            c = last if ops[e] == PREDICT else seen_then[row_id]
            follows = c >= 0 and best[c] >= 0
            label[e] = best[c] if follows else most
            if len(proba):
                total = 0.0
                for i in range(k):
                    proba[e, i] = pairs[c, i] if follows else counts[i]
                    total += proba[e, i]
                for i in range(k):
                    proba[e, i] = proba[e, i] / total if total > 0 else np.nan
        elif weight[e] > 0:
            i, c = y[np.uint64(slots[e])], seen_then[row_id]
            count = counts[np.uint64(i)] + weight[e]
            counts[np.uint64(i)] = count
            if most < 0:
                most = i
            # No branch on the label: it cannot be predicted.
            highest = counts[np.uint64(most)]
            most = i if (count > highest) | ((count == highest) & (i < most)) else most
            if c >= 0:
                count = pairs[np.uint64(c), np.uint64(i)] + weight[e]
                pairs[np.uint64(c), np.uint64(i)] = count
                top = best[np.uint64(c)]
                top = top if top >= 0 else i
                highest = pairs[np.uint64(c), np.uint64(top)]
                more = (count > highest) | ((count == highest) & (i < top))
                best[np.uint64(c)] = i if more else top
            last = i
    ends[0] = last
    ends[1] = most
