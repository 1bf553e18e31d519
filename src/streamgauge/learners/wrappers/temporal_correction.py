"""TemporalCorrection: probabilities corrected by the label revealed last (zliobaite2015 §3.1)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Codes, Floats, Longs, Schema
from streamgauge.learners.base import EventFailed, Events
from streamgauge.learners.run_events import check_probabilities, run_events
from streamgauge.learners.wrappers._base import USES_LABELS, Wrapper


class _State(NamedTuple):
    pairs: Floats  # [c, i]: rows labelled i that were predicted while c was the last label
    counts: Floats  # of the revealed labels
    last: Longs  # [0]: the label revealed last, -1 = none
    seen_then: Codes  # [home]: the label revealed last when its row was first predicted


class TemporalCorrection(Wrapper):
    """Temporal correction: the base's probabilities corrected by the label revealed last.

    P(i | x, c) ∝ P(i | c) / P(i) · P_base(i | x), where c is the label revealed last (semantics
    §6). A row keeps the c of its first prediction when it is predicted again, so that transitions
    are learned at the same lag at which they are used. P(i | c) and P(i) are counts of revealed
    labels, plus one each. Before any label, and where the base abstains, its prediction is
    unchanged.

    The base is always asked for probabilities. If they are only 0 and 1, the correction has no
    effect.

    Parameters
    ----------
    base
        The classifier to wrap.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.inject(sg.SEA(2000, seed=1), order=2)
    >>> for run in sg.evaluate(stream, ["NaiveBayes", sg.TemporalCorrection("NaiveBayes")]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    NaiveBayes: 0.763
    TemporalCorrection(NaiveBayes()): 0.827
    """

    remedy = USES_LABELS

    def __init__(self, base: Any) -> None:
        super().__init__(base)

    def start(self, schema: Schema, seed: int) -> None:
        """Reset, for a stream of this schema."""
        k = len(schema.classes)
        self._state = _State(
            np.zeros((k, k)), np.zeros(k), np.full(1, -1, np.int64), np.empty(0, np.int32)
        )
        self._start_base(schema, schema, seed)

    @property
    def nbytes(self) -> int | None:
        """Size of the model in bytes."""
        return self._size(self._state.pairs, self._state.counts)

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        missing = len(events.y) - len(self._state.seen_then)
        if missing > 0:
            longer = np.concatenate([self._state.seen_then, np.full(missing, -1, np.int32)])
            self._state = self._state._replace(seen_then=longer)
        if not len(events.proba):
            k = len(self._state.counts)
            events = events._replace(proba=np.empty((len(events.ops), k)))
        try:
            run_events(self.base, events)
            # Checked before the correction, which would hide invalid probabilities.
            check_probabilities(events.ops, events.proba)
        except EventFailed as failed:
            _correct(events.cut(0, failed.event), self._state)
            raise
        _correct(events, self._state)


@kernel
def _correct(events: Events, state: _State) -> None:
    """Correct the base's predictions in place, by the labels known at each event."""
    _, y, ops, slots, homes, weight, label, proba = events
    pairs, counts, ends, seen_then = state
    k = len(counts)
    last = ends[0]
    for e in range(len(ops)):
        home = homes[e]
        if ops[e] == PREDICT:
            seen_then[home] = last
        c = seen_then[home]
        if ops[e] == LEARN:
            if weight[e] > 0:
                i = y[slots[e]]
                counts[i] += weight[e]
                if c >= 0:
                    pairs[c, i] += weight[e]
                last = i
        elif c >= 0 and not np.isnan(proba[e, 0]):
            # The totals behind P(i | c) and P(i) are the same for every i: they cancel.
            total = 0.0
            for i in range(k):
                proba[e, i] *= (pairs[c, i] + 1) / (counts[i] + 1)
                total += proba[e, i]
            if total > 0:  # else every product of the base underflowed: keep its prediction
                best = 0
                for i in range(k):
                    proba[e, i] /= total
                    if proba[e, i] > proba[e, best]:
                        best = i
                label[e] = best
    ends[0] = last
