"""Outcomes per bin: one prediction for each part of a row's wait (semantics §8).

Bin 0 is the first prediction, bin B + 1 the final one, bins 1..B are equal parts of the wait. A
prediction is on display from when it is made until it is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import inlined, kernel
from streamgauge._support.types import (
    AGAIN,
    FINAL,
    LEARN,
    NEVER,
    PREDICT,
    Flags,
    Floats,
    Longs,
    Targets,
)
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.waiting_room import WaitingRoom

Aggregate = Callable[[Targets, Floats], float]  # of predictions on display and their durations


class OutcomeTracker(Protocol):
    """Follows one learner's predictions until their labels are revealed."""

    def collect(self, agenda: Agenda, predictions: Targets, room: WaitingRoom) -> Targets:
        """The outcomes of the rows scored in this agenda: rows × (B + 2)."""
        ...


def outcome_type(k: int) -> type[np.generic]:
    """The smallest type for outcomes: many rows may wait, each with all its bins."""
    return np.float64 if not k else np.int16 if k < 1 << 15 else np.int32


class _CurrentPredictions(NamedTuple):
    """The current prediction, by row id.

    Times count from the row's arrival, in whole units and B-ths of a unit, so that bin edges are
    exact and no product overflows 64 bits.
    """

    outcome: Targets  # [row id, bin]
    now: Targets  # the prediction on display
    bin: Longs  # the current bin
    whole: Longs  # since when it is on display in this bin: whole units
    part: Longs  # … and B-ths of a unit
    mixed: Flags  # was another prediction on display earlier in this bin?


class _Earlier(NamedTuple):
    """Earlier predictions of the current bin, by row id."""

    whole: Longs  # [row id, class]: time on display, whole units; abstention last
    part: Longs  # [row id, class]: … and B-ths of a unit
    order: Longs  # [row id, class]: rank by when it was last on display
    mean: Floats  # [row id, 2]: in regression, duration and time-weighted mean


class CompiledOutcomes:
    """Base of the compiled trackers: arrays by row id that grow with the waiting room."""

    _track: Callable[..., int]  # the kernel

    def __init__(self, bins: int, k: int) -> None:
        self._bins, self._k = bins, k
        self._row_ids = 0
        self._state = self._empty(0)

    def _empty(self, row_ids: int) -> tuple[Any, ...]:
        """Named tuples of arrays for `row ids` row ids."""
        raise NotImplementedError

    def collect(self, agenda: Agenda, predictions: Targets, room: WaitingRoom) -> Targets:
        if self._row_ids < room.capacity:
            more = self._empty(room.capacity - self._row_ids)
            self._state = tuple(map(_grown, self._state, more))
            self._row_ids = room.capacity
        labels = int(np.count_nonzero(agenda.ops == LEARN))
        out = np.empty((labels, self._bins + 2), outcome_type(self._k))
        times = room.arrives, room.revealed
        rows = type(self)._track(agenda, predictions, *times, self._state, out)
        return out[:rows]


def _grown(arrays: Any, more: Any) -> Any:
    if not len(arrays[0]):
        return more  # its zeros take no memory before they are used
    return type(arrays)(*map(np.concatenate, zip(arrays, more, strict=True)))


@kernel
def _track(
    agenda: Agenda,
    predictions: Targets,
    arrives: Longs,
    revealed: Longs,
    state: tuple[_CurrentPredictions, _Earlier],
    out: Targets,
) -> int:
    ops, _, row_ids, _, _, times, scored = agenda
    (outcome, now, bin_, since_whole, since_part, mixed), earlier = state
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        row_id, op = row_ids[e], ops[e]
        if op == PREDICT:
            outcome[row_id, 0] = predictions[e]
            now[row_id] = predictions[e]
            bin_[row_id] = 1
            since_whole[row_id] = 0
            since_part[row_id] = 0
            continue
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[row_id]
                row += 1
            continue
        if revealed[row_id] == NEVER or (op == AGAIN and predictions[e] == now[row_id]):
            continue  # a row without a label has no bins

        # The prediction was on display until now: close the bins that end by then.
        shown, b = now[row_id], bin_[row_id]
        now[row_id] = predictions[e]
        if op == FINAL:
            outcome[row_id, bins + 1] = predictions[e]
        if b > bins:
            continue
        elapsed, wait = times[e] - arrives[row_id], revealed[row_id] - arrives[row_id]
        each, rest = wait // bins, wait % bins
        whole, part = since_whole[row_id], since_part[row_id]
        while b <= bins:
            end, end_part = each * b + rest * b // bins, rest * b % bins
            if end > elapsed or (end == elapsed and end_part > 0):
                break
            if mixed[row_id]:
                _add(earlier, row_id, shown, end - whole, end_part - part, bins)
                outcome[row_id, b] = _decide(earlier, row_id)
                mixed[row_id] = 0
            else:
                outcome[row_id, b] = shown
            whole, part = end, end_part
            b += 1
        if b <= bins and elapsed > whole:
            _add(earlier, row_id, shown, elapsed - whole, -part, bins)
            mixed[row_id] = 1
            whole, part = elapsed, 0
        bin_[row_id] = b
        since_whole[row_id] = whole
        since_part[row_id] = part
    return row


@inlined
def _add(earlier: _Earlier, row_id: int, shown: float, whole: int, part: int, bins: int) -> None:
    """Add a prediction that was on display for whole + part / bins units."""
    durations, parts, order, mean = earlier
    if mean.shape[1]:
        if not np.isnan(shown):  # an abstention is not averaged
            duration = whole + part / bins
            mean[row_id, 0] += duration
            mean[row_id, 1] += (shown - mean[row_id, 1]) * (duration / mean[row_id, 0])
        return
    c = int(shown) if shown >= 0 else durations.shape[1] - 1
    part += parts[row_id, c]
    durations[row_id, c] += whole + part // bins
    parts[row_id, c] = part % bins
    newest = 0
    for other in range(order.shape[1]):
        newest = max(newest, order[row_id, other])
    order[row_id, c] = newest + 1


@inlined
def _decide(earlier: _Earlier, row_id: int) -> float:
    """The outcome of a bin; clears the arrays for the next bin."""
    whole, part, order, mean = earlier
    if mean.shape[1]:
        average = mean[row_id, 1] if mean[row_id, 0] > 0 else np.nan
        mean[row_id, 0] = 0.0
        mean[row_id, 1] = 0.0
        return average
    best = 0
    for c in range(1, order.shape[1]):
        longer = whole[row_id, c] > whole[row_id, best] or (
            whole[row_id, c] == whole[row_id, best] and part[row_id, c] > part[row_id, best]
        )
        equal = whole[row_id, c] == whole[row_id, best] and part[row_id, c] == part[row_id, best]
        if longer or (equal and order[row_id, c] > order[row_id, best]):
            best = c
    for c in range(order.shape[1]):
        whole[row_id, c] = 0
        part[row_id, c] = 0
        order[row_id, c] = 0
    return float(best) if best < order.shape[1] - 1 else -1.0


class DominantOrMean(CompiledOutcomes):
    """The class on display longest, ties to the one shown last; in regression the mean."""

    _track = staticmethod(_track)

    def _empty(self, row_ids: int) -> tuple[_CurrentPredictions, _Earlier]:
        kind = outcome_type(self._k)
        classes = (row_ids, self._k + 1 if self._k else 0)
        on_display = _CurrentPredictions(
            np.empty((row_ids, self._bins + 2), kind),
            np.empty(row_ids, kind),
            np.empty(row_ids, np.int64),
            np.empty(row_ids, np.int64),
            np.empty(row_ids, np.int64),
            np.zeros(row_ids, np.uint8),
        )
        return on_display, _Earlier(
            np.zeros(classes, np.int64),
            np.zeros(classes, np.int64),
            np.zeros(classes, np.int64),
            np.zeros((row_ids, 0 if self._k else 2)),
        )


class CustomOutcomes:
    """Outcomes by a user's function of the predictions on display in a bin and their durations.

    Durations are fractions of the bin. Runs row by row in Python.
    """

    def __init__(self, bins: int, k: int, aggregate: Aggregate) -> None:
        self._bins, self._k, self._aggregate = bins, k, aggregate
        self._waiting: dict[int, list[tuple[int, float]]] = {}  # row id: (elapsed, prediction)

    def collect(self, agenda: Agenda, predictions: Targets, room: WaitingRoom) -> Targets:
        rows = []
        for op, row_id, scored, time, prediction in zip(
            agenda.ops,
            agenda.row_ids.tolist(),
            agenda.scored,
            agenda.times,
            predictions,
            strict=True,
        ):
            elapsed = int(time) - int(room.arrives[row_id])
            if op == PREDICT:
                self._waiting[row_id] = [(elapsed, prediction)]
            elif op in (AGAIN, FINAL):
                if room.revealed[row_id] != NEVER:  # a row without a label has no bins
                    self._waiting[row_id].append((elapsed, prediction))
            else:
                made = self._waiting.pop(row_id)
                if scored:
                    rows.append(self._outcomes(made))
        return self._checked(rows).reshape(len(rows), self._bins + 2)

    def _checked(self, rows: list[list[float]]) -> Targets:
        """The outcomes as an array, if they are class codes; codes are used as indices later."""
        kind = outcome_type(self._k)
        try:
            given = np.array(rows, np.float64)
        except (TypeError, ValueError):
            given = np.full(1, np.inf)
        if self._k and not np.isin(given, np.arange(-1, self._k)).all():
            raise UsageError(
                f"Reevaluate: the function of aggregate= returned something else than a class "
                f"code; expected 0 to {self._k - 1}, or -1 to abstain"
            )
        if not self._k and np.ndim(given) != 2 and rows:
            raise UsageError(
                "Reevaluate: the function of aggregate= returned something else than a number; "
                "expected the target, or NaN to abstain"
            )
        return np.asarray(given.astype(kind))

    def _outcomes(self, made: list[tuple[int, float]]) -> list[float]:
        *shown, (wait, final) = made
        first = shown[0][1]
        middle = [self._outcome(shown, wait, b) for b in range(self._bins)] if wait else []
        return [first, *(middle or [first] * self._bins), final]

    def _outcome(self, shown: list[tuple[int, float]], wait: int, b: int) -> float:
        """The outcome of bin b + 1."""
        # Times in B-ths of a unit are whole numbers.
        start, end = wait * b, wait * (b + 1)
        ends = [*(elapsed for elapsed, _ in shown[1:]), wait]
        durations = [
            (prediction, min(until * self._bins, end) - max(since * self._bins, start))
            for (since, prediction), until in zip(shown, ends, strict=True)
        ]
        within = [(prediction, time / wait) for prediction, time in durations if time > 0]
        predictions, fractions = zip(*within, strict=True)
        kind = np.int32 if self._k else np.float64
        return self._aggregate(np.array(predictions, kind), np.array(fractions))
