"""The effort of re-evaluation: N_C, N_B and N_R of grzenda2019 (semantics §8)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import AGAIN, LEARN, PREDICT, Flags, Floats, Longs
from streamgauge.prequential.agenda import Agenda

_RECENT = 100  # arrivals and labels over which N_C counts


class PredictionEffort:
    """Counts re-predictions, which are the same for every learner.

    N_C counts those at the last 100 arrivals and labels, N_B those of the rows that still wait. N_R
    is their mean number per labelled row.
    """

    def __init__(self) -> None:
        self._held = np.empty(0, np.int64)  # [row_id]: re-predictions of the row waiting there
        self._recent = np.zeros(_RECENT, np.int64)  # re-predictions at each of the last events
        # events, re-predictions of waiting rows, re-predictions of labelled rows, labels
        self._totals = np.zeros(4, np.int64)

    def add(self, agenda: Agenda, left: tuple[Longs, Longs], capacity: int) -> Floats:
        """N_C, N_B and N_R just after the label of each scored row is revealed.

        `left`: row_ids of the rows that left without a label, and the number of events before each.
        """
        if len(self._held) < capacity:
            more = np.zeros(capacity - len(self._held), np.int64)
            self._held = np.concatenate([self._held, more])
        labels = int(np.count_nonzero(agenda.ops == LEARN))
        out = np.empty((labels, 3))
        state = self._held, self._recent, self._totals
        rows = _count(agenda.ops, agenda.row_ids, agenda.scored, *left, *state, out)
        return out[:rows]


@kernel
def _count(
    ops: Flags, row_ids: Longs, scored: Flags, left: Longs, left_at: Longs,
    held: Longs, recent: Longs, totals: Longs, out: Floats,
) -> int:  # fmt: skip
    row, gone = 0, 0
    repeated = 0  # re-predictions since the last arrival or label
    for e in range(len(ops) + 1):
        while gone < len(left) and left_at[gone] <= e:
            totals[1] -= held[left[gone]]
            gone += 1
        if e == len(ops):
            break
        row_id = row_ids[e]
        if ops[e] == AGAIN:
            held[row_id] += 1
            totals[1] += 1
            repeated += 1
        elif ops[e] == PREDICT:
            held[row_id] = 0
            recent[totals[0] % len(recent)] = 0
            totals[0] += 1
        elif ops[e] == LEARN:
            recent[totals[0] % len(recent)] = repeated
            totals[0] += 1
            repeated = 0
            totals[1] -= held[row_id]
            totals[2] += held[row_id]
            totals[3] += 1
            if scored[e]:
                out[row, 0] = recent.sum()
                out[row, 1] = totals[1]
                out[row, 2] = totals[2] / totals[3]
                row += 1
    return row
