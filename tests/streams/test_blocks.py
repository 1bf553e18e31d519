"""Cutting blocks to a given size."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.blocks import recut


@given(
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=9),
    size=st.integers(1, 20),
    timed=st.booleans(),
)
def test_recut_keeps_rows_in_blocks_of_the_given_size(
    lengths: list[int], size: int, timed: bool
) -> None:
    n = sum(lengths)
    times = np.arange(n) * 3 if timed else None
    everything = sg.Block(0, np.arange(2.0 * n).reshape(n, 2), np.arange(n, dtype=np.int32), times)
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    parts = [everything.cut(a, a + b) for a, b in zip(starts, lengths, strict=True)]
    cut = list(recut(parts, size))
    assert [block.start for block in cut] == list(range(0, n, size))
    assert all(len(block) == size for block in cut[:-1])
    assert np.array_equal(np.concatenate([block.X for block in cut]), everything.X)
    assert np.array_equal(np.concatenate([block.y for block in cut]), everything.y)
    for block in cut:
        assert block.revealed is None
        assert (block.arrives is not None) == timed
        if block.arrives is not None:
            assert block.arrives.tolist() == [3 * (block.start + i) for i in range(len(block))]
