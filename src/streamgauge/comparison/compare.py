"""`compare`: participants over one stream, the first against each of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Longs, Mask
from streamgauge.comparison._inputs import Participants, check_lengths, column_names, gather
from streamgauge.comparison._label_wait import longest_wait, reveal_times
from streamgauge.comparison._losses import Loss, check_finite, choose_loss
from streamgauge.comparison._pairs import PairedLosses
from streamgauge.comparison.options import CompareArguments, Compat, Options
from streamgauge.comparison.result import Comparison, Comparisons
from streamgauge.measures.forgetting import Cumulative, Forgetting, Window, check_forgettings
from streamgauge.runs.conditions import assumed_conditions
from streamgauge.runs.runs import Runs


@overload
def compare(runs: Runs, /, **options: Unpack[CompareArguments]) -> Comparison | Comparisons: ...
@overload
def compare(first: Any, other: Any, /, **options: Unpack[CompareArguments]) -> Comparison: ...
@overload
def compare(
    first: Any, other: Any, another: Any, /, *more: Any, **options: Unpack[CompareArguments]
) -> Comparisons: ...
@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def compare(
    first: Any,
    /,
    *others: Any,
    y: npt.ArrayLike | None = None,
    names: Sequence[str] | None = None,
    forget: Sequence[Forgetting] | None = None,
    loss: Any = None,
    bound: float | None = None,
    confidence: float = 0.99,
    smooth: float = 0.0,
    compat: Compat = None,
    wait: int | None = None,
    every: int | None = None,
    stretch: int | None = None,
    equal_within: float | None = None,
) -> Comparison | Comparisons:
    """Compare the first participant (A) with each of the others (B) over one stream.

    A participant is a run or the directory of a saved run. The others may also be the names of
    references, e.g. "Persistent", whose predictions are part of every run. With `y`, participants
    are columns of predictions; with loss="given", columns of losses.

    Parameters
    ----------
    first, *others
        The participants; the first may also be what `evaluate` returns for several learners.
    y
        The true labels, for columns of predictions.
    names
        One name per participant.
    forget
        How sums are kept. Each forgetting gives its own curve of Q and of McNemar's test; the first
        one gives the summary. Default: Cumulative() and Window(1000).
    loss
        "zero_one" for classification, "absolute" or "squared" for regression, a cost matrix (true
        class × predicted class), a function of labels and predictions, or "given".
    bound
        The largest possible difference between two losses. The anytime bounds need it; for
        classification it is known.
    confidence
        Confidence level of the anytime bounds, the tests and the stretches.
    smooth
        Added to both sums of losses in Q.
    compat
        "gama2013" computes McNemar's test under fading as that paper prints it.
    wait
        Longest wait for a label: every label is known before this many further rows are predicted.
        Needed only with reveal times from the data, where the label policy does not fix it.
    every
        Take a point of the curve every N rows. Default: about 500 points.
    stretch
        Rows per segment when looking for stretches. Default: a twentieth of the stream, at least
        1000.
    equal_within
        Difference of mean losses that is too small to matter, e.g. 0.01 for one percentage point
        of the error rate: `comparison.equivalent` says whether the two are equal within ± this.

    Returns
    -------
    Comparison
        For two participants; `Comparisons`, a sequence of them, for more.

    Raises
    ------
    UsageError
        If the participants were not scored on the same rows, or options do not fit together.

    References
    ----------
    gama2013, mcnemar1947, howard2021, choe2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
    >>> comparison = sg.compare(run, "Majority")
    >>> comparison.better
    'NaiveBayes'
    >>> print(f"Q = {comparison.summary['q']:.2f}")  # below 0: the loss of NaiveBayes is smaller
    Q = -1.57
    """
    options = Options(
        forget=check_forgettings((Cumulative(), Window(1000)) if forget is None else forget),
        confidence=confidence,
        smooth=smooth,
        compat=compat,
        wait=wait,
        every=every,
        stretch=stretch,
        equal_within=equal_within,
    )
    given = [first, *others]
    if isinstance(first, Runs):  # perhaps with a reference after it
        given = [*first, *others]
    if len(given) < 2:
        raise UsageError("got one participant; expected at least two to compare")
    if isinstance(loss, str) and loss == "given":
        participants, losses, chosen = _given_losses(given, y, names, bound)
        wrong = None
    else:
        participants = gather(given, y, names)
        classes, true = participants.conditions.classes, participants.y
        chosen = choose_loss(loss, bound, classes)
        losses = np.stack([chosen.of(true, each) for each in participants.predictions])
        wrong = np.stack([each != true for each in participants.predictions]) if classes else None
    times = reveal_times(participants, options.forget)
    all_rows = PairedLosses(losses, wrong, times, chosen.name, chosen.bound)
    longest = longest_wait(participants, wait)
    pairs = [
        _compare_with(other, participants, all_rows, options, longest)
        for other in range(1, len(given))
    ]
    return pairs[0] if len(pairs) == 1 else Comparisons(pairs)


def _compare_with(
    other: int,
    participants: Participants,
    all_rows: PairedLosses,
    options: Options,
    wait: int | str,
) -> Comparison:
    """The first participant against another, on the rows that both predicted."""
    losses, wrong, times, loss, bound = all_rows
    names = (participants.names[0], participants.names[other])
    both: Mask = np.asarray(~np.isnan(losses[[0, other]]).any(axis=0))
    if not both.any():
        raise InputError(
            f"{names[0]} and {names[1]} have no row that both predicted; expected at least one"
        )
    pair = PairedLosses(
        losses[[0, other]][:, both],
        None if wrong is None else wrong[[0, other]][:, both],
        None if times is None else times[both],
        loss,
        bound,
    )
    ids = participants.ids[both]
    _check_bound(pair, ids)
    return Comparison(names, participants.conditions, options, pair, ids, wait, len(both))


def _given_losses(
    given: Sequence[Any], y: object, names: Sequence[str] | None, bound: float | None
) -> tuple[Participants, Floats, Loss]:
    if y is not None:
        raise UsageError("y: columns of losses (loss='given') need no labels; leave y out")
    loss = choose_loss("absolute", bound, ())._replace(name="given")
    called = column_names(given, names)
    columns = []
    for each, name in zip(given, called, strict=True):
        try:
            columns.append(np.asarray(each, np.float64))
        except (TypeError, ValueError):
            raise InputError(f"{name}: expected a column of losses, all numbers") from None
    check_lengths(columns, called)
    for column, name in zip(columns, called, strict=True):
        check_finite(column, name)
    ids, no_labels = np.arange(len(columns[0])), np.empty(0)
    participants = Participants(assumed_conditions(), called, ids, ids, no_labels, ())
    return participants, np.stack(columns), loss


def _check_bound(pair: PairedLosses, ids: Longs) -> None:
    if pair.bound is None:
        return
    over = np.abs(pair.difference) > pair.bound * (1 + 1e-12)
    if over.any():
        i = int(np.argmax(over))
        a, b = pair.losses[:, i].tolist()
        raise InputError(
            f"row {int(ids[i]):,}: the losses {a:g} and {b:g} differ by more than bound="
            f"{pair.bound:g}; expected a bound that holds for every row, known beforehand",
            row=int(ids[i]),
        )
