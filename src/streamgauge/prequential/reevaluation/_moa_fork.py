"""Outcomes per bin as the program published with grzenda2019 computes them (semantics §8).

It differs from the definition: bin edges are doubles, a re-prediction made at the reveal counts in
the last bin, a single re-prediction in a bin decides it outright, and ties go to the lowest class.
In regression a bin takes the newest prediction made by its end, and 0 stands for an abstention.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, kernel
from streamgauge._support.types import AGAIN, FINAL, LEARN, NEVER, PREDICT, Floats, Longs, Targets
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.reevaluation.outcomes import CompiledOutcomes, outcome_type
from streamgauge.prequential.waiting_room import WaitingRoom


class _WaitingPredictions(NamedTuple):
    """The predictions of waiting rows, by home."""

    outcome: Targets  # [home, bin]
    now: Targets  # the newest prediction
    bin: Longs  # the bin of the newest re-prediction, 0 = none yet
    made: Longs  # re-predictions in that bin
    since: Longs  # when the newest was made, or when the bin began
    votes: Longs  # [home, class]: time on display in that bin


@kernel
def _track(
    agenda: Agenda,
    predictions: Targets,
    arrives: Longs,
    revealed: Longs,
    state: tuple[_WaitingPredictions],
    out: Targets,
) -> int:
    ops, _, homes, _, _, times, scored = agenda
    outcome, now, bin_, made, since, votes = state[0]
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        home, op, time = homes[e], ops[e], times[e]
        if op == PREDICT:
            outcome[home, 0] = max(predictions[e], 0)
            now[home] = predictions[e]
            bin_[home] = 0
            continue
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[home]
                row += 1
            continue
        start, end, shown = arrives[home], revealed[home], now[home]
        if end == NEVER:  # no label, no bins
            continue
        b = bins + 1
        if op == AGAIN:
            b = _bin_of(time, bins, start, end)
        if b != bin_[home]:
            _close(outcome, votes, home, shown, bin_[home], made[home], since[home], b, start, end)
            bin_[home] = b
            made[home] = 0
            since[home] = _edge(b - 1, bins, start, end)
        if op == FINAL:
            outcome[home, b] = max(predictions[e], 0)
            continue
        if shown >= 0:  # an abstention casts no vote
            votes[home, shown] += time - since[home]
        since[home] = time
        made[home] += 1
        now[home] = predictions[e]
    return row


@inlined
def _bin_of(time: int, bins: int, start: int, end: int) -> int:
    """The bin of a re-prediction."""
    if end == start:
        return 1
    return min(bins, 1 + int((time - start) / (end - start) * bins))


@inlined
def _edge(b: int, bins: int, start: int, end: int) -> int:
    return int(np.floor(b / bins * (end - start) + start))


@inlined
def _close(
    outcome: Targets, votes: Longs, home: int, shown: int, open_bin: int, made: int, since: int,
    b: int, start: int, end: int,
) -> None:  # fmt: skip
    """Decide the open bin, if any; bins between it and b take the newest prediction."""
    bins = outcome.shape[1] - 2
    if open_bin > 0:
        decided = shown
        if made > 1:
            if shown >= 0:
                votes[home, shown] += _edge(open_bin, bins, start, end) - since
            decided = 0
            for c in range(1, votes.shape[1]):
                if votes[home, c] > votes[home, decided]:
                    decided = c
        outcome[home, open_bin] = max(decided, 0)
        for c in range(votes.shape[1]):
            votes[home, c] = 0
    for passed in range(open_bin + 1, min(b, bins + 1)):
        outcome[home, passed] = max(shown, 0)


class MoaForkOutcomes(CompiledOutcomes):
    """Follows one classifier's predictions by the rules of the published program.

    `never_abstains`: before its first label this learner votes for class 0 in MOA.
    """

    _track = staticmethod(_track)

    def __init__(self, bins: int, k: int, never_abstains: bool) -> None:
        super().__init__(bins, k)
        self._never_abstains = never_abstains

    def collect(self, agenda: Agenda, predictions: Targets, room: WaitingRoom) -> Targets:
        if self._never_abstains:
            predictions = np.maximum(predictions, 0)
        return super().collect(agenda, predictions, room)

    def _empty(self, homes: int) -> tuple[_WaitingPredictions]:
        kind = outcome_type(self._k)
        on_display = _WaitingPredictions(
            np.empty((homes, self._bins + 2), kind),
            np.empty(homes, kind),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.zeros((homes, self._k), np.int64),
        )
        return (on_display,)


class _Newest(NamedTuple):
    """The predictions of waiting rows in regression, by home."""

    outcome: Floats  # [home, bin]
    now: Floats  # the newest prediction
    bin: Longs  # its bin, 0 = the first prediction


@kernel
def _track_newest(
    agenda: Agenda,
    predictions: Floats,
    arrives: Longs,
    revealed: Longs,
    state: tuple[_Newest],
    out: Floats,
) -> int:
    ops, _, homes, _, _, times, scored = agenda
    outcome, now, bin_ = state[0]
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        home, op = homes[e], ops[e]
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[home]
                row += 1
            continue
        b = 0
        if op != PREDICT:
            if revealed[home] == NEVER:  # no label, no bins
                continue
            b = bins + 1
            if op == AGAIN:
                b = _bin_of(times[e], bins, arrives[home], revealed[home])
            for passed in range(max(1, bin_[home]), b):
                outcome[home, passed] = now[home]
        now[home] = 0.0 if np.isnan(predictions[e]) else predictions[e]
        bin_[home] = b
        if op != AGAIN:
            outcome[home, b] = now[home]
    return row


class MoaForkNewest(CompiledOutcomes):
    """Follows one regressor's predictions by the rules of the published program."""

    _track = staticmethod(_track_newest)

    def _empty(self, homes: int) -> tuple[_Newest]:
        outcome = np.empty((homes, self._bins + 2))
        return (_Newest(outcome, np.empty(homes), np.empty(homes, np.int64)),)
