"""Views of streams: skip, select and map, and how drifts follow the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Drift, Floats, Schema, Targets
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_stream, example_stream
from tests.streams.tables import whole

SCHEMA = Schema(("concept", "row"), ((), ()), ("a", "b"))


def concept(number: int, n: int) -> ArrayStream:
    """Rows with the number of their concept and their row number in it."""
    X = np.column_stack([np.full(n, float(number)), np.arange(n, dtype=float)])
    return ArrayStream(f"concept{number}", SCHEMA, Block(0, X, (np.arange(n) % 2).astype(np.int32)))


@pytest.mark.parametrize("n", [0, 1, 57, 399])
def test_skip_drops_the_first_rows(n: int) -> None:
    stream = example_stream()
    before, after = whole(stream), whole(stream.skip(n))
    for name in ("X", "y", "arrives", "revealed"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name)[n:])
    assert after.start == 0
    check_stream(stream.skip(n))


def test_select_and_map() -> None:
    stream = example_stream()
    before = whole(stream)
    some = stream.select(["size", "number"])
    np.testing.assert_array_equal(whole(some).X, before.X[:, [4, 0]])
    assert some.schema.values == (("XL", "L", "M", "S", "XS"), ())
    check_stream(some)

    def doubled(X: Floats, y: Targets) -> tuple[Floats, Targets]:
        return 2 * X, y

    twice = sg.SEA(100, seed=1).map(doubled)
    assert twice.name == "SEA(100, seed=1).map(doubled)"
    np.testing.assert_array_equal(whole(twice).X, 2 * whole(sg.SEA(100, seed=1)).X)
    fewer = Schema(("x1",), ((),), (0, 1))
    one = sg.SEA(100, seed=1).map(lambda X, y: (X[:, :1], y), schema=fewer)
    check_stream(one)
    with pytest.raises(sg.InputError, match=r"returned X of shape \(100, 1\)"):
        whole(sg.SEA(100, seed=1).map(lambda X, y: (X[:, :1], y)))


def test_invalid_arguments_of_views() -> None:
    stream = example_stream()
    for n in (400, -1):
        with pytest.raises(sg.UsageError, match="expected a row count of 0 or more"):
            stream.skip(n)
    with pytest.raises(sg.UsageError, match="expected a list"):
        stream.select("size")
    with pytest.raises(sg.UsageError, match="no column 'sise'"):
        stream.select(["sise"])
    with pytest.raises(sg.UsageError, match="a feature appears more than once"):
        stream.select(["size", "size"])
    for wrong in (1.5, "3"):
        with pytest.raises(sg.UsageError, match="take: expected an integer, got "):
            stream.take(wrong)  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match=r"map\(None\): expected a function"):
        stream.map(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda X, y: X, "the function returned ndarray; expected a tuple"),
        (lambda X, y: (X, y + 5), "row 0 has class code 5; expected 0 to 1, or -1"),
        (lambda X, y: (X, y - 2), "row 0 has class code -2; expected 0 to 1"),
        (lambda X, y: (X, y + 0.5), "returned labels that are not integers"),
        (
            lambda X, y: (X + 9, y),
            "feature 'colour' is 9; expected the code of a value, 0 to 2",
        ),
        (
            lambda X, y: (X + 0.5, y),
            "row 0: nominal feature 'colour' is 0.5; expected the code",
        ),
    ],
)
def test_invalid_results_of_map(change: Any, complaint: str) -> None:
    """Compiled code uses codes as indices: invalid ones must not reach it."""
    schema = Schema(("colour",), (("red", "green", "blue"),), ("a", "b"))
    block = Block(0, np.zeros((10, 1)), np.zeros(10, np.int32))
    stream = ArrayStream("rows", schema, block).map(change)
    with pytest.raises(sg.InputError, match=complaint):
        sg.evaluate(stream, sg.NaiveBayes())


def test_map_may_change_its_arguments_in_place() -> None:
    """The source stream does not change."""
    stream = concept(1, 5)
    twice = stream.map(lambda X, y: (np.multiply(X, 2, out=X), y))
    for _ in range(2):
        assert whole(twice).X[:, 0].tolist() == [2.0] * 5
    assert whole(stream).X[:, 0].tolist() == [1.0] * 5


def test_drift_positions_follow_the_rows() -> None:
    stream = sg.splice([concept(0, 90), concept(1, 90), concept(0, 90)], [30, 60], 4, n=90)
    assert stream.skip(40).drifts == (Drift(20, 4),)
    assert stream.take(50).drifts == (Drift(30, 4),)
    assert stream.select(["row"]).drifts == stream.drifts
