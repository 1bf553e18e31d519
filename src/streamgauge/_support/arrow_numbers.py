"""Arrow columns of numbers, and of names, from and to NumPy, without pandas.

pyarrow's own conversions import pandas where it is installed, which takes longer than to draw a
saved run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.types import Floats, Mask

_DTYPES = {pa.float64(): np.float64, pa.int64(): np.int64, pa.int32(): np.int32}


def numbers(column: Any) -> npt.NDArray[Any]:
    """The values of a column, NaN where one is missing; not copied unless that is needed.

    >>> numbers(pa.array([1.5, None])).tolist(), numbers(pa.chunked_array([[1, 2], [3]])).tolist()
    ([1.5, nan], [1, 2, 3])
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if column.type not in _DTYPES:
        values: npt.NDArray[Any] = np.asarray(column)
        return values
    parts = [_numbers(chunk) for chunk in chunks if len(chunk)]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([np.empty(0, _DTYPES[column.type]), *parts])


def _numbers(array: pa.Array) -> npt.NDArray[Any]:
    bitmap, content = array.buffers()
    span = slice(array.offset, array.offset + len(array))
    values: npt.NDArray[Any] = np.frombuffer(content, _DTYPES[array.type])[span]
    if not array.null_count:
        return values
    known = np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder="little")[span]
    return np.where(known, values, np.nan)


def arrow_floats(values: Floats) -> pa.Array:
    """A column of these values; null where a value is not finite.

    >>> arrow_floats(np.array([1.5, np.nan, np.inf])).to_pylist()
    [1.5, None, None]
    """
    known = np.isfinite(values)
    bitmap = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
    content = pa.py_buffer(np.ascontiguousarray(values, np.float64))
    return pa.Array.from_buffers(pa.float64(), len(values), [bitmap, content])


def arrow_numbers(values: npt.NDArray[Any], missing: Mask | None = None) -> pa.Array:
    """A column of these numbers, in their type; null where one is missing. NaN stays NaN.

    >>> arrow_numbers(np.array([1.5, np.nan])).to_pylist()
    [1.5, nan]
    >>> arrow_numbers(np.array([1, -1]), np.array([False, True])).to_pylist()
    [1, None]
    """
    bitmap = None
    if missing is not None and missing.any():
        bitmap = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    content = np.ascontiguousarray(values)
    kind = pa.from_numpy_dtype(content.dtype)
    return pa.Array.from_buffers(kind, len(content), [bitmap, pa.py_buffer(content)])


def arrow_texts(texts: Iterable[str | None]) -> pa.Array:
    """A column of these texts.

    >>> arrow_texts(["up", None]).to_pylist()
    ['up', None]
    """
    builder = pa.lib.StringBuilder()
    builder.append_values(texts)
    return builder.finish()


def arrow_integers(values: npt.ArrayLike) -> pa.Array:
    """A column of these integers."""
    content = np.ascontiguousarray(values, np.int64)
    return pa.Array.from_buffers(pa.int64(), len(content), [None, pa.py_buffer(content)])


def arrow_names(lengths: Mapping[str, int]) -> pa.Array:
    """A column of names, each as often as its number says.

    >>> arrow_names({"tree": 2, "é": 1}).to_pylist()
    ['tree', 'tree', 'é']
    """
    texts = [name.encode("utf-8", "replace") for name in lengths]
    sizes = np.repeat([len(text) for text in texts], list(lengths.values()))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    content = b"".join(text * count for text, count in zip(texts, lengths.values(), strict=True))
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.large_string(), len(sizes), buffers).cast(pa.string())
