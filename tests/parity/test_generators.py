"""compat="moa": 10,000 rows of CapyMOA's generators, equal to the last digit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.streams.generators.moa_cases import CASES
from tests.streams.tables import whole

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # of CapyMOA


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("seed", [0, 1, 42, 2**31 - 1])
def test_rows_are_moas(case: Any, seed: int) -> None:
    rows = moas_rows(case.moa, seed, 10_000)
    block = whole(case.stream(10_000, seed))
    assert np.array_equal(block.X, rows[:, :-1])
    assert np.array_equal(block.y, rows[:, -1])


def moas_rows(generator: str, seed: int, n: int) -> Any:
    """Features and class of MOA's first n rows."""
    from capymoa.stream import MOAStream
    from jpype import JClass

    name, _, options = generator.partition(" ")
    source = JClass(f"moa.streams.generators.{name}")()
    stream = MOAStream(source, CLI=f"-i {seed} {options}")
    rows = [stream.next_instance() for _ in range(n)]
    return np.array([[*row.x, row.y_index] for row in rows])
