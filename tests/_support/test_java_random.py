"""java.util.Random: numbers that Java prints, and the oracle's, draw by draw.

Normal numbers are drawn by kernels alone: the rows of generators test them.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.java_random import MOST_SEED, JavaRandom
from tests.oracles import java_random as oracle


def test_numbers_that_java_prints() -> None:
    """Of `new Random(42)`, a new one for each kind."""
    integers, literal = JavaRandom(42), oracle.JavaRandom(42)
    assert [integers.integers(100) for _ in range(5)] == [30, 63, 48, 84, 70]
    assert [literal.below(100) for _ in range(5)] == [30, 63, 48, 84, 70]
    assert JavaRandom(42).random() == oracle.JavaRandom(42).double() == 0.7275636800328681
    assert oracle.JavaRandom(42).gaussian() == 1.1419053154730547


@given(st.integers(0, MOST_SEED), st.integers(1, 2**31 - 1))
def test_draws_are_the_oracles(seed: int, bound: int) -> None:
    random, literal = JavaRandom(seed), oracle.JavaRandom(seed)
    for _ in range(50):
        assert random.integers(bound) == literal.below(bound)
        assert random.random() == literal.double()


@pytest.mark.parametrize(
    "x", [2.0**-104, 1e-9, 0.25, 0.37, 0.5, 0.7071, 0.70710678118654, 0.7072, 0.99, 1 - 2.0**-53]
)
def test_the_oracles_logarithm_is_one(x: float) -> None:
    assert math.isclose(oracle.fdlibm_log(x), math.log(x), rel_tol=3e-16)
