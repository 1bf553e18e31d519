"""Row operations on tables inside kernels.

They are loops because assigning a slice makes numba compile its text formatting as well, for an
error message that cannot occur.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from streamgauge._support.jit import inlined
from streamgauge._support.types import Codes


@inlined
def copy_row(table: npt.NDArray[Any], row: int, to: npt.NDArray[Any], to_row: int) -> None:
    """Copy a row of a table to a row of another table, or of the same one."""
    for column in range(table.shape[1]):
        to[to_row, column] = table[row, column]


@inlined
def clear_row(table: npt.NDArray[Any], row: int) -> None:
    """Set a row to 0."""
    for column in range(table.shape[1]):
        table[row, column] = 0.0


@inlined
def insert_sorted(table: Codes, row: int, count: int, value: int) -> None:
    """Insert a value into the first `count` entries of a row, which are sorted."""
    place = count
    while place > 0 and table[row, place - 1] > value:
        table[row, place] = table[row, place - 1]
        place -= 1
    table[row, place] = value
