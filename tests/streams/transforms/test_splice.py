"""Spliced streams: which rows come from which concept, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Drift, Schema
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_stream
from tests.streams.tables import whole

SCHEMA = Schema(("concept", "row"), ((), ()), ("a", "b"))


def concept(number: int, n: int) -> ArrayStream:
    """Rows with the number of their concept and their row number in it."""
    X = np.column_stack([np.full(n, float(number)), np.arange(n, dtype=float)])
    return ArrayStream(f"concept{number}", SCHEMA, Block(0, X, (np.arange(n) % 2).astype(np.int32)))


def test_abrupt_drift() -> None:
    stream = sg.splice([concept(0, 50), concept(1, 50), concept(2, 70)], at=[20, 45])
    block = whole(stream)
    assert stream.rows == len(block) == 45 + 70
    assert block.X[:, 0].tolist() == [0] * 20 + [1] * 25 + [2] * 70
    assert block.X[:, 1].tolist() == [*range(20), *range(25), *range(70)]
    assert stream.drifts == (Drift(20, 0), Drift(45, 0))
    check_stream(stream)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=3, unique=True),
       st.integers(0, 300), st.integers(0, 5))  # fmt: skip
def test_concept_delivers_its_rows_in_order_each_once(at: list[int], width: int, seed: int) -> None:
    at = sorted(at)
    concepts = [concept(i, 1000) for i in range(len(at) + 1)]
    stream = sg.splice(concepts, at, width, n=500, seed=seed)
    block = whole(stream)
    for i in range(len(concepts)):
        rows = block.X[block.X[:, 0] == i, 1]
        assert rows.tolist() == list(range(len(rows)))
    if width == 0:
        assert block.X[:, 0].tolist() == np.searchsorted(at, np.arange(500), "right").tolist()


def test_gradual_drift_is_a_sigmoid() -> None:
    n, position, width = 40_000, 20_000, 5_000
    stream = sg.splice([concept(0, n), concept(1, n)], [position], width, n=n, seed=3)
    new = whole(stream).X[:, 0]
    t = np.arange(n)
    expected = 1 / (1 + np.exp(-4 * (t - position) / width))
    for part in np.array_split(t, 40):
        share, wanted = new[part].mean(), expected[part].mean()
        assert abs(share - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / len(part)) + 1e-9
    other = whole(sg.splice([concept(0, n), concept(1, n)], [position], width, n=n, seed=4))
    assert not np.array_equal(other.X[:, 0], new)
    assert stream.drifts == (Drift(position, width),)
    check_stream(stream.take(3000).skip(100))


def test_default_length_is_until_the_last_concept_runs_out() -> None:
    stream = sg.splice([concept(0, 500), concept(1, 700)], [400], 100, seed=1)
    block = whole(stream)
    assert (block.X[:, 0] == 1).sum() == 700
    assert stream.rows == len(block)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("width", [0, 1, 2, 10, 100])
def test_default_positions_leave_every_concept_enough_rows(width: int, seed: int) -> None:
    stream = sg.splice([concept(0, 300), concept(1, 200), concept(2, 250)], width=width, seed=seed)
    spare = width + 4 if width else 0
    assert [each.position for each in stream.drifts] == [300 - spare, 500 - 2 * spare]
    assert (whole(stream).X[:, 0] == 2).sum() == 250
    assert width or stream.rows == 750


def test_first_concept_that_runs_out_early_is_an_error_and_not_a_short_stream() -> None:
    message = r"has 10,000 rows and runs out at row 10,186; use .*, an earlier drift or n=10186"
    concepts = [concept(0, 10_000), concept(1, 10_000)]
    with pytest.raises(sg.UsageError, match=message):
        sg.splice(concepts, [10_000], 500, seed=2)


def test_accuracy_drops_at_the_drift() -> None:
    concepts = [sg.SEA(20_000, seed=1, variant=2), sg.SEA(20_000, seed=2, variant=3)]
    stream = sg.splice(concepts, [10_000], n=20_000)
    run = sg.evaluate(stream, sg.NaiveBayes(), forget=[sg.Window(1000)], every=1000)
    assert run.curve["accuracy"][9] - run.curve["accuracy"][10] > 0.05


def endless() -> sg.Stream:
    stream: sg.Stream = concept(0, 50)
    stream.rows, stream.name = None, "endless"
    return stream


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda a, b: sg.splice([a], []), "at least two concepts"),
        (lambda a, b: sg.splice([a, b], []), "one position between each two"),
        (lambda a, b: sg.splice([a, b], [5], [1, 2]), "one width or one per position"),
        (lambda a, b: sg.splice([a, b, a], [9, 5]), "expected increasing row numbers"),
        (lambda a, b: sg.splice([a, b], [0]), "expected increasing row numbers, 1 or more"),
        (lambda a, b: sg.splice([a, b], [-3]), "expected increasing row numbers, 1 or more"),
        (lambda a, b: sg.splice([a, b], [5], -1), "width=-1; expected 0 or more rows"),
        (lambda a, b: sg.splice([a, b], [30], n=20), "at=30 is outside the stream of 20 rows"),
        (lambda a, b: sg.splice([a, b], [60]), "concept0\\) has 50 rows and runs out at row 50; "),
        (lambda a, b: sg.splice([a]), "at least two concepts"),
        (lambda a, b: sg.splice([a, b], width=60), "expected increasing row numbers, 1 or more"),
        (lambda a, b: sg.splice([a, b], width=[1, 2]), "one width or one per position"),
        (lambda a, b: sg.splice([a, b], width=2.5), "width: expected an integer, got 2.5"),  # type: ignore[arg-type]
        (lambda a, b: sg.splice([endless(), a]), "endless has an unknown number of rows; .* at="),
        (lambda a, b: sg.splice([a, b], [10], n=90), r"concept 1 \(concept1\) has 50 .*row 60"),
        (lambda a, b: sg.splice([a, b], [10], n=-1), "n=-1; expected at least 1 row"),
        (lambda a, b: sg.splice([a, b], [2.5]), "splice: at"),  # type: ignore[list-item]
        (lambda a, b: sg.splice([a, b], 10), r"at=10; expected a list of row numbers: at=\[10\]"),  # type: ignore[arg-type]
        (lambda a, b: sg.splice([a, b], [10], 2.5), "width: expected an integer, got 2.5"),  # type: ignore[arg-type]
        (lambda a, b: sg.splice([a, b], [10], n=1.5), "n: expected an integer, got 1.5"),  # type: ignore[arg-type]
        (lambda a, b: sg.splice([a, b], [10], seed=-1), "seed=-1; expected an integer"),
        (lambda a, b: sg.splice([a, b], [10], seed=1.5), "seed=1.5; expected an integer"),  # type: ignore[arg-type]
        (lambda a, b: sg.splice(a, [10]), "got a single stream; expected a list"),
        (lambda a, b: sg.splice([a, "elec2"], [10]), "splice: expected a stream, got 'elec2'"),  # type: ignore[list-item]
        (lambda a, b: sg.splice([a, sg.SEA(9)], [5]), "SEA.* has different features from concept0"),
    ],
)
def test_invalid_arguments(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make(concept(0, 50), concept(1, 50))


def test_drift_drops_times() -> None:
    """They belong to the concepts, so the schema has no times."""
    schema = Schema(("x",), ((),), ("a", "b"), True)
    times = np.arange(9)
    timed = ArrayStream(
        "timed", schema, Block(0, np.zeros((9, 1)), np.zeros(9, np.int32), times, times)
    )
    stream = sg.splice([timed, timed], [5])
    assert not stream.schema.time
    check_stream(stream)
