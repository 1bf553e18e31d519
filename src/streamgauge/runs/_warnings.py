"""Warnings of a run: numbers that may mislead, and runs that a seed does not determine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Label, Longs
from streamgauge.measures.forgetting import Fading, Forgetting, smooths_probabilities
from streamgauge.streams.formats.schema_inference import key_of, numeric_label

_START_WEIGHT = 0.1  # of 1/k in P(i|i), above which it is still close to where it started
_ENOUGH_ROWS = 100  # to tell whether labels occur again
_ENOUGH_TO_AGREE = 10  # rows, of which some prediction should be a class that occurs
_FEW = 3  # classes


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


def spelling_warning(confusion: Longs, classes: Sequence[Label]) -> str | None:
    """That predictions and labels may spell classes differently; None if they do not seem to.

    `confusion`: true class × predicted class, the last column for rows without a prediction.
    """
    rows, predicted = confusion.sum(axis=1) > 0, confusion[:, :-1].sum(axis=0) > 0
    labels = [key_of(label) for label, found in zip(classes, rows, strict=True) if found]
    guesses = [key_of(label) for label, found in zip(classes, predicted, strict=True) if found]
    common = set(labels) & set(guesses)
    only_labels = {_spelling(each): each for each in labels if each not in common}
    alike = [each for each in guesses if each not in common and _spelling(each) in only_labels]
    if alike:
        label = only_labels[_spelling(alike[0])]
        return (
            f"{alike[0]!r} is predicted and never a label, {label!r} is a label and never "
            "predicted: they count as different classes; if they are the same, spell them alike."
        )
    if common or not guesses or confusion.sum() < _ENOUGH_TO_AGREE:
        return None
    return (
        f"no class is both predicted and a label: predictions are {_listed(guesses)}, labels are "
        f"{_listed(labels)}; do both columns mean the same?"
    )


def _spelling(text: str) -> object:
    """What two spellings of one class have in common: their letters, or their number."""
    try:
        return numeric_label(text)
    except ValueError:
        return text.casefold()


def _listed(texts: Sequence[str]) -> str:
    """The first few texts, quoted."""
    shown = ", ".join(map(repr, texts[:_FEW]))
    return shown if len(texts) <= _FEW else f"{shown}, …"


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
