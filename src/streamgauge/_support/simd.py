"""SIMD and bit instructions: compare 64 bytes at a time, load eight, find and count bits.

The functions work in plain Python; kernels that call them get the processor's instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from streamgauge._support.types import Flags

WIDTH = 64  # bytes that `equal_bytes` compares


def equal_bytes(data: Flags, start: int, byte: int) -> np.uint64:
    """Return a bit for each of the 64 bytes from `start` on that equals `byte`, lowest first."""
    bits = np.packbits(data[start : start + WIDTH] == byte, bitorder="little")
    return np.uint64(int.from_bytes(bits.tobytes(), "little"))


def word_at(data: Flags, start: int) -> np.uint64:
    """Return the eight bytes from `start` on, the first one lowest."""
    return np.uint64(int.from_bytes(data[start : start + 8].tobytes(), "little"))


def lowest_bit(word: np.uint64) -> int:
    """Return the index of the lowest set bit; `word` must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def count_bits(word: np.uint64) -> int:
    """Return the number of set bits."""
    return int(word).bit_count()


@intrinsic  # type: ignore[untyped-decorator]
def _equal_bytes(typing: Any, data: Any, start: Any, byte: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, given[0])
        vector = ir.VectorType(ir.IntType(8), WIDTH)
        address = builder.gep(array.data, [given[1]])
        loaded = builder.load(builder.bitcast(address, vector.as_pointer()), align=1)
        undefined = ir.Constant(vector, ir.Undefined)
        one = builder.insert_element(
            undefined, builder.trunc(given[2], ir.IntType(8)), ir.IntType(32)(0)
        )
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), None)
        pattern = builder.shuffle_vector(one, undefined, zeros)
        return builder.bitcast(builder.icmp_unsigned("==", loaded, pattern), ir.IntType(64))

    return types.uint64(data, types.intp, types.intp), make


@intrinsic  # type: ignore[untyped-decorator]
def _word_at(typing: Any, data: Any, start: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, given[0])
        address = builder.gep(array.data, [given[1]])
        return builder.load(builder.bitcast(address, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(data, types.intp), make


@intrinsic  # type: ignore[untyped-decorator]
def _lowest_bit(typing: Any, word: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], ir.IntType(1)(1))

    return types.intp(types.uint64), make


@intrinsic  # type: ignore[untyped-decorator]
def _count_bits(typing: Any, word: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.ctpop(given[0])

    return types.intp(types.uint64), make


@overload(equal_bytes, strict=False)  # type: ignore[untyped-decorator]
def _compiled_equal_bytes(data: Any, start: Any, byte: Any) -> Any:
    return lambda data, start, byte: _equal_bytes(data, start, byte)  # noqa: PLW0108 - numba wants a function


@overload(word_at, strict=False)  # type: ignore[untyped-decorator]
def _compiled_word_at(data: Any, start: Any) -> Any:
    return lambda data, start: _word_at(data, start)  # noqa: PLW0108 - numba wants a function


@overload(lowest_bit, strict=False)  # type: ignore[untyped-decorator]
def _compiled_lowest_bit(word: Any) -> Any:
    return lambda word: _lowest_bit(word)  # noqa: PLW0108 - numba wants a function


@overload(count_bits, strict=False)  # type: ignore[untyped-decorator]
def _compiled_count_bits(word: Any) -> Any:
    return lambda word: _count_bits(word)  # noqa: PLW0108 - numba wants a function
