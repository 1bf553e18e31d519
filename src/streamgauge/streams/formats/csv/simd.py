"""What a processor does at once and Python has no word for: compare 64 bytes, find and count bits.

Each function is plain Python; compiled kernels that call it get the processor's instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from streamgauge._support.types import Flags

WIDTH = 64  # bytes that `equal_bytes` looks at


def equal_bytes(data: Flags, start: int, byte: int) -> np.uint64:
    """Which of the 64 bytes from `start` on are `byte`: the first is the lowest bit."""
    bits = np.packbits(data[start : start + WIDTH] == byte, bitorder="little")
    return np.uint64(int.from_bytes(bits.tobytes(), "little"))


def lowest_bit(word: np.uint64) -> int:
    """The place of the lowest bit that is set; one must be."""
    return (int(word) & -int(word)).bit_length() - 1


def count_bits(word: np.uint64) -> int:
    """How many are set."""
    return int(word).bit_count()


@intrinsic  # type: ignore[untyped-decorator]
def _equal_bytes(typing: Any, data: Any, start: Any, byte: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, given[0])
        vector = ir.VectorType(ir.IntType(8), WIDTH)
        place = builder.gep(array.data, [given[1]])
        seen = builder.load(builder.bitcast(place, vector.as_pointer()), align=1)
        empty = ir.Constant(vector, ir.Undefined)
        one = builder.insert_element(
            empty, builder.trunc(given[2], ir.IntType(8)), ir.IntType(32)(0)
        )
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), None)
        sought = builder.shuffle_vector(one, empty, everywhere)
        return builder.bitcast(builder.icmp_unsigned("==", seen, sought), ir.IntType(64))

    return types.uint64(data, types.intp, types.intp), make


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


@overload(lowest_bit, strict=False)  # type: ignore[untyped-decorator]
def _compiled_lowest_bit(word: Any) -> Any:
    return lambda word: _lowest_bit(word)  # noqa: PLW0108 - numba wants a function


@overload(count_bits, strict=False)  # type: ignore[untyped-decorator]
def _compiled_count_bits(word: Any) -> Any:
    return lambda word: _count_bits(word)  # noqa: PLW0108 - numba wants a function
