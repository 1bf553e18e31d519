"""Spliced concepts, rows in another order, and streams seen otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Drift, Floats, Schema, Targets
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_stream, example_stream
from tests.streams.tables import whole

SCHEMA = Schema(("concept", "row"), ((), ()), ("a", "b"))


def concept(number: int, n: int) -> ArrayStream:
    """Rows that say which concept they are of, and their number there."""
    X = np.column_stack([np.full(n, float(number)), np.arange(n, dtype=float)])
    return ArrayStream(f"concept{number}", SCHEMA, Block(0, X, (np.arange(n) % 2).astype(np.int32)))


def test_abrupt() -> None:
    stream = sg.drift([concept(0, 50), concept(1, 50), concept(2, 70)], at=[20, 45])
    block = whole(stream)
    assert stream.rows == len(block) == 45 + 70
    assert block.X[:, 0].tolist() == [0] * 20 + [1] * 25 + [2] * 70
    assert block.X[:, 1].tolist() == [*range(20), *range(25), *range(70)]
    assert stream.drifts == (Drift(20, 0), Drift(45, 0))
    check_stream(stream)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=3, unique=True),
       st.integers(0, 300), st.integers(0, 5))  # fmt: skip
def test_a_concept_gives_its_rows_in_order_each_once(at: list[int], width: int, seed: int) -> None:
    at = sorted(at)
    concepts = [concept(i, 1000) for i in range(len(at) + 1)]
    stream = sg.drift(concepts, at, width, n=500, seed=seed)
    block = whole(stream)
    for i in range(len(concepts)):
        rows = block.X[block.X[:, 0] == i, 1]
        assert rows.tolist() == list(range(len(rows)))
    if width == 0:
        assert block.X[:, 0].tolist() == np.searchsorted(at, np.arange(500), "right").tolist()


def test_gradual_is_a_sigmoid() -> None:
    n, position, width = 40_000, 20_000, 5_000
    stream = sg.drift([concept(0, n), concept(1, n)], [position], width, n=n, seed=3)
    new = whole(stream).X[:, 0]
    t = np.arange(n)
    expected = 1 / (1 + np.exp(-4 * (t - position) / width))
    for part in np.array_split(t, 40):
        share, wanted = new[part].mean(), expected[part].mean()
        assert abs(share - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / len(part)) + 1e-9
    other = whole(sg.drift([concept(0, n), concept(1, n)], [position], width, n=n, seed=4))
    assert not np.array_equal(other.X[:, 0], new)
    assert stream.drifts == (Drift(position, width),)
    check_stream(stream.take(3000).skip(100))


def test_as_many_rows_as_the_concepts_have() -> None:
    stream = sg.drift([concept(0, 500), concept(1, 700)], [400], 200, seed=1)
    block = whole(stream)
    assert (block.X[:, 0] == 1).sum() == 700 or (block.X[:, 0] == 0).sum() == 500
    assert stream.rows == len(block)


def test_a_learner_notices() -> None:
    concepts = [sg.SEA(20_000, seed=1, variant=2), sg.SEA(20_000, seed=2, variant=3)]
    stream = sg.drift(concepts, [10_000], n=20_000)
    run = sg.evaluate(stream, sg.NaiveBayes(), forget=[sg.Window(1000)], every=1000)
    assert run.curve["accuracy"][9] - run.curve["accuracy"][10] > 0.05


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda a, b: sg.drift([a], []), "two concepts or more"),
        (lambda a, b: sg.drift([a, b], []), "a position between each two"),
        (lambda a, b: sg.drift([a, b], [5], [1, 2]), "a width or one for each position"),
        (lambda a, b: sg.drift([a, b, a], [9, 5]), "expected rising row numbers"),
        (lambda a, b: sg.drift([a, b], [0]), "expected rising row numbers from 1 on"),
        (lambda a, b: sg.drift([a, b], [-3]), "expected rising row numbers from 1 on"),
        (lambda a, b: sg.drift([a, b], [5], -1), "width=-1; expected 0 rows or more"),
        (lambda a, b: sg.drift([a, b], [30], n=20), "at=30 lies outside the stream of 20 rows"),
        (lambda a, b: sg.drift([a, b], [60]), "at=60 lies outside the stream of 50 rows"),
        (lambda a, b: sg.drift([a, b], [10], n=90), r"concept 1 \(concept1\) has 50 .*row 60"),
        (lambda a, b: sg.drift([a, b], [10], n=-1), "n=-1; a stream has at least one row"),
        (lambda a, b: sg.drift([a, b], [2.5]), "drift: at"),  # type: ignore[list-item]
        (lambda a, b: sg.drift([a, b], 10), r"at=10; expected a list: at=\[10\]"),  # type: ignore[arg-type]
        (lambda a, b: sg.drift([a, b], [10], 2.5), "width: 2.5 is no number of rows"),  # type: ignore[arg-type]
        (lambda a, b: sg.drift([a, b], [10], n=1.5), "n: 1.5 is no number of rows"),  # type: ignore[arg-type]
        (lambda a, b: sg.drift([a, b], [10], seed=-1), "seed=-1; expected a whole number"),
        (lambda a, b: sg.drift([a, b], [10], seed=1.5), "seed=1.5; expected a whole number"),  # type: ignore[arg-type]
        (lambda a, b: sg.drift(a, [10]), "one stream; expected a list"),
        (lambda a, b: sg.drift([a, "elec2"], [10]), "'elec2' is no stream; expected one"),  # type: ignore[list-item]
        (lambda a, b: sg.shuffled("elec2"), "'elec2' is no stream"),  # type: ignore[arg-type]
        (lambda a, b: sg.shuffled(a, seed=-1), "shuffled: seed=-1"),
        (lambda a, b: sg.shuffled_within_class(None), "None is no stream"),  # type: ignore[arg-type]
        (lambda a, b: sg.shuffled_within_class(a, seed=-1), "shuffled_within_class: seed=-1"),
        (lambda a, b: sg.drift([a, sg.SEA(9)], [5]), "SEA.* has other features than concept0"),
    ],
)
def test_drifts_that_make_no_sense(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make(concept(0, 50), concept(1, 50))


def test_shuffled() -> None:
    stream = example_stream()
    before, after = whole(stream), whole(sg.shuffled(stream, seed=1))
    assert not np.array_equal(before.y, after.y)
    rows = [sorted(map(repr, np.column_stack([b.X, b.y]).tolist())) for b in (before, after)]
    assert rows[0] == rows[1]  # the same rows, each with its own label
    assert after.arrives is None
    assert np.array_equal(whole(sg.shuffled(stream, seed=1)).y, after.y)
    assert not np.array_equal(whole(sg.shuffled(stream, seed=2)).y, after.y)
    check_stream(sg.shuffled(stream))


def test_shuffled_within_class() -> None:
    stream = example_stream()
    before, after = whole(stream), whole(sg.shuffled_within_class(stream, seed=1))
    assert np.array_equal(before.y, after.y)
    assert not np.array_equal(before.X, after.X, equal_nan=True)
    for label in np.unique(before.y):
        rows = [sorted(map(repr, b.X[b.y == label].tolist())) for b in (before, after)]
        assert rows[0] == rows[1]
    with pytest.raises(sg.UsageError, match="use shuffled"):
        sg.shuffled_within_class(example_stream(regression=True))


def test_what_shuffling_takes_away() -> None:
    """Both concepts at once contradict each other, whether or not the labels keep their order."""
    concepts = [sg.Sine1(4000, seed=1), sg.Sine1(4000, seed=2, reverse=True)]
    drifting = sg.drift(concepts, [3000], n=4000)
    run = sg.evaluate(drifting, sg.NaiveBayes(), forget=[sg.Window(500)], every=500)
    assert run.curve["accuracy"][5] > 0.85  # before the drift
    assert run.curve["accuracy"][6] < 0.3
    mixed = sg.evaluate(
        sg.shuffled_within_class(drifting), sg.NaiveBayes(), forget=[sg.Window(500)], every=500
    )
    assert 0.6 < mixed.curve["accuracy"][5:].min() < mixed.curve["accuracy"][5:].max() < 0.85


@pytest.mark.parametrize("n", [0, 1, 57, 399])
def test_skip(n: int) -> None:
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
    with pytest.raises(sg.InputError, match=r"gave X of shape \(100, 1\)"):
        whole(sg.SEA(100, seed=1).map(lambda X, y: (X[:, :1], y)))


def test_what_cannot_be_seen() -> None:
    stream = example_stream()
    for n in (400, -1):
        with pytest.raises(sg.UsageError, match="expected 0 or more"):
            stream.skip(n)
    with pytest.raises(sg.UsageError, match="expected a list"):
        stream.select("size")
    with pytest.raises(sg.UsageError, match="no column 'sise'"):
        stream.select(["sise"])
    with pytest.raises(sg.UsageError, match="a name stands more than once"):
        stream.select(["size", "size"])
    for wrong in (1.5, "3"):
        with pytest.raises(sg.UsageError, match=r"take: .* is no number of rows"):
            stream.take(wrong)  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match=r"map\(None\): expected a function"):
        stream.map(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda X, y: X, "gave ndarray; expected X, y"),
        (lambda X, y: (X, y + 5), "row 0 has class code 5; expected 0 to 1, or -1"),
        (lambda X, y: (X, y - 2), "row 0 has class code -2; expected 0 to 1"),
        (lambda X, y: (X, y + 0.5), "gave labels that are no whole numbers"),
        (lambda X, y: (X + 9, y), "row 0: 'colour' is 9; expected the code of a value, 0 to 2"),
        (lambda X, y: (X + 0.5, y), "row 0: 'colour' is 0.5; expected the code of a value"),
    ],
)
def test_maps_to_what_is_no_row(change: Any, complaint: str) -> None:
    """Codes become indices of compiled code: a wrong one must not get that far."""
    schema = Schema(("colour",), (("red", "green", "blue"),), ("a", "b"))
    block = Block(0, np.zeros((10, 1)), np.zeros(10, np.int32))
    stream = ArrayStream("rows", schema, block).map(change)
    with pytest.raises(sg.InputError, match=complaint):
        sg.evaluate(stream, sg.NaiveBayes())


def test_a_map_that_changes_its_rows_in_place() -> None:
    """The stream it came from stays as it is."""
    stream = concept(1, 5)
    twice = stream.map(lambda X, y: (np.multiply(X, 2, out=X), y))
    for _ in range(2):
        assert whole(twice).X[:, 0].tolist() == [2.0] * 5
    assert whole(stream).X[:, 0].tolist() == [1.0] * 5


def test_drift_drops_times() -> None:
    """They belonged to the concepts; the schema does not promise them."""
    schema = Schema(("x",), ((),), ("a", "b"), True)
    times = np.arange(9)
    timed = ArrayStream(
        "timed", schema, Block(0, np.zeros((9, 1)), np.zeros(9, np.int32), times, times)
    )
    stream = sg.drift([timed, timed], [5])
    assert not stream.schema.time
    check_stream(stream)


def test_drifts_move_with_the_rows() -> None:
    stream = sg.drift([concept(0, 90), concept(1, 90), concept(0, 90)], [30, 60], 4, n=90)
    assert stream.skip(40).drifts == (Drift(20, 4),)
    assert stream.take(50).drifts == (Drift(30, 4),)
    assert stream.select(["row"]).drifts == stream.drifts
