"""Scores in order of arrival and of reveal, against the oracle, for any blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.measures.arrival_order import ArrivalOrder
from tests.oracles import late_labels as oracle


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[float], list[int], int]:
    """Rows in reveal order, their values, block cuts, and the rows of a part."""
    n = draw(st.integers(1, 40))
    waits = draw(
        st.lists(st.integers(0, draw(st.sampled_from([0, 3, 30]))), min_size=n, max_size=n)
    )
    ids = sorted(range(n), key=lambda row: (row + waits[row], row))
    values = draw(st.lists(st.sampled_from([0.0, 1.0, float("nan")]), min_size=n, max_size=n))
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=5)))
    return ids, values, cuts, draw(st.integers(1, 12))


@given(cases())
def test_scores_equal_the_oracle(case: tuple[list[int], list[float], list[int], int]) -> None:
    ids, values, cuts, rows = case
    order = ArrivalOrder(rows, 2)
    for part in np.split(np.arange(len(ids)), cuts):
        both = np.array([values, [1 - v for v in values]])
        order.add(np.array(ids)[part], both[:, part])
    assert order.differs == (ids != sorted(ids))
    assert order.seen == len(ids)
    for found, each in zip(order.scores(), (values, [1 - v for v in values]), strict=True):
        expected = oracle.order_scores(list(zip(ids, each, strict=True)), rows)
        assert tuple(vars(found).values()) == pytest.approx(expected, nan_ok=True)
