"""Arrays that users pass: masks, byte orders, exact integers; what has no value is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError
from streamgauge._support.types import Floats
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats.arrow_cells import EXACT, is_exact

_REFUSED = {"c": "complex numbers", "M": "times", "m": "durations", "V": "records"}


def plain_array(given: Any, name: str) -> npt.NDArray[Any]:
    """Convert to an array in this machine's byte order; masked elements become None or NaN.

    Integers that NumPy would round to float64 are kept as objects.

    Parameters
    ----------
    given
        What the user passes.
    name
        Names it in error messages.
    """
    if hasattr(given, "toarray") and hasattr(given, "nnz"):
        raise InputError(
            f"{name} is a sparse matrix ({type(given).__name__}); expected a dense array: pass "
            f"{name}.toarray()"
        )
    try:
        array = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}; expected an array of equally long rows") from None
    if array.dtype.kind in _REFUSED:
        raise InputError(
            f"{name} holds {_REFUSED[array.dtype.kind]} ({array.dtype}); expected numbers, text or "
            "booleans: convert it"
        )
    if array.dtype.kind == "f" and not isinstance(given, np.ndarray) and _any_large(array):
        array = _unrounded(given)
    mask = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else None
    if mask is not None and mask.any():
        array = array.astype(np.float64 if array.dtype.kind == "f" else object)
        array[mask] = np.nan if array.dtype.kind == "f" else None
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def feature_matrix(given: Any, name: str, expected: str = "numbers") -> Floats:
    """Convert to float64, in C order; None is NaN. Raise an error for what loses its value.

    `expected` says in error messages what is expected.
    """
    array = plain_array(given, name)
    try:
        floats = np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name}: {error}; expected {expected}") from None
    check_exact(array, floats, name)
    return floats


def check_exact(array: npt.NDArray[Any], floats: Floats, name: str) -> None:
    """Raise an error for an integer that float64 cannot hold; `floats` is the array as float64."""
    if array.dtype.kind not in "iuO" or array.dtype.itemsize < 8:
        return
    for place in np.argwhere(np.abs(floats) >= EXACT).tolist():
        cell = array[tuple(place)]
        if not is_exact(cell):
            raise InputError(
                f"{at_row(place[0])}: {name} is {cell}, an integer beyond 2^53, which loses digits "
                "as a float64 number; if it is an identifier, leave it out; else store it as a "
                "float"
            )


def _any_large(array: npt.NDArray[Any]) -> bool:
    with np.errstate(invalid="ignore"):
        return bool((np.abs(array) >= EXACT).any())


def _unrounded(given: Any) -> npt.NDArray[Any]:
    """Convert to an array of the Python objects; Arrow's and polars' null is None."""
    for method in ("to_pylist", "to_list"):
        if hasattr(given, method):
            given = getattr(given, method)()
    return np.array(given, object)
