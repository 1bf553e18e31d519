"""Cutting blocks to a given size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
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


class _Foreign(sg.Stream):
    """A stream of a user's, whose blocks are not what its schema says."""

    rows = 30

    def __init__(self, X: Any, y: Any) -> None:
        self.name, self._block = "foreign", sg.Block(0, X, y)
        self.schema = sg.Schema(("colour",), (("red", "green"),), ("a", "b"))

    def blocks(self, size: int) -> Iterator[sg.Block]:
        yield self._block


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.full((30, 1), 2.0), np.zeros(30, np.int32), "'colour' is 2; expected the code of a"),
        (np.full((30, 1), -1.0), np.zeros(30, np.int32), "'colour' is -1; expected the code"),
        (np.full((30, 1), 0.5), np.zeros(30, np.int32), "'colour' is 0.5; expected the code"),
        (np.full((30, 1), np.inf), np.zeros(30, np.int32), "'colour' is inf; expected the code"),
        (np.zeros((30, 1)), np.full(30, np.nan), "has class code nan; expected 0 to 1"),
        (np.zeros((30, 1)), np.full(30, 2), "has class code 2; expected 0 to 1"),
        (np.zeros((30, 2)), np.zeros(30, np.int32), "features of shape (30, 2) for 30 labels"),
        (np.zeros((29, 1)), np.zeros(30, np.int32), "features of shape (29, 1) for 30 labels"),
        (np.zeros((30, 1)), np.zeros((30, 1), np.int32), "y of the block at row 0 has the shape"),
        ([[0.0]] * 30, np.zeros(30, np.int32), "X of the block at row 0 is a list; expected a"),
        (np.zeros((30, 1)), [0] * 30, "y of the block at row 0 is a list; expected a NumPy array"),
    ],
)
def test_codes_that_the_schema_does_not_have_never_reach_compiled_code(
    X: Any, y: Any, message: str
) -> None:
    with pytest.raises(sg.InputError, match=re.escape(message)):
        sg.evaluate(_Foreign(X, y), sg.NaiveBayes())
    with pytest.raises(sg.InputError, match=re.escape(message)):
        sg.inspect(_Foreign(X, y))


@pytest.mark.parametrize(
    ("rows", "starts", "message"),
    [
        (30, [0, 10], "its `rows` is 30, but its blocks have 20 rows"),
        (20, [0, 10, 20], "its `rows` is 20, but its blocks have 30 rows"),
        (20, [0, 11], "a block starts at row 11; expected row 10, the one after the last block"),
    ],
)
def test_rows_that_are_missing_or_numbered_wrongly_are_refused(
    rows: int, starts: list[int], message: str
) -> None:
    class Stream(sg.Stream):
        name, schema = "mine", sg.Schema(("x",), ((),), ("a", "b"))

        def blocks(self, size: int) -> Iterator[sg.Block]:
            for start in starts:
                yield sg.Block(start, np.zeros((10, 1)), np.zeros(10, np.int32))

    stream = Stream()
    stream.rows = rows
    with pytest.raises(sg.InputError, match=f"mine: {re.escape(message)}"):
        sg.evaluate(stream, sg.Majority())


def test_wrong_codes_in_a_test_set_are_refused() -> None:
    stream = _Foreign(np.zeros((30, 1)), np.zeros(30, np.int32))
    test = _Foreign(np.full((30, 1), 7.0), np.zeros(30, np.int32))
    with pytest.raises(sg.InputError, match="the test set: row 0: nominal feature 'colour' is 7"):
        sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.Holdout(10, 5, test=test))
