"""Class probabilities made elsewhere: which class each column is of, and whether they are valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Label, Mask
from streamgauge.streams.arrays import feature_matrix
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats.schema_inference import key_of, numeric_label

ByClass = Mapping[str | None, npt.ArrayLike]  # class as text → column; None: the positive class
_POSITIVE = ({0, 1}, {-1, 1})  # pairs of labels, also False and True, of which 1 is positive
_TOLERANCE = 0.01  # logs round: 0.333 + 0.333 + 0.333; such a row is divided by its sum


def named_classes(given: npt.ArrayLike | ByClass, found: set[Label]) -> set[Label]:
    """The classes that probabilities name, of the same kind as the labels found."""
    if not isinstance(given, Mapping):
        return set()
    texts = [text for text in given if text is not None]
    if found and all(isinstance(label, bool) for label in found):
        return {text.lower() == "true" for text in texts}
    if any(isinstance(label, str) for label in found):
        return set(texts)
    try:
        return set(map(numeric_label, texts))
    except ValueError:
        raise UsageError(
            f"probabilities of {', '.join(texts)}, but the labels are numbers such as "
            f"{next(iter(found))}; expected the names of classes"
        ) from None


def is_binary(labels: set[Label]) -> bool:
    """Whether the labels are such that 1 or True is the positive class."""
    return bool(labels) and any(labels <= pair for pair in _POSITIVE)


def probability_matrix(
    given: npt.ArrayLike | ByClass, classes: Sequence[Label], declared: bool, rows: int, name: str
) -> Floats:
    """Probabilities, rows × classes, in the order of `classes`."""
    if isinstance(given, Mapping):
        matrix = _of_columns(given, classes, declared, rows, name)
    else:
        matrix = _numbers(given, name)
        if matrix.ndim == 1:
            matrix = _of_columns({None: matrix}, classes, declared, rows, name)
    if matrix.shape != (rows, len(classes)):
        raise InputError(
            f"{name} has shape {matrix.shape}; expected {rows:,} rows × {len(classes)} classes "
            f"({', '.join(map(str, classes))})"
        )
    _check(matrix, name)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True), np.float64)


def _of_columns(
    given: ByClass, classes: Sequence[Label], declared: bool, rows: int, name: str
) -> Floats:
    columns = {text: _numbers(column, name) for text, column in given.items()}
    for column in columns.values():
        if column.shape != (rows,):
            raise InputError(f"{name} has shape {column.shape}; expected {rows:,} numbers")
    keys = [key_of(label) for label in classes]
    if None in columns:
        if len(classes) != 2:
            raise UsageError(
                f"{name} is one column, but there are {len(classes)} classes "
                f"({', '.join(keys)}); expected a column per class"
            )
        if not (declared or is_binary(set(classes))):
            raise UsageError(
                f"{name}: the probability of which class, {' or '.join(keys)}? Say so: "
                f"classes=[{classes[0]!r}, {classes[1]!r}] if it is that of {keys[1]} "
                f"(--proba COLUMN={keys[1]})"
            )
        columns = {keys[1]: columns[None]}
    if len(classes) == 2 and len(columns) == 1:
        (named,) = columns
        other = keys[1 - keys.index(str(named))]
        columns[other] = 1 - columns[named]
    missing = [key for key in keys if key not in columns]
    if missing:
        raise UsageError(
            f"{name}: no probabilities of class {missing[0]}; expected a column for each of "
            f"{', '.join(keys)}"
        )
    return np.column_stack([columns[key] for key in keys])


def _numbers(given: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    return feature_matrix(given, name, "probabilities, numbers in 0..1")


def is_valid(by_class: ByClass, classes: Sequence[Label], declared: bool) -> Mask:
    """Which rows are distributions, or abstentions."""
    rows = len(np.asarray(next(iter(by_class.values()))))
    wrong = [each for each, _ in _faults(_of_columns(by_class, classes, declared, rows, "proba"))]
    return np.asarray(~np.logical_or.reduce(wrong), np.bool_)


def _faults(matrix: Floats) -> list[tuple[Mask, str]]:
    """Which rows are no distributions, and why; a row of NaN is an abstention."""
    missing = np.isnan(matrix)
    with np.errstate(invalid="ignore"):
        outside = ((matrix < 0) | (matrix > 1)).any(axis=1)
        total = matrix.sum(axis=1)
        off = np.abs(total - 1) > _TOLERANCE
    return [
        (outside, "is outside 0..1"),
        (missing.any(axis=1) & ~missing.all(axis=1), "is missing for some classes only"),
        (off, "does not sum to 1"),
    ]


def _check(matrix: Floats, name: str) -> None:
    """Raise an error for a row that is no distribution."""
    for wrong, what in _faults(matrix):
        if wrong.any():
            row = int(np.argmax(wrong))
            shown = ", ".join(f"{p:.4g}" for p in matrix[row])
            raise InputError(f"{at_row(row)}: {name} {what} ({shown})")
