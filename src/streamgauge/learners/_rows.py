"""Row operations for kernels, without slice assignments.

With slice assignments, numba would also compile text formatting, for the message of an error that
cannot occur.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from streamgauge._support.jit import inlined
from streamgauge._support.types import Codes, Floats


@inlined
def copy_row(table: npt.NDArray[Any], row: int, into: npt.NDArray[Any], place: int) -> None:
    """Copy a row of a table into a row of another, or of the same."""
    for column in range(table.shape[1]):
        into[place, column] = table[row, column]


@inlined
def clear_row(table: Floats, row: int) -> None:
    """Set a row to 0."""
    for column in range(table.shape[1]):
        table[row, column] = 0.0


@inlined
def put_in_order(table: Codes, row: int, count: int, value: int) -> None:
    """Insert a value into the first `count` entries of a row, which are sorted."""
    place = count
    while place > 0 and table[row, place - 1] > value:
        table[row, place] = table[row, place - 1]
        place -= 1
    table[row, place] = value
