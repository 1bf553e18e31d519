"""Shuffled streams: same rows, without drift or temporal dependence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_stream, example_stream
from tests.streams.tables import whole


def test_shuffled_keeps_rows_and_changes_their_order() -> None:
    stream = example_stream()
    before, after = whole(stream), whole(sg.shuffled(stream, seed=1))
    assert not np.array_equal(before.y, after.y)
    rows = [sorted(map(repr, np.column_stack([b.X, b.y]).tolist())) for b in (before, after)]
    assert rows[0] == rows[1]  # the same rows, each with its own label
    assert after.arrives is None
    assert np.array_equal(whole(sg.shuffled(stream, seed=1)).y, after.y)
    assert not np.array_equal(whole(sg.shuffled(stream, seed=2)).y, after.y)
    check_stream(sg.shuffled(stream))


def test_shuffled_within_class_keeps_labels() -> None:
    stream = example_stream()
    before, after = whole(stream), whole(sg.shuffled_within_class(stream, seed=1))
    assert np.array_equal(before.y, after.y)
    assert not np.array_equal(before.X, after.X, equal_nan=True)
    for label in np.unique(before.y):
        rows = [sorted(map(repr, b.X[b.y == label].tolist())) for b in (before, after)]
        assert rows[0] == rows[1]
    with pytest.raises(sg.UsageError, match="use shuffled"):
        sg.shuffled_within_class(example_stream(regression=True))


def test_shuffling_within_class_removes_drift() -> None:
    """Mixed concepts contradict each other, even if the labels keep their order."""
    concepts = [sg.Sine1(4000, seed=1), sg.Sine1(4000, seed=2, reverse=True)]
    drifting = sg.splice(concepts, [3000], n=4000)
    run = sg.evaluate(drifting, sg.NaiveBayes(), forget=[sg.Window(500)], every=500)
    assert run.curve["accuracy"][5] > 0.85  # before the drift
    assert run.curve["accuracy"][6] < 0.3
    mixed = sg.evaluate(
        sg.shuffled_within_class(drifting), sg.NaiveBayes(), forget=[sg.Window(500)], every=500
    )
    assert 0.6 < mixed.curve["accuracy"][5:].min() < mixed.curve["accuracy"][5:].max() < 0.85


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda a: sg.shuffled("elec2"), "expected a stream, got 'elec2'"),  # type: ignore[arg-type]
        (lambda a: sg.shuffled(a, seed=-1), "shuffled: seed=-1"),
        (lambda a: sg.shuffled_within_class(None), "expected a stream, got NoneType"),  # type: ignore[arg-type]
        (lambda a: sg.shuffled_within_class(a, seed=-1), "shuffled_within_class: seed=-1"),
    ],
)
def test_invalid_arguments(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make(example_stream())
