"""Outcomes per bin as the program published with grzenda2019 computes them (semantics §8).

It differs from the definition: bin edges are doubles, a re-prediction made at the reveal counts in
the last bin, a single re-prediction in a bin decides it outright, and ties go to the lowest class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, kernel
from streamgauge._support.types import AGAIN, FINAL, LEARN, PREDICT, Longs, Targets
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.reevaluation.outcomes import CompiledOutcomes, outcome_type


class _OnDisplay(NamedTuple):
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
    state: tuple[_OnDisplay],
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
        b = bins + 1
        if op == AGAIN:
            b = 1
            if end > start:
                b = min(bins, 1 + int((time - start) / (end - start) * bins))
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
    """Follows one classifier's predictions by the rules of the published program."""

    _track = staticmethod(_track)

    def _empty(self, homes: int) -> tuple[_OnDisplay]:
        kind = outcome_type(self._k)
        on_display = _OnDisplay(
            np.empty((homes, self._bins + 2), kind),
            np.empty(homes, kind),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.zeros((homes, self._k), np.int64),
        )
        return (on_display,)
