"""Oracle for continuous re-evaluation of delayed labels: events and bins, semantics §1, §8.

Times are Python ints (nanoseconds do not overflow) and every share of a wait is a Fraction; doubles
appear only in the "moa-fork" functions, where §8 asks for them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, runtime_checkable

Answer = int | float | None  # a class code or a number; None abstains
Event = tuple[str, int, int]  # kind, row, time
Played = tuple[str, int, int, Answer]  # the same and what the toy answered; None for L and U
Asked = tuple[int, Answer]  # when a row was asked again, and the answer
Shown = tuple[int, int, Answer]  # an answer and its time on display, [from, until)
How = Literal["exact", "mean", "fork"]


@dataclass(frozen=True)
class Row:
    """One row of the stream; rows come in the order of their arrival."""

    arrives: int
    revealed: int | None  # None: the label never comes
    y: int | float
    weight: float = 1.0  # 0: scored when revealed, never learned


class Toy(Protocol):
    """A learner; predict changes nothing."""

    def predict(self, row: int) -> Answer: ...

    def learn(self, row: int, y: int | float) -> None: ...


@runtime_checkable
class Evolving(Protocol):
    """A toy that also wants to hear of updates of a waiting row's features."""

    def update(self, row: int, time: int) -> None: ...


# ---------------------------------------------------------------- the order of events


def events(
    rows: Sequence[Row],
    every: int,
    labels_first: bool,
    updates: Sequence[tuple[int, int]] = (),
) -> list[Event]:
    """All events (kind, row, time) in order; updates are (row, time).

    P is a row's first prediction, F its final one, A an asking in between, L its reveal (learned
    from if its weight is not 0), U an update of its features. One reveal of row k reads: F k, the
    A of every other waiting row that is due, in row order, L k.
    """
    _check(rows, every, updates)
    out: list[Event] = []
    learned_since: dict[int, int] = {}  # waiting row -> labels learned since it arrived
    for time, kind, row in _agenda(rows, labels_first, updates):
        if kind == "arrival":
            out.append(("P", row, time))
            if rows[row].revealed is not None:  # else never scored, so never asked again
                learned_since[row] = 0
        elif kind == "update":
            if row in learned_since:  # "x_k(t) may be updated while waiting"
                out.append(("U", row, time))
        else:
            del learned_since[row]  # its own label does not ask it again
            out.append(("F", row, time))
            if rows[row].weight > 0:  # only a label that is learned asks and counts
                due = [
                    other for other in sorted(learned_since) if is_due(learned_since[other], every)
                ]
                out.extend(("A", other, time) for other in due)
                learned_since = {other: n + 1 for other, n in learned_since.items()}
            out.append(("L", row, time))
    return out


def is_due(learned_since: int, every: int) -> bool:
    """A waiting row is asked at this learned label, before it is learned.

    "Predicted again each time K further labels have been learned since it arrived: it is asked
    when the (K+1)-th later label is revealed, before that label is learned." Not at the first later
    label (0 learned), which only repeats the first prediction.
    """
    return learned_since > 0 and learned_since % every == 0


def _agenda(
    rows: Sequence[Row], labels_first: bool, updates: Sequence[tuple[int, int]]
) -> list[tuple[int, str, int]]:
    """Arrivals, updates and reveals as (time, kind, row), in order.

    "Equal times: arrivals first, in row order, then reveals, in row order; labels_first turns it
    round." An update is news of features: it comes before the labels of its moment as arrivals do,
    or with labels first after all of them, also after those that come with their own row.
    """
    # Each entry is (time, phase, row, step); sorting these is the whole rule.
    agenda: list[tuple[int, int, int, int, str]] = []
    for number, row in enumerate(rows):
        agenda.append((row.arrives, 1, number, 0, "arrival"))
        if row.revealed is None:
            continue
        if not labels_first:
            agenda.append((row.revealed, 2, number, 0, "reveal"))
        elif row.revealed > row.arrives:
            agenda.append((row.revealed, 0, number, 0, "reveal"))
        else:  # a label cannot come before its own row: right after the row's own prediction
            agenda.append((row.revealed, 1, number, 2, "reveal"))
    for number, time in updates:
        agenda.append((time, 2 if labels_first else 1, number, 1, "update"))
    return [(time, kind, number) for time, _phase, number, _step, kind in sorted(agenda)]


def _check(rows: Sequence[Row], every: int, updates: Sequence[tuple[int, int]]) -> None:
    if every < 1:
        raise ValueError("rows are asked again every 1 label or more")
    arrivals = [row.arrives for row in rows]
    if arrivals != sorted(arrivals):
        raise ValueError("rows must be in order of arrival")
    if any(row.revealed is not None and row.revealed < row.arrives for row in rows):
        raise ValueError("a row is revealed before it arrives")
    if any(time < rows[number].arrives for number, time in updates):
        raise ValueError("a row is updated before it arrives")


def play(
    rows: Sequence[Row],
    toy: Toy,
    every: int,
    labels_first: bool,
    updates: Sequence[tuple[int, int]] = (),
) -> list[Played]:
    """The events with the toy's answers at P, F and A; it learns at L unless the weight is 0."""
    out: list[Played] = []
    for kind, row, time in events(rows, every, labels_first, updates):
        answer: Answer = None
        if kind == "L":
            if rows[row].weight > 0:
                toy.learn(row, rows[row].y)
        elif kind == "U":
            if isinstance(toy, Evolving):
                toy.update(row, time)
        else:
            answer = toy.predict(row)
        out.append((kind, row, time, answer))
    return out


# ---------------------------------------------------------------- bins, exact


def bins_exact(
    first: Answer, again: Sequence[Asked], final: Answer, t0: int, t1: int, B: int
) -> list[Answer]:
    """The B+2 outcomes of a classifier for one row; None is an abstention and wrong.

    "b=0 first prediction; b=B+1 final prediction; b=1..B the equal sub-periods of the wait. Δ=0:
    every bin takes the first prediction."
    """
    _check_wait(again, t0, t1, B)
    if t0 == t1:
        return [first] + [first] * B + [final]
    shown = on_display(first, again, t0, t1)
    middle = [longest_on_display(within_bin(shown, t0, t1, B, b)) for b in range(1, B + 1)]
    return [first, *middle, final]


def bins_mean(
    first: Answer, again: Sequence[Asked], final: Answer, t0: int, t1: int, B: int
) -> list[float]:
    """The B+2 outcomes of a regressor for one row; NaN is an abstention."""
    _check_wait(again, t0, t1, B)
    if t0 == t1:
        return [_number(first)] + [_number(first)] * B + [_number(final)]
    shown = on_display(first, again, t0, t1)
    middle = [mean_on_display(within_bin(shown, t0, t1, B, b)) for b in range(1, B + 1)]
    return [_number(first), *middle, _number(final)]


def on_display(first: Answer, again: Sequence[Asked], t0: int, t1: int) -> list[Shown]:
    """All predictions of the wait as (from, until, answer), oldest first.

    "A prediction is on display from when it is made until it is replaced. Predictions made at t1
    itself belong to no bin but B+1." One replaced at the moment it was made was never on display.
    """
    made = [(t0, first)] + [(time, answer) for time, answer in again if time < t1]
    replaced = [time for time, _answer in made[1:]] + [t1]
    shown = [(time, end, answer) for (time, answer), end in zip(made, replaced, strict=True)]
    return [(start, end, answer) for start, end, answer in shown if start < end]


def within_bin(
    shown: Sequence[Shown], t0: int, t1: int, B: int, b: int
) -> list[tuple[Fraction, Answer]]:
    """How long each prediction was on display within bin b, oldest first, those that were at all.

    "[t0+Δ(b−1)/B, t0+Δb/B); from when it is made, or from the bin's start if carried in."
    """
    bin_start = t0 + Fraction((t1 - t0) * (b - 1), B)
    bin_end = t0 + Fraction((t1 - t0) * b, B)
    out: list[tuple[Fraction, Answer]] = []
    for start, end, answer in shown:
        duration = min(Fraction(end), bin_end) - max(Fraction(start), bin_start)
        if duration > 0:
            out.append((duration, answer))
    return out


def longest_on_display(shown: Sequence[tuple[Fraction, Answer]]) -> Answer:
    """The class on display longest; shown is oldest first and never empty.

    "Durations summed per class; ties → the class shown last; an abstention on display competes like
    a class."
    """
    total: dict[Answer, Fraction] = {}
    for duration, answer in shown:
        total[answer] = total.get(answer, Fraction(0)) + duration
    most = max(total.values())
    return next(answer for _duration, answer in reversed(shown) if total[answer] == most)


def mean_on_display(shown: Sequence[tuple[Fraction, Answer]]) -> float:
    """The time-weighted mean of the numbers on display; abstentions are left out of it.

    NaN if nothing but abstentions was on display.
    """
    total, time = Fraction(0), Fraction(0)
    for duration, answer in shown:
        if answer is not None and not math.isnan(answer):
            total += duration * Fraction(answer)
            time += duration
    return float(total / time) if time > 0 else math.nan


def _number(answer: Answer) -> float:
    return math.nan if answer is None else float(answer)


def _check_wait(again: Sequence[Asked], t0: int, t1: int, B: int) -> None:
    times = [t0, *(time for time, _answer in again), t1]
    if times != sorted(times):
        raise ValueError("a row is asked again between t0 and t1, in order of time")
    if B < 0:
        raise ValueError("there are 0 bins or more")


# ---------------------------------------------------------------- bins, compat="moa-fork"


def bins_fork(
    first: Answer, again: Sequence[Asked], final: Answer, t0: int, t1: int, B: int, k: int
) -> list[int]:
    """The B+2 class codes of the authors' published program for one row; k classes, B >= 1."""
    _check_wait(again, t0, t1, B)
    if B < 1:
        raise ValueError("the authors' program has 1 bin or more")
    out = [class_of_sole_outcome(first)]
    newest = first  # the newest prediction made before the bin
    for b in range(1, B + 1):
        inside = [(time, answer) for time, answer in again if fork_index(time, t0, t1, B) == b]
        out.append(fork_bin(newest, inside, t0, t1, B, b, k))
        if inside:
            newest = inside[-1][1]
    out.append(class_of_sole_outcome(final))
    return out


def fork_bin(
    carried: Answer, inside: Sequence[Asked], t0: int, t1: int, B: int, b: int, k: int
) -> int:
    """The outcome of one bin.

    "No re-prediction in a bin: the newest earlier one. Exactly one: it, outright. Two or more:
    votes by duration."
    """
    if len(inside) == 0:
        return class_of_sole_outcome(carried)
    if len(inside) == 1:
        return class_of_sole_outcome(inside[0][1])
    return fork_vote(carried, inside, fork_edge(b - 1, t0, t1, B), fork_edge(b, t0, t1, B), k)


def fork_index(time: int, t0: int, t1: int, B: int) -> int:
    """The bin of a re-prediction.

    "1+⌊((t−t0)/(t1−t0))·B⌋ in double, divide then multiply; B+1→B, so those at t1 count in bin B.
    Δ=0: all re-predictions fall in bin 1."
    """
    if t0 == t1:
        return 1
    share = float(time - t0) / float(t1 - t0)
    return min(1 + math.floor(share * float(B)), B)


def fork_edge(b: int, t0: int, t1: int, B: int) -> int:
    """Where bin b ends and bin b+1 starts: "⌊(b/B)·Δ+t0⌋ (double)"."""
    return math.floor(float(b) / float(B) * float(t1 - t0) + float(t0))


def fork_vote(
    carried: Answer, inside: Sequence[Asked], bin_start: int, bin_end: int, k: int
) -> int:
    """The class with most votes, a vote being worth its duration.

    "The carried-in prediction voting from the bin's start; ties, and all durations zero → lowest
    index. An abstention casts no vote."
    """
    made = [(bin_start, carried), *inside]
    replaced = [time for time, _answer in inside] + [bin_end]
    votes = [0] * k
    for (time, answer), end in zip(made, replaced, strict=True):
        if answer is not None:
            votes[int(answer)] += end - time
    return votes.index(max(votes))


def class_of_sole_outcome(answer: Answer) -> int:
    """An abstention "becomes class 0 only when it is the bin's sole outcome, or at b=0 and B+1"."""
    return 0 if answer is None else int(answer)


# ---------------------------------------------------------------- every scored row


def outcomes(
    rows: Sequence[Row],
    toy: Toy,
    every: int,
    B: int,
    labels_first: bool,
    how: How,
    k: int,
    updates: Sequence[tuple[int, int]] = (),
) -> list[tuple[int, Sequence[Answer]]]:
    """(row, its B+2 outcomes) for every row that is scored, in reveal order."""
    first: dict[int, Answer] = {}
    again: dict[int, list[Asked]] = {}
    final: dict[int, Answer] = {}
    out: list[tuple[int, Sequence[Answer]]] = []
    for kind, row, time, answer in play(rows, toy, every, labels_first, updates):
        if kind == "P":
            first[row] = answer
            again[row] = []
        elif kind == "A":
            again[row].append((time, answer))
        elif kind == "F":
            final[row] = answer
        elif kind == "L":  # time is t1
            asked = (first[row], again[row], final[row], rows[row].arrives, time)
            out.append((row, _bins(asked, B, how, k)))
    return out


def _bins(
    asked: tuple[Answer, Sequence[Asked], Answer, int, int], B: int, how: How, k: int
) -> Sequence[Answer]:
    if how == "exact":
        return bins_exact(*asked, B)
    if how == "mean":
        return bins_mean(*asked, B)
    if how == "fork":
        return bins_fork(*asked, B, k)
    raise ValueError(f"unknown how {how!r}")
