"""Run events on any learner: in one call if it plays agendas, else by predict and learn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import LEARN, Codes, Flags, Floats, Longs, Targets
from streamgauge.learners.base import EventFailed, Events, Learner, Player, unguarded


class _Kinds(Protocol):
    """Events or an agenda: kinds of events and their weights."""

    @property
    def ops(self) -> Flags: ...

    @property
    def weight(self) -> Floats: ...


def run_events(learner: Learner | Player, events: Events) -> None:
    """Run events on a learner, in one call if it plays agendas."""
    if hasattr(learner, "play"):  # a Player; isinstance would look at every attribute each time
        learner.play(events)
    else:
        predict_and_learn(learner, events)


def predict_and_learn(learner: Learner, events: Events) -> None:
    """Run events by predict and learn; consecutive events of a kind become one call."""
    X, y, _, slots, _, weight, label, proba = events
    predict, learn = unguarded(learner.predict), unguarded(learner.learn)
    for predicted, learned in calls(learner, events):
        if len(predicted):
            try:
                predictions = _as_floats(predict(X[slots[predicted]]))
                expected = (len(predicted), proba.shape[1]) if proba.shape[1] else (len(predicted),)
                if predictions.shape != expected:
                    raise ValueError(
                        f"predict returned shape {predictions.shape}, expected {expected}"
                    )
            except Exception as error:
                raise EventFailed(int(predicted[0])) from error
            label[predicted] = predictions if predictions.ndim == 1 else most_probable(predictions)
            if len(proba):
                proba[predicted] = predictions
        if len(learned):
            rows = slots[learned]
            try:
                learn(X[rows], y[rows], weight[learned])
            except Exception as error:  # a learner with a period changes at its last row only
                at = learned[-1] if getattr(learner, "period", 1) > 1 else learned[0]
                raise EventFailed(int(at)) from error


def _as_floats(predictions: Any) -> Floats:
    """Predictions as floats; what is masked is undefined."""
    if isinstance(predictions, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(predictions.astype(np.float64), np.nan))
    return np.asarray(predictions, np.float64)


def calls(learner: Learner, events: _Kinds) -> Iterator[tuple[Longs, Longs]]:
    """Yield pairs of arrays: the events predicted in one call, then those learned in one call.

    A call takes consecutive events of one kind or, for a learner that changes only after every
    `period`-th learned row, all events from one change to the next.
    """
    period = getattr(learner, "period", 1)
    learns = events.ops == LEARN
    if period > 1:
        learned = learner.pending + np.cumsum(learns & (events.weight > 0))  # type: ignore[attr-defined]
        changes = np.flatnonzero(np.diff(learned // period, prepend=learner.pending // period)) + 1  # type: ignore[attr-defined]
    else:
        changes = np.flatnonzero(np.diff(learns.astype(np.int8)) < 0) + 1
    for start, stop in pairwise([0, *changes.tolist(), len(learns)]):
        part = learns[start:stop]
        predicts, updates = start + np.flatnonzero(~part), start + np.flatnonzero(part)
        yield predicts, updates[events.weight[updates] > 0]


def most_probable(probabilities: Floats) -> Codes:
    """The class of the highest probability, ties to the lowest code; a NaN row abstains."""
    abstains = np.isnan(probabilities).any(axis=1)
    return np.where(abstains, -1, np.argmax(probabilities, axis=1)).astype(np.int32)


def check_labels(ops: Flags, label: Targets, k: int) -> None:
    """Raise at the first event whose predicted label is not a class code."""
    wrong = _first_wrong_label(ops, label, k)
    if wrong >= 0:
        raise EventFailed(wrong) from ValueError(
            f"predicted class code {label[wrong]}; expected 0 to {k - 1}, or -1 to abstain"
        )


def check_probabilities(ops: Flags, proba: Floats) -> None:
    """Raise at the first event whose prediction is not a probability distribution."""
    wrong = _first_wrong_probabilities(ops, proba)
    if wrong >= 0:
        raise EventFailed(wrong) from ValueError(
            f"predicted probabilities {proba[wrong]}; expected values in 0..1 that sum to 1, "
            "or all NaN to abstain"
        )


@lean_kernel
def _first_wrong_label(ops: Flags, label: Codes, k: int) -> int:
    """Return the first event whose label is not a class code, -1 if all are valid.

    Later, labels are used as unchecked indices.
    """
    wrong = 0
    for e in range(len(ops)):  # counted first, which is vectorised
        wrong += (ops[e] != LEARN) & ((label[e] < -1) | (label[e] >= k))
    if wrong == 0:
        return -1
    for e in range(len(ops)):
        if ops[e] != LEARN and (label[e] < -1 or label[e] >= k):
            return e
    return -1


@lean_kernel
def _first_wrong_probabilities(ops: Flags, proba: Floats) -> int:
    """Return the first event whose probabilities are invalid, -1 if all are valid.

    All NaN means that the learner abstains; all 0, that a product underflowed.
    """
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        missing, total, outside = 0, 0.0, False
        for c in range(proba.shape[1]):
            p = proba[e, c]
            missing += np.isnan(p)
            outside |= p < 0 or p > 1
            total += p
        if missing == proba.shape[1]:
            continue
        if missing or outside or (total != 0 and abs(total - 1) > 1e-6):
            return e
    return -1
