"""Temporal injection: against its oracle, on every kind of stream, and its errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER, Block, Drift
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_stream, example_stream
from tests.oracles.inject import injected
from tests.streams.tables import whole


def labelled(labels: list[int], k: int) -> sg.Stream:
    schema = sg.Schema(("row",), ((),), tuple(range(k)))
    X = np.arange(float(len(labels)))[:, None]
    return ArrayStream("labelled", schema, Block(0, X, np.array(labels, np.int32)))


@given(
    st.integers(1, 5).flatmap(
        lambda k: st.tuples(st.just(k), st.lists(st.integers(-1, k - 1), min_size=1, max_size=80))
    ),
    st.sampled_from([0, 2, 4, 6, 14]),
    st.integers(1, 90),
)
def test_label_is_the_mode_for_any_block_size(
    given_labels: tuple[int, list[int]], order: int, size: int
) -> None:
    k, labels = given_labels
    stream = sg.inject(labelled(labels, k), order)
    got = np.concatenate([block.y for block in stream.blocks(size)])
    assert got.tolist() == injected(labels, order)
    assert got.dtype == np.int32


def test_order_2_as_in_the_paper() -> None:
    """If the two labels before agree, they decide; otherwise the row's own label does."""
    y = whole(sg.Sine1(5000, seed=1)).y
    new = whole(sg.inject(sg.Sine1(5000, seed=1), order=2)).y
    agree = y[1:-1] == y[:-2]
    assert np.array_equal(new[2:][agree], y[1:-1][agree])
    assert np.array_equal(new[2:][~agree], y[2:][~agree])


def test_ties_go_to_the_label_seen_last() -> None:
    stream = labelled([0, 1, 2, 1, 0, 2, 2, -1, 1, 0], 3)
    assert whole(sg.inject(stream, 2)).y.tolist() == [0, 1, 2, 1, 0, 2, 2, -1, 2, 0]


def test_times_missing_labels_and_features_stay() -> None:
    source = example_stream()
    stream = sg.inject(source, 4)
    before, after = whole(source), whole(stream)
    for name in ("X", "arrives", "revealed"):
        np.testing.assert_array_equal(getattr(before, name), getattr(after, name))
    assert np.array_equal(before.y < 0, after.y < 0)
    assert (before.y != after.y).any()
    assert after.y.tolist() == injected(before.y.tolist(), 4)
    check_stream(stream)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.FromStream())
    assert run.counts.scored == ((before.y >= 0) & (before.revealed != NEVER)).sum()


def test_drifts_and_rows_stay_and_the_fingerprint_changes() -> None:
    concepts = [sg.SEA(300, variant=0), sg.SEA(300, variant=3)]
    source = sg.splice(concepts, at=[200], n=400)
    stream = sg.inject(source, 2)
    assert stream.drifts == (Drift(200, 0),)
    assert stream.rows == 400
    assert stream.fingerprint() != source.fingerprint()
    assert stream.fingerprint() != sg.inject(source, 4).fingerprint()
    assert sg.inject(source, 0) is source
    check_stream(stream)


def test_evolving_instances_keep_their_updates() -> None:
    events = [
        {"id": "a", "time": 0, "x": 1.0},
        {"id": "b", "time": 1, "x": 2.0},
        {"id": "a", "time": 2, "x": 3.0},
        {"id": "a", "time": 3, "y": "no"},
        {"id": "b", "time": 4, "y": "yes"},
    ]
    source = sg.from_events(pd.DataFrame(events), target="y", id="id", time="time")
    before, after = whole(source), whole(sg.inject(source, 2))
    assert before.updates is not None
    assert after.updates is not None
    assert after.updates.X.tolist() == before.updates.X.tolist() == [[3.0]]


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (3, "order=3; expected an even number"),
        (-2, "order=-2; expected an even number, 0 or more"),
        (2.0, "inject: order: expected an integer, got 2.0"),
        ("2", "inject: order"),
    ],
)
def test_invalid_order(order: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.inject(sg.SEA(10), order)


def test_invalid_streams() -> None:
    with pytest.raises(sg.UsageError, match="regression stream; expected a stream with classes"):
        sg.inject(example_stream(regression=True))
    with pytest.raises(sg.UsageError, match="inject: expected a stream, got list"):
        sg.inject([1, 2, 3])  # type: ignore[arg-type]
