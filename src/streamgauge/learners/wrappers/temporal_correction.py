"""TemporalCorrection: probabilities corrected by the label revealed last (zliobaite2015 §3.1)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.growing import grown
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Codes, Floats, Longs, Schema
from streamgauge.learners._label_forgetting import kept_labels
from streamgauge.learners.base import (
    EventFailed,
    Events,
    context_of,
    has_probabilities,
    name_of,
    shown_as,
)
from streamgauge.learners.run_events import check_probabilities, run_events
from streamgauge.learners.wrappers._base import Wrapper
from streamgauge.measures.forgetting import Cumulative, Forgetting

_ALL = Cumulative()
_RESCALE_ABOVE = 1e150
_WRONG_WITHOUT_DOUBT = 10  # successive such errors, after which a base has no probabilities


class _CorrectionState(NamedTuple):
    pairs: Floats  # [c, i]: rows labelled i that were predicted while c was the last label
    counts: Floats  # of the revealed labels
    unit: Floats  # [0]: what the newest label adds to them; it grows, so that older ones fade
    last: Longs  # [0]: the label revealed last, -1 = none
    seen_then: Codes  # [row_id]: the label revealed last when its row was first predicted
    window: Codes  # [place]: c and i of the labels in the window, a ring buffer that grows
    window_weight: Floats  # [place]: their weights
    seen: Longs  # [0]: labels counted
    doubt: Longs  # [0]: successive errors without doubt; -1 once a probability was neither 0 nor 1
    sure_then: (
        Longs  # [row_id]: the class its row's first prediction was sure of, and doubt[0] then
    )


class TemporalCorrection(Wrapper):
    """Temporal correction: the base's probabilities corrected by the label revealed last.

    P(i | x, c) ∝ P(i | c) / P(i) · P_base(i | x), where c is the label revealed last (semantics
    §6). A row keeps the c of its first prediction when it is predicted again, so that transitions
    are learned at the same lag at which they are used. P(i | c) and P(i) are counts of revealed
    labels, plus one each. Before any label, and where the base abstains, its prediction is
    unchanged.

    The base is always asked for probabilities. A base that predicts only 0 and 1, as with a hinge
    loss, is refused: at once if it is known, else as soon as it has been wrong without doubt ten
    times in succession, each time after it had learned from the last such error.

    Parameters
    ----------
    base
        The classifier to wrap.
    forget
        Which labels count: all of them (`Cumulative()`), the last w (`Window(w)`), or all with
        weights that fade (`Fading(a)`). A learner does not see times, so there is no `TimeWindow`.

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

    def __init__(self, base: Any, forget: Forgetting = _ALL) -> None:
        super().__init__(base)
        if not has_probabilities(self.base):
            raise UsageError(f"TemporalCorrection({name_of(self.base)}): {_why(self.base)}")
        self._kept = kept_labels(forget, "TemporalCorrection")
        self.forget = forget

    @property
    def remedy(self) -> str:
        """Advice where past labels are informative: another base learner."""
        other = super().remedy
        if other is None and context_of(self.base) == 1:
            other = f"try TemporallyAugmented({shown_as(self.base)}) or another base learner"
        return other or "try another base learner"

    def start(self, schema: Schema, seed: int) -> None:
        k = len(schema.classes)
        self._state = _CorrectionState(
            pairs=np.zeros((k, k)),
            counts=np.zeros(k),
            unit=np.ones(1),
            last=np.full(1, -1, np.int64),
            seen_then=np.empty(0, np.int32),
            window=np.empty((0, 2), np.int32),
            window_weight=np.empty(0),
            seen=np.zeros(1, np.int64),
            doubt=np.zeros(1, np.int64),
            sure_then=np.empty((0, 2), np.int64),
        )
        self._start_base(schema, schema, seed)

    @property
    def nbytes(self) -> int | None:
        state = self._state
        return self._size(state.pairs, state.counts, state.window, state.window_weight)

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        missing = len(events.y) - len(self._state.seen_then)
        if missing > 0:
            self._state = self._state._replace(
                seen_then=np.concatenate([self._state.seen_then, np.full(missing, -1, np.int32)]),
                sure_then=np.concatenate([self._state.sure_then, np.full((missing, 2), -1)]),
            )
        if not len(events.proba):
            k = len(self._state.counts)
            events = events._replace(proba=np.empty((len(events.ops), k)))
        try:
            run_events(self.base, events)
            # Checked before the correction, which would hide invalid probabilities.
            check_probabilities(events.ops, events.proba)
        except EventFailed as failed:
            self._correct(events.cut(0, failed.event))
            raise
        self._correct(events)

    def _correct(self, events: Events) -> None:
        state, size = self._state, self._kept.window
        needed = int(state.seen[0]) + len(events.ops)
        self._state = state._replace(
            window=grown(state.window, needed, size),
            window_weight=grown(state.window_weight, needed, size),
        )
        refused = _correct(events, self._state, 1 / self._kept.fading, size)
        if refused >= 0:
            raise EventFailed(refused) from UsageError(
                f"{_why(self.base)}; so far it has predicted nothing else, and been wrong "
                f"{_WRONG_WITHOUT_DOUBT} times in succession"
            )


def _why(base: object) -> str:
    other = f"TemporallyAugmented({shown_as(base)}), or " if context_of(base) == 1 else ""
    return (
        "expected a base learner with probabilities; this one predicts only 0 and 1, which no "
        f"correction can change: use {other}a loss that gives probabilities, such as log loss "
        "instead of hinge loss"
    )


@kernel
def _correct(events: Events, state: _CorrectionState, grow: float, size: int) -> int:
    """Correct the base's predictions in place, by the labels known at each event.

    `size` is that of the window, 0 without one. Returns the event at which the base turns out to
    have no probabilities, or -1.
    """
    _, y, ops, slots, row_ids, weight, label, proba = events
    pairs, counts, units, ends, seen_then, window, window_weight, seen, doubts, sure_then = state
    k = len(counts)
    last, unit, doubt = ends[0], units[0], doubts[0]
    refused = -1
    for e in range(len(ops)):
        row_id = row_ids[e]
        if ops[e] == PREDICT:
            seen_then[row_id] = last
        if doubt >= 0:
            doubt = _look_for_doubt(e, events, doubt, sure_then)
            if doubt == _WRONG_WITHOUT_DOUBT:
                refused = e
                break
        c = seen_then[row_id]
        if ops[e] == LEARN:
            if weight[e] > 0:
                i = y[slots[e]]
                if size:
                    place = seen[0] % size
                    if seen[0] >= size:
                        old_c, old_i = window[place, 0], window[place, 1]
                        counts[old_i] -= window_weight[place]
                        if old_c >= 0:
                            pairs[old_c, old_i] -= window_weight[place]
                    window[place, 0] = c
                    window[place, 1] = i
                    window_weight[place] = weight[e]
                unit *= grow
                if unit > _RESCALE_ABOVE:
                    for a in range(k):
                        counts[a] /= unit
                        for b in range(k):
                            pairs[a, b] /= unit
                    unit = 1.0
                counts[i] += weight[e] * unit
                if c >= 0:
                    pairs[c, i] += weight[e] * unit
                seen[0] += 1
                last = i
        elif c >= 0 and not np.isnan(proba[e, 0]):
            # The totals behind P(i | c) and P(i) are the same for every i: they cancel.
            total = 0.0
            for i in range(k):
                proba[e, i] *= (pairs[c, i] + unit) / (counts[i] + unit)
                total += proba[e, i]
            if total > 0:  # else every product of the base underflowed: keep its prediction
                best = 0
                for i in range(k):
                    proba[e, i] /= total
                    if proba[e, i] > proba[e, best]:
                        best = i
                label[e] = best
    ends[0] = last
    units[0] = unit
    doubts[0] = doubt
    return refused


@kernel
def _look_for_doubt(e: int, events: Events, doubt: int, sure_then: Longs) -> int:
    """The number of successive errors without doubt after event e; -1 once there was any doubt.

    Errors are successive if the base had learned from one before it made the next: a learner with
    probabilities does not stay without doubt, however late its labels are.
    """
    _, y, ops, slots, row_ids, weight, _, proba = events
    row_id = row_ids[e]
    if ops[e] == LEARN:
        sure, doubt_then = sure_then[row_id, 0], sure_then[row_id, 1]
        wrong = weight[e] > 0 and sure >= 0 and sure != y[slots[e]]
        return doubt + 1 if wrong and doubt_then == doubt else doubt
    sure = -1  # abstains
    for i in range(proba.shape[1]):
        p = proba[e, i]
        if p == 1:
            sure = i
        elif p != 0 and not np.isnan(p):
            return -1
    if ops[e] == PREDICT:
        sure_then[row_id, 0] = sure
        sure_then[row_id, 1] = doubt
    return doubt
