"""Labels in memory: classification or regression, and the codes of classes."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError
from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Label, Longs
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats.schema_inference import MAX_NUMERIC_CLASSES, UNDECLARED

_TABLE_RANGE = 1 << 20


def as_labels(y: npt.ArrayLike | Sequence[object], name: str) -> npt.NDArray[Any]:
    """Convert labels to an array: None beside numbers becomes NaN, infinity raises an error."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O" and labels.ndim == 1:
        known = [v for v in labels if not is_missing(v)]
        if known and all(isinstance(v, Real) and not isinstance(v, bool) for v in known):
            labels = np.array([np.nan if is_missing(v) else v for v in labels], np.float64)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise InputError(
            f"{at_row(int(np.argmax(np.isinf(labels))))}: {name} is infinite; expected a finite "
            "number, or NaN if the value is unknown"
        )
    return labels


def are_classes(y: npt.NDArray[Any]) -> bool:
    """Return whether labels are classes rather than regression targets."""
    if y.dtype.kind == "f":
        known = y[~np.isnan(y)]
        return _all_integers(known) and _few_values(known)
    return _few_values(y) if y.dtype.kind in "iu" else True


def _all_integers(numbers: npt.NDArray[Any]) -> bool:
    return bool(((numbers == np.floor(numbers)) & (np.abs(numbers) < 2.0**53)).all())


def _few_values(y: npt.NDArray[Any]) -> bool:
    if not len(y):
        return False
    if y.dtype.kind in "iu" and int(y.max()) - int(y.min()) < MAX_NUMERIC_CLASSES:
        return True
    return len(np.unique(y)) <= MAX_NUMERIC_CLASSES


def encode_labels(
    y: npt.NDArray[Any], classes: Sequence[Label] | None = None
) -> tuple[Codes, tuple[Label, ...]]:
    """Return class codes, and the classes: those given, or all that occur, in natural order."""
    if y.dtype.kind in "iub" and len(y):
        return _encode_integers(y, classes)
    if y.dtype.kind == "f":
        known = ~np.isnan(y)
        if known.any() and _all_integers(y[known]):
            codes = np.full(len(y), UNKNOWN, np.int32)
            integers = y[known].astype(np.int64)
            codes[known], found = _encode_integers(integers, classes, np.flatnonzero(known))
            return codes, found
    text = np.array([None if is_missing(v) else v for v in y.tolist()], dtype=object)
    if classes is None:
        classes = sorted({v for v in text if v is not None}, key=_natural_order)
    code = {label: i for i, label in enumerate(classes)}
    try:
        return np.array([UNKNOWN if v is None else code[v] for v in text], np.int32), tuple(classes)
    except KeyError:
        row = next(i for i, v in enumerate(text) if v is not None and v not in code)
        raise _undeclared_label(row, text[row], classes) from None


def _encode_integers(
    y: npt.NDArray[Any], classes: Sequence[Label] | None, rows: Longs | None = None
) -> tuple[Codes, tuple[Label, ...]]:
    """Encode integers; those of a small range with a lookup table, which avoids sorting.

    `rows` are the row numbers of the labels, if not every row has one.
    """
    kind = bool if y.dtype.kind == "b" else int
    y = y.view(np.uint8) if kind is bool else y
    low, high = int(y.min()), int(y.max())
    if high - low > _TABLE_RANGE:
        values = np.unique(y)
    else:
        present = np.zeros(high - low + 1, np.bool_)
        _mark_present(y, low, present)
        values = np.flatnonzero(present) + low
    if classes is None:
        classes = tuple(kind(v) for v in values)
    code_of = {label: i for i, label in enumerate(classes)}
    value_codes = np.array([code_of.get(kind(v), UNDECLARED) for v in values], np.int32)
    if (value_codes == UNDECLARED).any():
        i = int(np.argmax(np.isin(y, values[value_codes == UNDECLARED])))
        raise _undeclared_label(i if rows is None else int(rows[i]), kind(y[i]), classes)
    if high - low > _TABLE_RANGE:
        return value_codes[np.searchsorted(values, y)], tuple(classes)
    table = np.zeros(high - low + 1, np.int32)
    table[values - low] = value_codes
    codes = np.empty(len(y), np.int32)
    _look_up(y, low, table, codes)
    return codes, tuple(classes)


@kernel
def _mark_present(y: Longs, low: int, present: npt.NDArray[np.bool_]) -> None:
    for i in range(len(y)):
        present[y[i] - low] = True


@kernel
def _look_up(y: Longs, low: int, table: Codes, codes: Codes) -> None:
    for i in range(len(y)):
        codes[i] = table[y[i] - low]


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN or pandas' NA."""
    try:
        return value is None or bool(value != value)  # only NaN differs from itself
    except (TypeError, ValueError):  # pandas' NA and arrays have no truth value
        return type(value).__name__ == "NAType"


def _natural_order(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _undeclared_label(row: int, label: object, classes: Sequence[Label]) -> InputError:
    return InputError(
        f"{at_row(row)}: label {label!r} is not one of the declared classes "
        f"({', '.join(map(repr, classes))}); add it to them, or use None or "
        "NaN if the label is unknown"
    )
