"""Answers of foreign classifiers: probabilities, or what `predict` says where these are NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.types import Floats, Longs


def class_probabilities(
    model: Any, rows: Floats, k: int, columns: Longs | None = None
) -> tuple[Floats, int]:
    """Rows × k classes, and the number of rows whose probabilities were undefined.

    These get the class that `predict` names, as all do if the model has no probabilities.
    `columns`: the classes that the model knows; None if it knows all.
    """
    try:
        given = np.array(model.predict_proba(rows), np.float64)
    except (AttributeError, NotImplementedError):  # e.g. hinge loss: labels only
        return _predicted(model, rows, k), 0
    undefined = np.isnan(given).any(axis=1)
    if columns is not None:
        given, known = np.zeros((len(rows), k)), given
        given[:, columns] = known
    if undefined.any():
        given[undefined] = _predicted(model, rows[undefined], k)
    return given, int(np.count_nonzero(undefined))


def _predicted(model: Any, rows: Floats, k: int) -> Floats:
    """The class that `predict` names, with probability 1."""
    return np.asarray(np.eye(k)[np.asarray(model.predict(rows)).astype(np.int64)])


def undefined_warning(name: str, count: int, advice: str = "") -> str | None:
    """What a reader should know about predictions whose probabilities were undefined, if any."""
    if not count:
        return None
    return (
        f"{name}: the probabilities of {count:,} prediction{'s' * (count > 1)} were undefined "
        f"(NaN); the label that its predict gives counts instead, with probability 1{advice}."
    )
