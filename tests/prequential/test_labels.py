"""Label policies: sampled labels, and options and times that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER
from streamgauge.prequential.labels import Chunks, Delay, FromStream, Sampled
from tests.prequential.agenda_cases import block_of, cut_rows, write


@given(cut_rows(), st.floats(0.05, 1.0), st.integers(0, 99))
def test_sampled_depends_only_on_row_and_seed(
    rows: tuple[int, list[bool], list[int]], p: float, seed: int
) -> None:
    n, _, cuts = rows
    policy = Sampled(p, seed=seed)
    events = write(policy, block_of(n), cuts)
    assert events == write(policy, block_of(n), [])
    learned = [row for op, row in events if op == "L"]
    assert events == [
        e for i in range(n) for e in [("P", i), ("L", i)] if e[0] == "P" or i in learned
    ]


def test_sampled_reveals_each_label_independently_with_probability_p() -> None:
    n, p = 200_000, 0.3
    block = block_of(n)
    chosen = Sampled(p, score="all").timetable(block).weight
    assert set(chosen) == {0.0, 1.0}
    assert abs(chosen.mean() - p) < 4 * np.sqrt(p * (1 - p) / n)
    revealed = Sampled(p).timetable(block).revealed
    np.testing.assert_array_equal(revealed != NEVER, chosen == 1)
    both = (chosen[1:] * chosen[:-1]).mean()
    assert abs(both - p * p) < 4 * np.sqrt(p * p / n)


@pytest.mark.parametrize("make", [lambda: Delay(0), lambda: Chunks(0), lambda: Sampled(0.0)])
def test_sizes_and_probabilities_below_the_minimum_are_refused(make: Any) -> None:
    with pytest.raises(UsageError):
        make()


def test_reveal_before_arrival_names_the_row() -> None:
    block = block_of(3, None, [1, 5, 6], [2, 4, 9])
    with pytest.raises(InputError, match=r"row 1: its label is revealed at 4.*arrives at 5"):
        write(FromStream(), block, [])


@pytest.mark.parametrize("n", [0, -3])
def test_delay_below_one_row_suggests_immediate(n: int) -> None:
    with pytest.raises(UsageError) as caught:
        Delay(n)
    message = str(caught.value)
    assert message.startswith(f"Delay({n}): a label cannot be revealed before its own row")
    assert "Delay(1) or Immediate()" in message
