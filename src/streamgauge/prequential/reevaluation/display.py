"""What a waiting row shows in each part of its wait: one outcome a bin (semantics §8).

Bin 0 is the first prediction, bin B + 1 the final one, bins 1..B equal parts of the wait. A
prediction is on display from when it is made until another takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from streamgauge._support.jit import inlined, kernel
from streamgauge._support.types import AGAIN, FINAL, LEARN, PREDICT, Flags, Floats, Longs, Targets
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.waiting_room import WaitingRoom

Aggregate = Callable[[Targets, Floats], float]  # predictions shown in a bin, and their durations


class Display(Protocol):
    """Follows one learner's answers; hands out a row's outcomes when its label is revealed."""

    def settle(self, agenda: Agenda, answers: Targets, room: WaitingRoom) -> Targets:
        """Rows scored in this agenda × (B + 2) outcomes."""
        ...


def outcome_type(k: int) -> type[np.generic]:
    """The type outcomes are kept in: many rows may wait, each with all its bins."""
    return np.float64 if not k else np.int16 if k < 1 << 15 else np.int32


class _Shown(NamedTuple):
    """Of each home. Times count from the row's arrival, as a whole and a number of B-ths of the
    unit, so that the edges of bins are exact and no product leaves 64 bits."""

    outcome: Targets  # [home, bin]
    now: Targets  # on display
    bin: Longs  # the bin it is in
    whole: Longs  # when this began, or the bin if that was later
    part: Longs
    mixed: Flags  # was anything else on display in this bin before?


class _Mix(NamedTuple):
    """Of each home: what else was on display in its bin."""

    whole: Longs  # [home, class]: for how long; abstention last
    part: Longs
    order: Longs  # [home, class]: when it was last shown
    mean: Floats  # [home, duration and time-weighted mean]: the same for numbers


class KernelDisplay:
    """What compiled displays share: arrays by home that grow with the room."""

    _show: Callable[..., int]  # the kernel

    def __init__(self, bins: int, k: int) -> None:
        self._bins, self._k = bins, k
        self._homes = 0
        self._state = self._empty(0)

    def _empty(self, homes: int) -> tuple[Any, ...]:
        """Named tuples of arrays for so many homes."""
        raise NotImplementedError

    def settle(self, agenda: Agenda, answers: Targets, room: WaitingRoom) -> Targets:
        if self._homes < room.capacity:
            more = self._empty(room.capacity - self._homes)
            self._state = tuple(map(_longer, self._state, more))
            self._homes = room.capacity
        labels = int(np.count_nonzero(agenda.ops == LEARN))
        out = np.empty((labels, self._bins + 2), outcome_type(self._k))
        times = room.arrives, room.revealed
        rows = type(self)._show(agenda, answers, *times, self._state, out)
        return out[:rows]


def _longer(arrays: Any, more: Any) -> Any:
    return type(arrays)(*map(np.concatenate, zip(arrays, more, strict=True)))


@kernel
def _show(
    agenda: Agenda,
    answers: Targets,
    arrives: Longs,
    revealed: Longs,
    state: tuple[_Shown, _Mix],
    out: Targets,
) -> int:
    ops, _, homes, _, _, times, scored = agenda
    (outcome, now, bin_, since_whole, since_part, mixed), mix = state
    bins = outcome.shape[1] - 2
    row = 0
    for e in range(len(ops)):
        home, op = homes[e], ops[e]
        if op == PREDICT:
            outcome[home, 0] = answers[e]
            now[home] = answers[e]
            bin_[home] = 1
            since_whole[home] = 0
            since_part[home] = 0
            continue
        if op == LEARN:
            if scored[e]:
                out[row] = outcome[home]
                row += 1
            continue
        if op == AGAIN and answers[e] == now[home]:
            continue

        # What was on display stayed there until now: close the bins that end by then.
        shown, b = now[home], bin_[home]
        now[home] = answers[e]
        if op == FINAL:
            outcome[home, bins + 1] = answers[e]
        if b > bins:
            continue
        elapsed, wait = times[e] - arrives[home], revealed[home] - arrives[home]
        each, rest = wait // bins, wait % bins
        whole, part = since_whole[home], since_part[home]
        while b <= bins:
            end, end_part = each * b + rest * b // bins, rest * b % bins
            if end > elapsed or (end == elapsed and end_part > 0):
                break
            if mixed[home]:
                _add(mix, home, shown, end - whole, end_part - part, bins)
                outcome[home, b] = _decide(mix, home)
                mixed[home] = 0
            else:
                outcome[home, b] = shown
            whole, part = end, end_part
            b += 1
        if b <= bins and elapsed > whole:
            _add(mix, home, shown, elapsed - whole, -part, bins)
            mixed[home] = 1
            whole, part = elapsed, 0
        bin_[home] = b
        since_whole[home] = whole
        since_part[home] = part
    return row


@inlined
def _add(mix: _Mix, home: int, shown: float, whole: int, part: int, bins: int) -> None:
    """Count what was on display for so long."""
    durations, parts, order, mean = mix
    if mean.shape[1]:
        if not np.isnan(shown):  # without a prediction there is nothing to average
            duration = whole + part / bins
            mean[home, 0] += duration
            mean[home, 1] += (shown - mean[home, 1]) * (duration / mean[home, 0])
        return
    c = int(shown) if shown >= 0 else durations.shape[1] - 1
    part += parts[home, c]
    durations[home, c] += whole + part // bins
    parts[home, c] = part % bins
    newest = 0
    for other in range(order.shape[1]):
        newest = max(newest, order[home, other])
    order[home, c] = newest + 1


@inlined
def _decide(mix: _Mix, home: int) -> float:
    """The outcome of a bin; the next begins with nothing."""
    whole, part, order, mean = mix
    if mean.shape[1]:
        average = mean[home, 1] if mean[home, 0] > 0 else np.nan
        mean[home, 0] = 0.0
        mean[home, 1] = 0.0
        return average
    best = 0
    for c in range(1, order.shape[1]):
        longer = whole[home, c] > whole[home, best] or (
            whole[home, c] == whole[home, best] and part[home, c] > part[home, best]
        )
        equal = whole[home, c] == whole[home, best] and part[home, c] == part[home, best]
        if longer or (equal and order[home, c] > order[home, best]):
            best = c
    for c in range(order.shape[1]):
        whole[home, c] = 0
        part[home, c] = 0
        order[home, c] = 0
    return float(best) if best < order.shape[1] - 1 else -1.0


class LongestShown(KernelDisplay):
    """Of classes the one on display longest, ties to the one shown last; of numbers their mean."""

    _show = staticmethod(_show)

    def _empty(self, homes: int) -> tuple[_Shown, _Mix]:
        kind = outcome_type(self._k)
        classes = (homes, self._k + 1 if self._k else 0)
        shown = _Shown(
            np.empty((homes, self._bins + 2), kind),
            np.empty(homes, kind),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.empty(homes, np.int64),
            np.zeros(homes, np.uint8),
        )
        return shown, _Mix(
            np.zeros(classes, np.int64),
            np.zeros(classes, np.int64),
            np.zeros(classes, np.int64),
            np.zeros((homes, 0 if self._k else 2)),
        )


class Aggregated:
    """Outcomes by a function of the caller's: of the predictions shown in a bin, and how long each
    was, as shares of the bin. Row by row in Python."""

    def __init__(self, bins: int, k: int, aggregate: Aggregate) -> None:
        self._bins, self._k, self._aggregate = bins, k, aggregate
        self._waiting: dict[int, list[tuple[int, float]]] = {}  # home: (elapsed, prediction)

    def settle(self, agenda: Agenda, answers: Targets, room: WaitingRoom) -> Targets:
        rows = []
        for op, home, scored, time, answer in zip(
            agenda.ops, agenda.homes.tolist(), agenda.scored, agenda.times, answers, strict=True
        ):
            elapsed = int(time) - int(room.arrives[home])
            if op == PREDICT:
                self._waiting[home] = [(elapsed, answer)]
            elif op in (AGAIN, FINAL):
                self._waiting[home].append((elapsed, answer))
            else:
                shown = self._waiting.pop(home)
                if scored:
                    rows.append(self._outcomes(shown))
        kind = outcome_type(self._k)
        return np.array(rows, kind).reshape(len(rows), self._bins + 2)

    def _outcomes(self, shown: list[tuple[int, float]]) -> list[float]:
        *held, (wait, final) = shown
        first = held[0][1]
        middle = [self._outcome(held, wait, b) for b in range(self._bins)] if wait else []
        return [first, *(middle or [first] * self._bins), final]

    def _outcome(self, held: list[tuple[int, float]], wait: int, b: int) -> float:
        """Of bin b + 1: cut every stay on display to the bin."""
        # In B-ths of the unit, so that all is whole.
        start, end = wait * b, wait * (b + 1)
        ends = [*(elapsed for elapsed, _ in held[1:]), wait]
        stays = [
            (answer, min(until * self._bins, end) - max(since * self._bins, start))
            for (since, answer), until in zip(held, ends, strict=True)
        ]
        values = [(answer, stay / wait) for answer, stay in stays if stay > 0]
        answers, durations = zip(*values, strict=True)
        kind = np.int32 if self._k else np.float64
        return self._aggregate(np.array(answers, kind), np.array(durations))
