"""Losses of predictions: zero-one, distances, a cost matrix, or a user's function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Label, Targets

_DISTANCES: dict[str, Callable[[Floats], Floats]] = {
    "absolute": np.abs,
    "squared": np.square,
}


class Loss(NamedTuple):
    """A loss. `bound`: two losses never differ by more; None = unbounded or unknown."""

    name: str
    of: Callable[[Targets, Targets], Floats]  # labels, predictions (codes, or regression values)
    bound: float | None


def choose_loss(loss: Any, bound: float | None, classes: tuple[Label, ...]) -> Loss:
    """The loss asked for: a name, a cost matrix, a function, or None for the default."""
    if bound is not None and not 0 < bound < np.inf:
        raise UsageError(f"bound={bound}: expected a finite number above 0")
    if loss is None:
        loss = "zero_one" if classes else "absolute"
    if isinstance(loss, str):
        return _named(loss, bound, classes)
    if callable(loss):
        name = getattr(loss, "__name__", type(loss).__name__)
        return Loss(name, _from_function(loss, classes), bound)
    return _matrix(loss, bound, classes)


def _named(loss: str, bound: float | None, classes: tuple[Label, ...]) -> Loss:
    allowed = ["zero_one"] if classes else list(_DISTANCES)
    if loss not in allowed:
        raise UsageError(
            f"loss={loss!r}: expected {' or '.join(map(repr, allowed))} for "
            f"{'classification' if classes else 'regression'}, or a function of labels and "
            "predictions" + (", or a cost matrix" if classes else "")
        )
    if loss == "zero_one":
        return Loss(loss, lambda y, given: (y != given).astype(np.float64), bound or 1.0)
    distance = _DISTANCES[loss]
    return Loss(loss, lambda y, given: distance(given - y), bound)


def _matrix(given: npt.ArrayLike, bound: float | None, classes: tuple[Label, ...]) -> Loss:
    k = len(classes)
    try:
        matrix = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"loss={given!r}: expected a name, a cost matrix or a function") from None
    if not k or matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise UsageError(
            f"loss: expected {k} × {k} finite numbers, true class by predicted class in the order "
            f"{classes}, got shape {matrix.shape}"
        )
    # Code -1, an abstention, indexes the last column: it costs as much as the worst prediction.
    cost = np.column_stack([matrix, matrix.max(axis=1)])
    return Loss("cost", lambda y, given: cost[y, given], bound or float(np.ptp(matrix)) or 1.0)


def _from_function(
    loss: Callable[[Any, Any], npt.ArrayLike], classes: tuple[Label, ...]
) -> Callable[[Targets, Targets], Floats]:
    names = np.array([*classes, None], dtype=object)  # the last, code -1, is an abstention

    def losses(y: Targets, given: Targets) -> Floats:
        values = loss(names[y], names[given]) if classes else loss(y, given)
        found = np.asarray(values, np.float64)
        if found.shape != y.shape:
            raise UsageError(
                f"loss: the function returned shape {found.shape} for {len(y):,} rows; expected "
                "one number per row"
            )
        predicted = np.ones(len(y), bool) if classes else ~np.isnan(given)
        check_finite(found[predicted], "loss", np.flatnonzero(predicted))
        return found

    return losses


def check_finite(losses: Floats, name: str, rows: npt.NDArray[np.int64] | None = None) -> None:
    """Check that all losses are finite."""
    wrong = ~np.isfinite(losses)
    if wrong.any():
        i = int(np.argmax(wrong))
        row = i if rows is None else int(rows[i])
        raise InputError(f"row {row:,}: {name} is {losses[i]}; expected a finite loss", row=row)
