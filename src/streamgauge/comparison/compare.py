"""`compare`: learners over one stream, the first against each of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import Floats, Longs, Mask
from streamgauge.comparison._inputs import (
    AT_ONCE,
    Entrants,
    check_lengths,
    column_names,
    gather,
)
from streamgauge.comparison._label_wait import longest_wait, reveal_times
from streamgauge.comparison._losses import Loss, check_finite, choose_loss
from streamgauge.comparison._pairs import Compat, Pair, check_forget
from streamgauge.comparison._stretches import check_piece
from streamgauge.comparison.options import Options, Setting
from streamgauge.comparison.result import Comparison, Comparisons
from streamgauge.measures.forgetting import Cumulative, Forgetting, Window

_CURVE_POINTS = 500


@overload
def compare(first: Any, other: Any, /, **options: Unpack[Options]) -> Comparison: ...
@overload
def compare(
    first: Any, other: Any, another: Any, /, *more: Any, **options: Unpack[Options]
) -> Comparisons: ...
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
) -> Comparison | Comparisons:
    """Who is better, the first (A) or the other (B)? With several others, the first against each.

    A learner is a run, a directory that a run was saved in, after the first also the name of a
    reference ("Persistent"), whose answers are in every run. With `y`, a column of labels: columns
    of predictions. With loss="given": columns of losses.

    forget: how sums are kept; each gives its own curve of Q and McNemar, the first one the summary.
    By default of all rows and of the last 1000.
    loss: "zero_one" for classes, "absolute" or "squared" for numbers, a matrix of costs (true class
    × predicted class), a function of labels and predictions, or "given".
    bound: two losses never differ by more. Known of classes; the anytime bounds need it.
    confidence: of the anytime bounds, the tests and the stretches.
    smooth: added to both sums of losses in Q.
    compat: "gama2013" takes the McNemar test under fading as printed there.
    wait: a row's label is known before so many further rows are predicted, if the label policy does
    not say so itself.
    every: a point of the curve every so many rows; by default about 500 points.
    stretch: rows of the pieces that stretches are made of; by default a twentieth of the stream, at
    least 1000.
    """
    forget = check_forget((Cumulative(), Window(1000)) if forget is None else forget)
    _check_options(confidence, smooth, compat, {"every": every, "wait": wait})
    check_piece(stretch)
    if not others:
        raise UsageError("one learner alone: expected at least two to compare")
    given = [first, *others]
    if isinstance(loss, str) and loss == "given":
        entrants, losses, chosen = _losses_given(given, y, names, bound)
        wrong = None
    else:
        entrants = gather(given, y, names)
        chosen = choose_loss(loss, bound, entrants.classes)
        losses = np.stack([chosen.of(entrants.y, each) for each in entrants.answers])
        wrong = np.stack([a != entrants.y for a in entrants.answers]) if entrants.classes else None
    setting = Setting(
        entrants.stream, entrants.labels, chosen.name, chosen.bound, confidence, forget, smooth,
        compat, stretch,
    )  # fmt: skip
    all_rows = Pair(losses, wrong, reveal_times(entrants, forget))
    longest = longest_wait(entrants, wait)
    pairs = [
        _compare(entrants, setting, all_rows, other, longest, every)
        for other in range(1, len(given))
    ]
    return pairs[0] if len(pairs) == 1 else Comparisons(pairs)


def _compare(
    entrants: Entrants,
    setting: Setting,
    everybody: Pair,
    other: int,
    wait: int | str,
    every: int | None,
) -> Comparison:
    """The first against another, on the rows that both have answered."""
    losses, wrong, times = everybody
    names = (entrants.names[0], entrants.names[other])
    both: Mask = np.asarray(~np.isnan(losses[[0, other]]).any(axis=0))
    if not both.any():
        raise InputError(f"{names[0]} and {names[1]} never both answered: nothing to compare")
    pair = Pair(
        losses[[0, other]][:, both],
        None if wrong is None else wrong[[0, other]][:, both],
        None if times is None else times[both],
    )
    ids = entrants.ids[both]
    _check_bound(pair, setting.bound, ids)
    points = every or max(1, len(ids) // _CURVE_POINTS)
    return Comparison(names, setting, pair, ids, wait, points, len(both))


def _check_options(
    confidence: float, smooth: float, compat: Compat, counts: dict[str, int | None]
) -> None:
    if not 0.5 <= confidence < 1:
        raise UsageError(f"confidence={confidence}: expected a share below 1, e.g. 0.99")
    if not 0 <= smooth < math.inf:
        raise UsageError(f"smooth={smooth}: expected a number of 0 or more")
    if compat not in (None, "gama2013"):
        raise UsageError(f"compat={compat!r}: it is None or 'gama2013'")
    for what, count in counts.items():
        if count is not None:
            check_integer(what, count)
            if count < 1:
                raise UsageError(f"{what}={count}: expected 1 or more")


def _losses_given(
    given: Sequence[Any], y: object, names: Sequence[str] | None, bound: float | None
) -> tuple[Entrants, Floats, Loss]:
    if y is not None:
        raise UsageError("loss='given': columns of losses need no y")
    loss = choose_loss("absolute", bound, ())._replace(name="given")
    called = column_names(given, names)
    columns = []
    for each, name in zip(given, called, strict=True):
        try:
            columns.append(np.asarray(each, np.float64))
        except (TypeError, ValueError):
            raise InputError(f"{name}: expected a column of losses, numbers") from None
    check_lengths(columns, called)
    for column, name in zip(columns, called, strict=True):
        check_finite(column, name)
    ids, nothing = np.arange(len(columns[0])), np.empty(0)
    return Entrants("columns", AT_ONCE, (), called, ids, nothing, ()), np.stack(columns), loss


def _check_bound(pair: Pair, bound: float | None, ids: Longs) -> None:
    if bound is None:
        return
    over = np.abs(pair.difference) > bound * (1 + 1e-12)
    if over.any():
        i = int(np.argmax(over))
        a, b = pair.losses[:, i].tolist()
        raise InputError(
            f"row {int(ids[i]):,}: the losses {a:g} and {b:g} differ by more than bound="
            f"{bound:g}; expected a bound that holds for every row, known beforehand",
            row=int(ids[i]),
        )
