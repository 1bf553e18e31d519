"""Labels in memory: classification or regression, and the codes of classes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError, shown
from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Floats, Label, Longs
from streamgauge.streams.arrays import check_exact, plain_array
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats._column_scan import MAX_NUMERIC_CLASSES, same_but_for_blanks
from streamgauge.streams.formats.arrow_cells import EXACT, as_text, is_exact
from streamgauge.streams.formats.schema_inference import UNDECLARED, ambiguous_labels

_TABLE_RANGE = 1 << 20


def as_labels(y: npt.ArrayLike | Sequence[object], name: str) -> npt.NDArray[Any]:
    """Convert labels to an array of numbers, booleans or objects.

    Objects are text, booleans, or integers beyond 2^53, with None for a missing label. A missing
    number is NaN.
    """
    labels = plain_array(y, name)
    if labels.dtype.kind == "S":
        first = labels.reshape(-1)[:1].tolist()
        raise InputError(
            f"{name} holds bytes such as {first[0] if first else b''!r}; expected text, numbers or "
            f"booleans: decode it: np.char.decode({name})"
        )
    if labels.ndim != 1:
        return labels
    if labels.dtype.kind == "O":
        labels = _of_objects(labels, name)
    if labels.dtype.kind == "f":
        labels = labels.astype(np.float64)
        if np.isinf(labels).any():
            raise InputError(
                f"{at_row(int(np.argmax(np.isinf(labels))))}: {name} is infinite; expected a "
                "finite number, or NaN if the value is unknown"
            )
    if labels.dtype == np.uint64:  # beyond int64, Python's integers are exact
        labels = labels.astype(np.int64 if (labels < 1 << 63).all() else object)
    return labels.astype(object) if labels.dtype.kind == "T" else labels


def _of_objects(labels: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Convert Python objects, all of one kind."""
    values = [None if is_missing(v) else v for v in labels.tolist()]
    known = [v for v in values if v is not None]
    kind = _kind(known[0]) if known else "text"
    for row, value in enumerate(values):
        if value is not None and (_kind(value) != kind or kind is None):
            after = f" after {next(v for v in known)!r}" if kind and kind != _kind(value) else ""
            raise InputError(
                f"{at_row(row)}: {name} is {value!r} ({type(value).__name__}){after}; expected "
                "labels of one type: text, numbers or booleans"
            )
    if kind == "number":
        return _of_numbers(values, name)
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects


def _kind(value: Any) -> str | None:
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, str):
        return "text"
    return "number" if isinstance(value, Real | Decimal) else None


def _of_numbers(values: list[Any], name: str) -> npt.NDArray[Any]:
    """Convert numbers to float64; integers beyond 2^53 stay Python's, those of 65 bits become text.

    They may not be beside fractions, which would round them.
    """
    floats = np.array([np.nan if v is None else float(v) for v in values])
    if not (np.abs(floats) >= EXACT).any():
        return floats
    if not all(v is None or (isinstance(v, Integral | Decimal) and v == int(v)) for v in values):
        inexact = [i for i, v in enumerate(values) if v is not None and not is_exact(v)]
        if not inexact:
            return floats
        raise InputError(
            f"{at_row(inexact[0])}: {name} is {values[inexact[0]]}, an integer beyond 2^53, beside "
            "fractions; expected numbers that float64 holds"
        )
    known: list[Any] = [None if v is None else int(v) for v in values]
    if any(v is not None and not -(1 << 63) <= v < 1 << 64 for v in known):
        known = [None if v is None else str(v) for v in known]  # as in a file
    objects = np.empty(len(values), object)
    objects[:] = known
    return objects


def as_targets(y: npt.NDArray[Any], name: str) -> Floats:
    """Convert the labels of a regression to float64, which must hold them."""
    if y.dtype.kind not in "iufb" and not _are_integers(y):
        raise UsageError(f"{name} is text; task='regression' expects a numeric target")
    floats: Floats = y.astype(np.float64)
    check_exact(y, floats, name)
    return floats


def _are_integers(y: npt.NDArray[Any]) -> bool:
    """Whether an array of objects holds integers, which are beyond 2^53."""
    first = next((v for v in y.tolist() if v is not None), None)
    return isinstance(first, int) and not isinstance(first, bool)


def are_classes(y: npt.NDArray[Any]) -> bool:
    """Return whether labels are classes rather than regression targets."""
    if y.dtype.kind == "f":
        known = y[~np.isnan(y)]
        return _all_integers(known) and _few_values(known)
    if y.dtype.kind == "O" and _are_integers(y):
        return len({v for v in y.tolist() if v is not None}) <= MAX_NUMERIC_CLASSES
    return _few_values(y) if y.dtype.kind in "iu" else True


def _all_integers(numbers: npt.NDArray[Any]) -> bool:
    return bool(((numbers == np.floor(numbers)) & (np.abs(numbers) < EXACT)).all())


def _few_values(y: npt.NDArray[Any]) -> bool:
    if not len(y):
        return False
    if y.dtype.kind in "iu" and int(y.max()) - int(y.min()) < MAX_NUMERIC_CLASSES:
        return True
    return len(np.unique(y)) <= MAX_NUMERIC_CLASSES


def encode_labels(
    y: npt.NDArray[Any], classes: Sequence[Label] | None = None, name: str = "y"
) -> tuple[Codes, tuple[Label, ...]]:
    """Return class codes, and the classes: those given, or all that occur, in natural order.

    Parameters
    ----------
    y
        Labels as `as_labels` returns them.
    classes
        The declared classes; labels such as "None" that are not among them are missing.
    name
        Names the labels in error messages.
    """
    if y.dtype.kind in "iub" and len(y):
        return _encode_integers(y, classes)
    if y.dtype.kind == "f":
        known = ~np.isnan(y)
        if known.any() and _all_integers(y[known]):
            codes = np.full(len(y), UNKNOWN, np.int32)
            integers = y[known].astype(np.int64)
            codes[known], found = _encode_integers(integers, classes, np.flatnonzero(known))
            return codes, found
    labels = [None if is_missing(v) else v for v in y.tolist()]
    if any(isinstance(v, str) for v in labels):
        value_of = _values_of_texts({v for v in labels if isinstance(v, str)}, classes, name)
        labels = [value_of[v] if isinstance(v, str) else v for v in labels]
    if classes is None:
        classes = sorted({v for v in labels if v is not None}, key=_natural_order)
    code = {label: i for i, label in enumerate(classes)}
    try:
        codes = np.array([UNKNOWN if v is None else code[v] for v in labels], np.int32)
    except KeyError:
        row = next(i for i, v in enumerate(labels) if v is not None and v not in code)
        raise _undeclared_label(row, labels[row], classes) from None
    return codes, tuple(classes)


def _values_of_texts(
    texts: set[str], classes: Sequence[Label] | None, name: str
) -> dict[str, str | None]:
    """Return the class of each text, as in a file: None if missing. Spellings must not clash."""
    keep = [label for label in classes or () if isinstance(label, str)]
    value_of = dict(
        zip(texts, as_text(pa.array(texts, pa.string()), keep).to_pylist(), strict=True)
    )
    if classes is None:
        words = {text.strip() for text, value in value_of.items() if value is None} - {"", "?"}
        values = {value for value in value_of.values() if value is not None}
        if words:
            raise ambiguous_labels(words, sorted(values), name)
        spelt: dict[str, str] = {}
        for text, value in sorted(value_of.items()):
            if value is not None and spelt.setdefault(value, text) != text:
                raise same_but_for_blanks(name, spelt[value], text)
    return value_of


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
    """Return whether a value is None, NaN, pandas' NA or NumPy's masked."""
    if value is np.ma.masked:
        return True
    try:
        return value is None or bool(value != value)  # only NaN differs from itself
    except (TypeError, ValueError):  # pandas' NA and arrays have no truth value
        return type(value).__name__ == "NAType"


def _natural_order(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _undeclared_label(row: int, label: object, classes: Sequence[Label]) -> InputError:
    return InputError(
        f"{at_row(row)}: label {shown(label)} is not one of the declared classes "
        f"({', '.join(map(repr, classes))}); add it to them, or use None or "
        "NaN if the label is unknown"
    )
