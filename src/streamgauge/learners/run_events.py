"""Events on any learner: in one call where it can play, else merged into predict and learn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Protocol

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Codes, Flags, Floats, Longs, Targets
from streamgauge.learners.base import EventFailed, Events, Learner, Player


class _Kinds(Protocol):
    """Events or an agenda: what is done, and how much it counts."""

    @property
    def ops(self) -> Flags: ...

    @property
    def weight(self) -> Floats: ...


def go_through(learner: Learner | Player, events: Events) -> None:
    """Let a learner go through events, in one call if it can."""
    if hasattr(learner, "play"):  # a Player; isinstance would look at every attribute each time
        learner.play(events)
    else:
        step(learner, events)


def step(learner: Learner, events: Events) -> None:
    """The generic path: events that may be merged become one call."""
    X, y, _, slots, _, weight, label, proba = events
    for asked, taught in calls(learner, events):
        if len(asked):
            try:
                answers = np.asarray(learner.predict(X[slots[asked]]), np.float64)
                expected = (len(asked), proba.shape[1]) if proba.shape[1] else (len(asked),)
                if answers.shape != expected:
                    raise ValueError(f"predict gave shape {answers.shape}, expected {expected}")
            except Exception as error:
                raise EventFailed(int(asked[0])) from error
            label[asked] = answers if answers.ndim == 1 else most_probable(answers)
            if len(proba):
                proba[asked] = answers
        if len(taught):
            rows = slots[taught]
            try:
                learner.learn(X[rows], y[rows], weight[taught])
            except Exception as error:
                raise EventFailed(int(taught[0])) from error


def calls(learner: Learner, events: _Kinds) -> Iterator[tuple[Longs, Longs]]:
    """Which events are asked together, then which are taught together.

    Consecutive ones of a kind; of a learner that changes only after every `period`-th lesson, all
    from one change to the next.
    """
    period = getattr(learner, "period", 1)
    learns = events.ops == LEARN
    if period > 1:
        lessons = learner.pending + np.cumsum(learns & (events.weight > 0))  # type: ignore[attr-defined]
        changes = np.flatnonzero(np.diff(lessons // period, prepend=learner.pending // period)) + 1  # type: ignore[attr-defined]
    else:
        changes = np.flatnonzero(np.diff(learns.astype(np.int8)) < 0) + 1
    for start, stop in pairwise([0, *changes.tolist(), len(learns)]):
        part = learns[start:stop]
        asked, taught = start + np.flatnonzero(~part), start + np.flatnonzero(part)
        yield asked, taught[events.weight[taught] > 0]


def most_probable(probabilities: Floats) -> Codes:
    """The class of the highest probability, ties to the lowest code; a NaN row abstains."""
    abstains = np.isnan(probabilities).any(axis=1)
    return np.where(abstains, -1, np.argmax(probabilities, axis=1)).astype(np.int32)


def check_labels(ops: Flags, label: Targets, k: int) -> None:
    """Raise at the first event answered with what is no class."""
    wrong = _first_wrong_label(ops, label, k)
    if wrong >= 0:
        raise EventFailed(wrong) from ValueError(
            f"answered class code {label[wrong]}; expected 0 to {k - 1}, or -1 to abstain"
        )


def check_shares(ops: Flags, proba: Floats) -> None:
    """Raise at the first event answered with probabilities that are none."""
    wrong = _first_wrong_shares(ops, proba)
    if wrong >= 0:
        raise EventFailed(wrong) from ValueError(
            f"answered probabilities {proba[wrong]}; expected numbers in 0..1 that sum to 1, "
            "or NaN throughout to abstain"
        )


@kernel
def _first_wrong_label(ops: Flags, label: Codes, k: int) -> int:
    """The first event answered with what is no class, -1 if there is none. Whatever a learner says
    becomes an index later on, where nobody looks any more."""
    wrong = 0
    for e in range(len(ops)):  # counted first: that takes several at a time
        wrong += (ops[e] != LEARN) & ((label[e] < -1) | (label[e] >= k))
    if wrong == 0:
        return -1
    for e in range(len(ops)):
        if ops[e] != LEARN and (label[e] < -1 or label[e] >= k):
            return e
    return -1


@kernel
def _first_wrong_shares(ops: Flags, proba: Floats) -> int:
    """The first event whose probabilities are none, -1 if there is none. All NaN abstains; all 0 is
    a product that underflowed."""
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        missing, total, outside = 0, 0.0, False
        for c in range(proba.shape[1]):
            share = proba[e, c]
            missing += np.isnan(share)
            outside |= share < 0 or share > 1
            total += share
        if missing == proba.shape[1]:
            continue
        if missing or outside or (total != 0 and abs(total - 1) > 1e-6):
            return e
    return -1
