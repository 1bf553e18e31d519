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
    """The predictions of waiting rows, by row id."""

    outcome: Targets  # [row id, bin]
    now: Targets  # the newest prediction
    bin: Longs  # the bin of the newest re-prediction, 0 = none yet
    made: Longs  # re-predictions in that bin
    since: Longs  # when the newest was made, or when the bin began
    votes: Longs  # [row id, class]: time on display in that bin


@kernel
def _track(
    agenda: Agenda,
    predictions: Targets,
    arrives: Longs,
    revealed: Longs,
    state: tuple[_WaitingPredictions],
    out: Targets,
) -> int:
    ops, _, row_ids, _, _, times, scored = agenda
    outcome, now, bin_, made, since, votes = state[0]
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        row_id, op, time = row_ids[e], ops[e], times[e]
        if op == PREDICT:
            outcome[row_id, 0] = max(predictions[e], 0)
            now[row_id] = predictions[e]
            bin_[row_id] = 0
            continue
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[row_id]
                row += 1
            continue
        start, end, shown = arrives[row_id], revealed[row_id], now[row_id]
        if end == NEVER:  # no label, no bins
            continue
        b = bins + 1
        if op == AGAIN:
            b = _bin_of(time, bins, start, end)
        if b != bin_[row_id]:
            _close(
                outcome,
                votes,
                row_id,
                shown,
                bin_[row_id],
                made[row_id],
                since[row_id],
                b,
                start,
                end,
            )
            bin_[row_id] = b
            made[row_id] = 0
            since[row_id] = _edge(b - 1, bins, start, end)
        if op == FINAL:
            outcome[row_id, b] = max(predictions[e], 0)
            continue
        if shown >= 0:  # an abstention casts no vote
            votes[row_id, shown] += time - since[row_id]
        since[row_id] = time
        made[row_id] += 1
        now[row_id] = predictions[e]
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
    outcome: Targets, votes: Longs, row_id: int, shown: int, open_bin: int, made: int, since: int,
    b: int, start: int, end: int,
) -> None:  # fmt: skip
    """Decide the open bin, if any; bins between it and b take the newest prediction."""
    bins = outcome.shape[1] - 2
    if open_bin > 0:
        decided = shown
        if made > 1:
            if shown >= 0:
                votes[row_id, shown] += _edge(open_bin, bins, start, end) - since
            decided = 0
            for c in range(1, votes.shape[1]):
                if votes[row_id, c] > votes[row_id, decided]:
                    decided = c
        outcome[row_id, open_bin] = max(decided, 0)
        for c in range(votes.shape[1]):
            votes[row_id, c] = 0
    for passed in range(open_bin + 1, min(b, bins + 1)):
        outcome[row_id, passed] = max(shown, 0)


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

    def _empty(self, row_ids: int) -> tuple[_WaitingPredictions]:
        kind = outcome_type(self._k)
        on_display = _WaitingPredictions(
            np.empty((row_ids, self._bins + 2), kind),
            np.empty(row_ids, kind),
            np.empty(row_ids, np.int64),
            np.empty(row_ids, np.int64),
            np.empty(row_ids, np.int64),
            np.zeros((row_ids, self._k), np.int64),
        )
        return (on_display,)


class _Newest(NamedTuple):
    """The predictions of waiting rows in regression, by row id."""

    outcome: Floats  # [row id, bin]
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
    ops, _, row_ids, _, _, times, scored = agenda
    outcome, now, bin_ = state[0]
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        row_id, op = row_ids[e], ops[e]
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[row_id]
                row += 1
            continue
        b = 0
        if op != PREDICT:
            if revealed[row_id] == NEVER:  # no label, no bins
                continue
            b = bins + 1
            if op == AGAIN:
                b = _bin_of(times[e], bins, arrives[row_id], revealed[row_id])
            for passed in range(max(1, bin_[row_id]), b):
                outcome[row_id, passed] = now[row_id]
        now[row_id] = 0.0 if np.isnan(predictions[e]) else predictions[e]
        bin_[row_id] = b
        if op != AGAIN:
            outcome[row_id, b] = now[row_id]
    return row


class MoaForkNewest(CompiledOutcomes):
    """Follows one regressor's predictions by the rules of the published program."""

    _track = staticmethod(_track_newest)

    def _empty(self, row_ids: int) -> tuple[_Newest]:
        outcome = np.empty((row_ids, self._bins + 2))
        return (_Newest(outcome, np.empty(row_ids), np.empty(row_ids, np.int64)),)
