"""SIMD and bit instructions: kernels and plain Python agree."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge._support.simd import WIDTH, count_bits, equal_bytes, lowest_bit, word_at
from streamgauge._support.types import Flags
from tests.compiled import compiled


@compiled
def _compiled(data: Flags, start: int) -> tuple[np.uint64, np.uint64, int, int]:
    word = word_at(data, start)
    return word, equal_bytes(data, start, 44), lowest_bit(word), count_bits(word)


@pytest.mark.parametrize("start", [0, 1, 7, 13, 63])
def test_kernel_and_python_agree(start: int) -> None:
    data = np.random.default_rng(start).integers(40, 48, 2 * WIDTH).astype(np.uint8)
    word = word_at(data, start)
    assert int(word) == int.from_bytes(bytes(data[start : start + 8]), "little")
    plain = word, equal_bytes(data, start, 44), lowest_bit(word), count_bits(word)
    assert _compiled(data, start) == plain
