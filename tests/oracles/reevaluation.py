"""Oracle for continuous re-evaluation: events and bins, semantics §1, §8.

Times are Python ints, which do not overflow, and every part of a wait is a Fraction. Doubles appear
only in the "moa-fork" functions, where §8 requires them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, runtime_checkable

Prediction = int | float | None  # a class code or a number; None abstains
Event = tuple[str, int, int]  # kind, row, time
Played = tuple[str, int, int, Prediction]  # an event with the toy's prediction; None for L, U, X
Repeated = tuple[int, Prediction]  # when a row was predicted again, and the prediction
Shown = tuple[int, int, Prediction]  # a prediction and its time on display, [from, until)
How = Literal["exact", "mean", "fork", "fork-newest"]


@dataclass(frozen=True)
class Row:
    """One row of the stream; rows are in order of arrival."""

    arrives: int
    revealed: int | None  # None: never revealed
    y: int | float
    weight: float = 1.0  # 0: scored when revealed, never learned
    leaves: int | None = None  # when it stops waiting if no label comes; None: at the end


class Toy(Protocol):
    """A learner; predict changes nothing."""

    def predict(self, row: int) -> Prediction: ...

    def learn(self, row: int, y: int | float) -> None: ...


@runtime_checkable
class Evolving(Protocol):
    """A toy that also accepts updates of a waiting row's features."""

    def update(self, row: int, time: int) -> None: ...


# ---------------------------------------------------------------- the order of events


def events(
    rows: Sequence[Row],
    every: int,
    labels_first: bool,
    updates: Sequence[tuple[int, int]] = (),
) -> list[Event]:
    """All events (kind, row, time) in order; updates are (row, time).

    P is a row's first prediction, F its final one, A a re-prediction in between, L its reveal
    (learned if its weight is not 0), U an update of its features. The reveal of row k is: F k, the
    A of every other waiting row that is due, in row order, L k. X: a row stops waiting without
    a label ("a row waits, is predicted again and counts for as long as it cannot be known that its
    label will not come"). One that leaves before its arrival does not wait.
    """
    _check(rows, every, updates)
    out: list[Event] = []
    learned_since: dict[int, int] = {}  # waiting row -> labels learned since it arrived
    for time, kind, row in _agenda(rows, labels_first, updates):
        if kind == "arrival":
            out.append(("P", row, time))
            leaves = rows[row].leaves
            if rows[row].revealed is not None or leaves is None or leaves >= time:
                learned_since[row] = 0
        elif kind == "leave":
            if learned_since.pop(row, None) is not None:
                out.append(("X", row, time))
        elif kind == "update":
            if row in learned_since:  # "x_k(t) may be updated while waiting"
                out.append(("U", row, time))
        else:
            del learned_since[row]  # its own label does not trigger an A
            out.append(("F", row, time))
            if rows[row].weight > 0:  # only a learned label triggers an A and counts
                due = [
                    other for other in sorted(learned_since) if is_due(learned_since[other], every)
                ]
                out.extend(("A", other, time) for other in due)
                learned_since = {other: n + 1 for other, n in learned_since.items()}
            out.append(("L", row, time))
    return out


def is_due(learned_since: int, every: int) -> bool:
    """Whether a waiting row is predicted again at this label, before the label is learned.

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
    round." An update comes before the labels of the same time, as arrivals do; with labels first it
    comes after all of them, even those revealed with their own row.
    """
    # Sorting by (time, phase, row, step) is the whole rule.
    agenda: list[tuple[int, int, int, int, str]] = []
    for number, row in enumerate(rows):
        agenda.append((row.arrives, 1, number, 0, "arrival"))
        # A row leaves when its label would have come.
        end, kind = (row.leaves, "leave") if row.revealed is None else (row.revealed, "reveal")
        if end is None:
            continue
        if not labels_first:
            agenda.append((end, 2, number, 0, kind))
        elif end > row.arrives:
            agenda.append((end, 0, number, 0, kind))
        else:  # a label cannot precede its own row: right after the row's own prediction
            agenda.append((row.arrives, 1, number, 2, kind))
    for number, time in updates:
        agenda.append((time, 2 if labels_first else 1, number, 1, "update"))
    return [(time, kind, number) for time, _phase, number, _step, kind in sorted(agenda)]


def _check(rows: Sequence[Row], every: int, updates: Sequence[tuple[int, int]]) -> None:
    if every < 1:
        raise ValueError("expected every >= 1")
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
    """The events with the toy's predictions; it learns at L if the weight is not 0."""
    out: list[Played] = []
    for kind, row, time in events(rows, every, labels_first, updates):
        prediction: Prediction = None
        if kind == "L":
            if rows[row].weight > 0:
                toy.learn(row, rows[row].y)
        elif kind == "X":
            pass
        elif kind == "U":
            if isinstance(toy, Evolving):
                toy.update(row, time)
        else:
            prediction = toy.predict(row)
        out.append((kind, row, time, prediction))
    return out


# ---------------------------------------------------------------- bins, exact


def bins_exact(
    first: Prediction, again: Sequence[Repeated], final: Prediction, t0: int, t1: int, B: int
) -> list[Prediction]:
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
    first: Prediction, again: Sequence[Repeated], final: Prediction, t0: int, t1: int, B: int
) -> list[float]:
    """The B+2 outcomes of a regressor for one row; NaN is an abstention."""
    _check_wait(again, t0, t1, B)
    if t0 == t1:
        return [_number(first)] + [_number(first)] * B + [_number(final)]
    shown = on_display(first, again, t0, t1)
    middle = [mean_on_display(within_bin(shown, t0, t1, B, b)) for b in range(1, B + 1)]
    return [_number(first), *middle, _number(final)]


def on_display(first: Prediction, again: Sequence[Repeated], t0: int, t1: int) -> list[Shown]:
    """All predictions of the wait as (from, until, prediction), oldest first.

    "A prediction is on display from when it is made until it is replaced. Predictions made at t1
    itself belong to no bin but B+1." One replaced at the time it was made was never on display.
    """
    made = [(t0, first)] + [(time, what) for time, what in again if time < t1]
    replaced = [time for time, _what in made[1:]] + [t1]
    shown = [(time, end, what) for (time, what), end in zip(made, replaced, strict=True)]
    return [(start, end, what) for start, end, what in shown if start < end]


def within_bin(
    shown: Sequence[Shown], t0: int, t1: int, B: int, b: int
) -> list[tuple[Fraction, Prediction]]:
    """How long each prediction was on display within bin b, oldest first, if at all.

    "[t0+Δ(b−1)/B, t0+Δb/B); from when it is made, or from the bin's start if carried in."
    """
    bin_start = t0 + Fraction((t1 - t0) * (b - 1), B)
    bin_end = t0 + Fraction((t1 - t0) * b, B)
    out: list[tuple[Fraction, Prediction]] = []
    for start, end, prediction in shown:
        duration = min(Fraction(end), bin_end) - max(Fraction(start), bin_start)
        if duration > 0:
            out.append((duration, prediction))
    return out


def longest_on_display(shown: Sequence[tuple[Fraction, Prediction]]) -> Prediction:
    """The class on display longest; shown is oldest first and never empty.

    "Durations summed per class; ties → the class shown last; an abstention on display competes like
    a class."
    """
    total: dict[Prediction, Fraction] = {}
    for duration, prediction in shown:
        total[prediction] = total.get(prediction, Fraction(0)) + duration
    most = max(total.values())
    return next(what for _duration, what in reversed(shown) if total[what] == most)


def mean_on_display(shown: Sequence[tuple[Fraction, Prediction]]) -> float:
    """The time-weighted mean of the predictions on display, without abstentions.

    NaN if only abstentions were on display.
    """
    total, time = Fraction(0), Fraction(0)
    for duration, prediction in shown:
        if prediction is not None and not math.isnan(prediction):
            total += duration * Fraction(prediction)
            time += duration
    return float(total / time) if time > 0 else math.nan


def _number(prediction: Prediction) -> float:
    return math.nan if prediction is None else float(prediction)


def _check_wait(again: Sequence[Repeated], t0: int, t1: int, B: int) -> None:
    times = [t0, *(time for time, _prediction in again), t1]
    if times != sorted(times):
        raise ValueError("expected re-predictions between t0 and t1, in order of time")
    if B < 0:
        raise ValueError("expected 0 bins or more")


# ---------------------------------------------------------------- bins, compat="moa-fork"


def bins_fork(
    first: Prediction,
    again: Sequence[Repeated],
    final: Prediction,
    t0: int,
    t1: int,
    B: int,
    k: int,
) -> list[int]:
    """The B+2 class codes of the authors' published program for one row; k classes, B >= 1."""
    _check_wait(again, t0, t1, B)
    if B < 1:
        raise ValueError("expected 1 bin or more")
    out = [class_of_sole_outcome(first)]
    newest = first  # the newest prediction made before the bin
    for b in range(1, B + 1):
        inside = [(time, what) for time, what in again if fork_index(time, t0, t1, B) == b]
        out.append(fork_bin(newest, inside, t0, t1, B, b, k))
        if inside:
            newest = inside[-1][1]
    out.append(class_of_sole_outcome(final))
    return out


def fork_bin(
    carried: Prediction, inside: Sequence[Repeated], t0: int, t1: int, B: int, b: int, k: int
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
    elapsed = float(time - t0) / float(t1 - t0)
    return min(1 + math.floor(elapsed * float(B)), B)


def fork_edge(b: int, t0: int, t1: int, B: int) -> int:
    """Where bin b ends and bin b+1 starts: "⌊(b/B)·Δ+t0⌋ (double)"."""
    return math.floor(float(b) / float(B) * float(t1 - t0) + float(t0))


def fork_vote(
    carried: Prediction, inside: Sequence[Repeated], bin_start: int, bin_end: int, k: int
) -> int:
    """The class with most votes; the weight of a vote is its duration.

    "The carried-in prediction voting from the bin's start; ties, and all durations zero → lowest
    index. An abstention casts no vote."
    """
    made = [(bin_start, carried), *inside]
    replaced = [time for time, _prediction in inside] + [bin_end]
    votes = [0] * k
    for (time, prediction), end in zip(made, replaced, strict=True):
        if prediction is not None:
            votes[int(prediction)] += end - time
    return votes.index(max(votes))


def bins_fork_newest(
    first: Prediction, again: Sequence[Repeated], final: Prediction, t0: int, t1: int, B: int
) -> list[float]:
    """The B+2 outcomes of the authors' published program for one row in regression.

    "Before any label the answer is 0; a bin takes the newest answer made by its end."
    """
    _check_wait(again, t0, t1, B)
    middle = [
        ([first] + [what for time, what in again if fork_index(time, t0, t1, B) <= b])[-1]
        for b in range(1, B + 1)
    ]
    return [0.0 if what is None else float(what) for what in (first, *middle, final)]


def class_of_sole_outcome(prediction: Prediction) -> int:
    """An abstention "becomes class 0 only when it is the bin's sole outcome, or at b=0 and B+1"."""
    return 0 if prediction is None else int(prediction)


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
) -> list[tuple[int, Sequence[Prediction]]]:
    """(row, its B+2 outcomes) for every row that is scored, in reveal order."""
    first: dict[int, Prediction] = {}
    again: dict[int, list[Repeated]] = {}
    final: dict[int, Prediction] = {}
    out: list[tuple[int, Sequence[Prediction]]] = []
    for kind, row, time, prediction in play(rows, toy, every, labels_first, updates):
        if kind == "P":
            first[row] = prediction
            again[row] = []
        elif kind == "A":
            again[row].append((time, prediction))
        elif kind == "F":
            final[row] = prediction
        elif kind == "L":  # time is t1
            made = (first[row], again[row], final[row], rows[row].arrives, time)
            out.append((row, _bins(made, B, how, k)))
    return out


def _bins(
    made: tuple[Prediction, Sequence[Repeated], Prediction, int, int], B: int, how: How, k: int
) -> Sequence[Prediction]:
    if how == "exact":
        return bins_exact(*made, B)
    if how == "mean":
        return bins_mean(*made, B)
    if how == "fork":
        return bins_fork(*made, B, k)
    if how == "fork-newest":
        return bins_fork_newest(*made, B)
    raise ValueError(f"unknown how {how!r}")
