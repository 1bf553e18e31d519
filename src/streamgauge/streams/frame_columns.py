"""Convert columns of pandas, polars and Arrow frames, and lists of Python values, to Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError
from streamgauge.streams.blocks import at_row
from streamgauge.streams.columns import is_frame
from streamgauge.streams.formats._column_scan import inexact_integer
from streamgauge.streams.formats.arrow_cells import is_exact
from streamgauge.streams.label_codes import is_missing

_MAX_DIGITS = 76  # of Arrow's largest decimal type


def arrow_columns(frame: Any) -> dict[str, pa.Array]:
    """Return a frame's columns as Arrow arrays."""
    names = [str(column) for column in columns_of(frame)]
    table = to_arrow(frame, names, range(len(names))).combine_chunks()
    columns = {column: chunk_of(table, column) for column in table.column_names}
    return {  # Arrow cannot `take` from string views, polars' text type
        name: pc.cast(cells, pa.string()) if pa.types.is_string_view(cells.type) else cells
        for name, cells in columns.items()
    }


def columns_of(frame: Any) -> Sequence[Any]:
    """Return the column names of a frame; raise an error for anything else."""
    if hasattr(frame, "column_names"):
        return list(frame.column_names)
    if not is_frame(frame):
        raise InputError(
            f"expected a pandas, polars or Arrow data frame, got {type(frame).__name__}; use "
            "from_arrays for numpy arrays and from_rows for (dict, label) pairs"
        )
    return list(frame.columns)


def to_arrow(frame: Any, names: Sequence[str], indices: Sequence[int]) -> pa.Table:
    """Convert the columns at these indices."""
    named = [names[j] for j in indices]
    pandas = hasattr(frame, "iloc")
    polars = hasattr(frame, "get_columns")  # its types Arrow may not know; others Arrow reads
    try:
        if pandas:  # pandas 2 cannot choose big-endian columns: a ValueError
            chosen = frame.iloc[:, indices]
            return pa.Table.from_pandas(chosen, preserve_index=False).rename_columns(named)
        table = pa.table(frame[:, list(indices)]) if polars else pa.table(frame).select(indices)
        return table.rename_columns(named)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # one column at a time
        if not pandas and not polars:
            raise InputError(
                f"expected a pandas, polars or Arrow data frame, got {type(frame).__name__}"
            ) from None
    columns = (frame.iloc[:, j] if pandas else frame[:, j] for j in indices)
    return pa.table(list(map(_of_column, named, columns)), named)


def _of_column(name: str, column: Any) -> pa.Array:
    """Convert a pandas or polars column that Arrow may not know."""
    kind = column.dtype
    if hasattr(kind, "isnative") and not kind.isnative:
        column = column.astype(kind.newbyteorder("="))
    elif hasattr(column, "sparse"):
        column = column.sparse.to_dense()
    try:
        array = pa.array(column, from_pandas=True)
    except (pa.ArrowException, TypeError, OverflowError):
        array = to_array(name, column.to_list())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def chunk_of(table: pa.Table, column: str) -> pa.Array:
    """Return a column of a table whose chunks are combined."""
    chunks = table.column(column)
    return chunks.chunk(0) if chunks.num_chunks else pa.array([], chunks.type)


def to_array(name: str, cells: list[Any]) -> pa.Array:
    """Convert a column of Python values; raise an error with the row where their type changes."""
    known = [None if is_missing(cell) else cell for cell in cells]
    try:
        return pa.array(known)
    except (pa.ArrowException, OverflowError):
        rows = [i for i, cell in enumerate(known) if cell is not None]
    if all(isinstance(known[i], Integral) for i in rows):  # more than 64 bits
        return _to_decimals(name, known)
    if all(isinstance(known[i], Real) for i in rows):  # e.g. large integers beside floats
        for i in rows:
            if not is_exact(known[i]):
                raise inexact_integer(at_row(i), name, known[i])
        return pa.array([None if cell is None else float(cell) for cell in known], pa.float64())
    first = known[rows[0]]
    text = isinstance(first, str)
    others = [i for i in rows if isinstance(known[i], str) != text]
    row = (others or [i for i in rows if type(known[i]) is not type(first)] or rows)[0]
    after = f" after values such as {first!r}" if row != rows[0] else ""
    raise InputError(
        f"{at_row(row)}: {name!r} is {known[row]!r}{after}; expected one type per column: numeric "
        "or text"
    )


def _to_decimals(name: str, cells: list[Any]) -> pa.Array:
    """Convert integers of more than 64 bits, which no other type holds exactly."""
    try:
        exact = [None if cell is None else Decimal(int(cell)) for cell in cells]
        return pa.array(exact, pa.decimal256(_MAX_DIGITS, 0))
    except pa.ArrowInvalid:
        raise InputError(
            f"{name!r} holds integers of more than {_MAX_DIGITS} digits; expected numbers that "
            "float64 holds, or text"
        ) from None
