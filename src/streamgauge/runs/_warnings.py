"""Warnings of a run: numbers that may mislead, and runs that a seed does not determine."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Longs
from streamgauge.measures.forgetting import Fading, Forgetting, smooths_probabilities

_START_WEIGHT = 0.1  # of 1/k in P(i|i), above which it is still close to where it started
_ENOUGH_ROWS = 100  # to tell whether labels occur again


def smoothing_warning(forget: Forgetting, rows_of_class: Longs, late: bool) -> str | None:
    """Where Algorithm 1 of zliobaite2015 misleads; None for other forgettings.

    `late`: whether rows arrived between a row and its label.
    """
    if not (isinstance(forget, Fading) and smooths_probabilities(forget)):
        return None
    text = f"{forget} is Algorithm 1 of zliobaite2015 as printed; the verdict does not use it."
    k, seen = len(rows_of_class), rows_of_class[rows_of_class > 0]
    at_start = int((forget.a ** seen.astype(float) > _START_WEIGHT).sum())
    if at_start:
        text += (
            f" Its P(i|i) starts at 1/{k} and changes only on rows of class i, so it is still "
            f"close to 1/{k} for {at_start} of the {k} classes, those with few rows: "
            "kappa_temporal and kappa_plus may even have the wrong sign."
        )
    if late:
        text += (
            " Labels come late here, but its kappa_temporal and kappa_plus compare with repeating "
            "the label of the row before, which was not known yet."
        )
    return text


def identifier_warning(rows_of_class: Longs) -> str | None:
    """That the labels look like identifiers of rows; None if most occur again."""
    rows, occurring = int(rows_of_class.sum()), int(np.count_nonzero(rows_of_class))
    if rows < _ENOUGH_ROWS or 2 * occurring <= rows:
        return None
    return (
        f"{rows:,} rows have {occurring:,} different labels; if the target is an identifier, "
        "choose another column."
    )


def seed_warning(unseeded: tuple[str, ...]) -> str | None:
    """That a run cannot be repeated; None if the seed determines all random numbers."""
    if not unseeded:
        return None
    return (
        "this run is not reproducible; its seed does not determine all random numbers, because "
        f"{'; '.join(unseeded)}: give every part a seed."
    )
