"""Seasonal: the label of one season earlier, with a season that it finds (semantics §5)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import LEARN, PREDICT, Longs, Schema
from streamgauge.learners.base import REMEDY_WITHOUT_FEATURES, Events, Guarded, state_bytes
from streamgauge.learners.references._lag_ranking import (
    BLOCK,
    LAGS,
    REACH,
    LagRanking,
    begin_word,
    best_from,
    best_revealed,
    enlarged,
    is_ranked,
    new_ranking,
    rank,
)
from streamgauge.measures.reference import Reference

_ARRIVED: Final = 0  # entries of `now`: rows arrived
_NEWEST: Final = 1  # the newest of them whose label is revealed
_REVEALED: Final = 2  # labels revealed since the last ranking
_LAST: Final = 3  # the label revealed last

MAX_LAG: Final = LAGS

_SEASON: Final = "one season earlier"
_GENERAL: Final = Reference(
    "Seasonal", f"repeating the label of {_SEASON}", uses_label_order=True, tie_rank=3
)
_NO_LAG: Final = (
    f"Seasonal repeated the last label: no label of up to {MAX_LAG:,} rows earlier was revealed in "
    "time, and it does not search longer lags."
)


def earlier(lag: int | None) -> str:
    """The row `lag` rows earlier, in words."""
    if lag is None:
        return _SEASON
    return "the row before" if lag == 1 else f"{lag:,} rows earlier"


class _SeasonalState(NamedTuple):
    ranking: LagRanking
    arrival: Longs  # [row_id]: the place of its row in order of arrival; -1 = no row waits there
    revealed: Longs  # rows whose labels were revealed since the last ranking; -1 = unknown
    taken: Longs  # [lag]: first predictions that took this lag; [0]: that took none
    now: Longs


class Seasonal(Guarded, Parametrized):
    """Seasonal: finds the season and repeats the label of one season earlier.

    A season is a lag of 1 to 1,024 rows, in order of arrival. After every 64 revealed labels the
    hits of each lag, the pairs of revealed rows that far apart with the same label, are multiplied
    by 0.9999⁶⁴ and the new ones added; a pair counts once, when the second of its labels is
    revealed. The lag with the most hits is ranked first, the shorter of two equal ones before the
    other.

    Each prediction takes the best-ranked lag whose label is revealed by then, so that late labels
    do not stop it: of half-hourly rows it may repeat the label of a week earlier. Without such a
    lag, before the first ranking and on the rows of a held-out set, which have no place in the
    stream, it predicts the label revealed last. Abstains before any label.

    It identifies rows by their order of arrival and therefore plays agendas only, as Transition.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    Labels in a cycle of five rows, each revealed three rows late:

    >>> import numpy as np
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays(np.zeros((300, 1)), list("aabbb") * 60)
    >>> run = sg.evaluate(stream, sg.Seasonal(), labels=sg.Delay(3))
    >>> run.predictions["prediction"].to_pylist()[-10:]
    ['a', 'a', 'b', 'b', 'b', 'a', 'a', 'b', 'b', 'b']
    >>> run.learner.lag
    5
    """

    random = False
    task = "classification"
    remedy = REMEDY_WITHOUT_FEATURES
    has_probabilities = False

    @property
    def as_reference(self) -> Reference:
        """Its description for tables and verdicts: after a run, with the lag that it took."""
        if not hasattr(self, "_state"):
            return _GENERAL
        if self.lag is not None:
            return _GENERAL._replace(phrase=f"repeating the label of {earlier(self.lag)}")
        if self._state.ranking.hits.any() and not self._state.taken[1:].any():
            return _GENERAL._replace(note=_NO_LAG)
        return _GENERAL

    @property
    def lag(self) -> int | None:
        """The lag that more than half of the first predictions took, if there is one."""
        taken = self._state.taken
        lag = int(taken.argmax())
        return lag if lag and 2 * taken[lag] > taken.sum() else None

    def start(self, schema: Schema, seed: int) -> None:
        self._kept = -REACH  # the row from which on labels are kept
        self._state = _SeasonalState(
            new_ranking(len(schema.classes)),
            np.empty(0, np.int64),
            np.empty(BLOCK, np.int64),
            np.zeros(LAGS + 1, np.int64),
            np.array([0, -1, 0, -1]),
        )

    @property
    def nbytes(self) -> int:
        """The ranking of the lags and the labels that wait to be ranked, in bytes."""
        ranking, *others = self._state
        return state_bytes(ranking) + state_bytes(tuple(others))

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        self._make_room(len(events.y), int(np.count_nonzero(events.ops == PREDICT)))
        _play(events, self._state)

    def leave(self, row_ids: Longs) -> None:
        """Rows that leave without a label: their labels need no room any more."""
        arrival = self._state.arrival
        arrival[row_ids[row_ids < len(arrival)]] = -1

    def _make_room(self, row_ids: int, arrivals: int) -> None:
        """Room for more rows; labels within reach of a row that may still wait are kept."""
        ranking, arrival, *_, now = self._state
        if row_ids > len(arrival):
            arrival = np.concatenate([arrival, np.full(row_ids - len(arrival), -1)])
            self._state = self._state._replace(arrival=arrival)
        end = int(now[_ARRIVED]) + arrivals
        if end - self._kept <= len(ranking.labels):
            return
        self._kept = int(np.min(arrival[arrival >= 0], initial=now[_ARRIVED])) - REACH
        if 4 * (end - self._kept) > 3 * len(ranking.labels):
            ranking = enlarged(ranking, 4 * (end - self._kept) // 3, self._kept)
            self._state = self._state._replace(ranking=ranking)


@lean_kernel
def _play(events: Events, state: _SeasonalState) -> None:
    _, y, ops, slots, row_ids, weight, label, proba = events
    ranking, arrival, revealed, taken, now = state
    labels, ranked = ranking.labels, is_ranked(ranking)
    mask = len(labels) - 1
    arrived, newest, count, last = now[_ARRIVED], now[_NEWEST], now[_REVEALED], now[_LAST]
    counted, uses = 0, 0  # first predictions in a row that took the same lag
    top, top_from = 0, -1  # the best-ranked lag of `top_from` or more
    for e in range(len(ops)):
        row_id = np.uint64(
            row_ids[e]
        )  # unsigned: numba need not ask whether it counts from the end
        row = -1
        if ops[e] == LEARN:
            row, arrival[row_id] = arrival[row_id], -1
            if weight[e] > 0:
                last = y[np.uint64(slots[e])]
                revealed[np.uint64(count)] = row
                count += 1
                if row >= 0:
                    labels[np.uint64(row & mask)] = last
                    newest = max(newest, row)
                if count == BLOCK:
                    rank(ranking, revealed)
                    ranked, count, top_from = True, 0, -1
            continue
        if ops[e] == PREDICT:
            if weight[e] > 0:
                row = arrived
                begin_word(labels, row)
                arrived += 1
            arrival[row_id] = row
        else:
            row = arrival[row_id]
        lag, least = 0, max(1, row - newest)  # no label of a shorter lag is revealed
        if ranked and row >= 0 and least <= LAGS:
            if least != top_from:
                top, top_from = best_from(ranking, least), least
            lag = top
            if labels[np.uint64((row - lag) & mask)] < 0:
                lag = best_revealed(ranking, row, least)
        answer = last if lag == 0 else labels[np.uint64((row - lag) & mask)]
        label[e] = answer
        if ops[e] == PREDICT:
            if lag != counted:
                taken[counted] += uses
                counted, uses = lag, 0
            uses += 1
        if len(proba):
            for c in range(proba.shape[1]):
                proba[e, c] = np.nan if answer < 0 else (1.0 if c == answer else 0.0)
    taken[counted] += uses
    now[_ARRIVED], now[_NEWEST], now[_REVEALED], now[_LAST] = arrived, newest, count, last
