"""Labels that lie in memory: are they classes or numbers, and the classes' codes."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError
from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Label, Longs
from streamgauge.streams.base import at_row
from streamgauge.streams.formats.schema_inference import FOREIGN, MOST_CLASSES_OF_NUMBERS

_TABLE_RANGE = 1 << 20


def as_labels(y: npt.ArrayLike | Sequence[object], name: str) -> npt.NDArray[Any]:
    """Labels as an array; numbers beside None become floats, None NaN; infinity is refused."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O" and labels.ndim == 1:
        known = [v for v in labels if not is_missing(v)]
        if known and all(isinstance(v, Real) and not isinstance(v, bool) for v in known):
            labels = np.array([np.nan if is_missing(v) else v for v in labels], np.float64)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise InputError(
            f"{at_row(int(np.argmax(np.isinf(labels))))}: {name} is infinite; expected a finite "
            "number, or NaN if it is unknown"
        )
    return labels


def are_classes(y: npt.NDArray[Any]) -> bool:
    """Are these labels classes rather than a quantity?"""
    if y.dtype.kind == "f":
        known = y[~np.isnan(y)]
        return _whole(known) and _few(known)
    return _few(y) if y.dtype.kind in "iu" else True


def _whole(numbers: npt.NDArray[Any]) -> bool:
    return bool(((numbers == np.floor(numbers)) & (np.abs(numbers) < 2.0**53)).all())


def _few(y: npt.NDArray[Any]) -> bool:
    if not len(y):
        return False
    if y.dtype.kind in "iu" and int(y.max()) - int(y.min()) < MOST_CLASSES_OF_NUMBERS:
        return True
    return len(np.unique(y)) <= MOST_CLASSES_OF_NUMBERS


def encode_labels(
    y: npt.NDArray[Any], classes: Sequence[Label] | None = None
) -> tuple[Codes, tuple[Label, ...]]:
    """Labels as codes, and the classes: those given, or all there are, in natural order."""
    if y.dtype.kind in "iub" and len(y):
        return _encode_whole(y, classes)
    if y.dtype.kind == "f":
        known = ~np.isnan(y)
        if known.any() and _whole(y[known]):
            codes = np.full(len(y), UNKNOWN, np.int32)
            whole = y[known].astype(np.int64)
            codes[known], found = _encode_whole(whole, classes, np.flatnonzero(known))
            return codes, found
    text = np.array([None if is_missing(v) else v for v in y.tolist()], dtype=object)
    if classes is None:
        classes = sorted({v for v in text if v is not None}, key=_natural)
    code = {label: i for i, label in enumerate(classes)}
    try:
        return np.array([UNKNOWN if v is None else code[v] for v in text], np.int32), tuple(classes)
    except KeyError:
        row = next(i for i, v in enumerate(text) if v is not None and v not in code)
        raise _foreign_label(row, text[row], classes) from None


def _encode_whole(
    y: npt.NDArray[Any], classes: Sequence[Label] | None, rows: Longs | None = None
) -> tuple[Codes, tuple[Label, ...]]:
    """Whole numbers of a small range go through a table: no sorting of millions of labels.

    `rows`: where these labels stand, if not in every row.
    """
    kind = bool if y.dtype.kind == "b" else int
    y = y.view(np.uint8) if kind is bool else y
    low, high = int(y.min()), int(y.max())
    if high - low > _TABLE_RANGE:
        values = np.unique(y)
    else:
        there = np.zeros(high - low + 1, np.bool_)
        _mark(y, low, there)
        values = np.flatnonzero(there) + low
    if classes is None:
        classes = tuple(kind(v) for v in values)
    place = {label: i for i, label in enumerate(classes)}
    wanted = np.array([place.get(kind(v), FOREIGN) for v in values], np.int32)
    if (wanted == FOREIGN).any():
        i = int(np.argmax(np.isin(y, values[wanted == FOREIGN])))
        raise _foreign_label(i if rows is None else int(rows[i]), kind(y[i]), classes)
    if high - low > _TABLE_RANGE:
        return wanted[np.searchsorted(values, y)], tuple(classes)
    table = np.zeros(high - low + 1, np.int32)
    table[values - low] = wanted
    codes = np.empty(len(y), np.int32)
    _translate(y, low, table, codes)
    return codes, tuple(classes)


@kernel
def _mark(y: Longs, low: int, there: npt.NDArray[np.bool_]) -> None:
    for i in range(len(y)):
        there[y[i] - low] = True


@kernel
def _translate(y: Longs, low: int, table: Codes, codes: Codes) -> None:
    for i in range(len(y)):
        codes[i] = table[y[i] - low]


def is_missing(value: object) -> bool:
    """None, NaN or pandas' NA."""
    try:
        return value is None or bool(value != value)  # NaN is what differs from itself
    except (TypeError, ValueError):  # pandas' NA will not be compared; nor will an array
        return type(value).__name__ == "NAType"


def _natural(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _foreign_label(row: int, label: object, classes: Sequence[Label]) -> InputError:
    return InputError(
        f"{at_row(row)}: label {label!r} is not one of the declared classes "
        f"({', '.join(map(repr, classes))}); declare it too, or use None or NaN if it is unknown"
    )
