"""Stretches of the stream where one participant is better."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg


def test_stretches_find_where_the_better_one_changes() -> None:
    random = np.random.default_rng(4)
    rates = np.repeat([[0.3, 0.1], [0.2, 0.2], [0.1, 0.3]], [4000, 4000, 4000], axis=0).T
    a, b = (random.random((2, 12_000)) < rates).astype(float)
    pair = sg.compare(a, b, loss="given", bound=1)
    assert [(s.better, s.start, s.stop) for s in pair.stretches] == [
        ("B", 0, 4000), (None, 4000, 8000), ("A", 8000, 12_000),
    ]  # fmt: skip
    assert pair.stretches[0].loss_a == pytest.approx(0.3, abs=0.03)
    assert pair.shares == {
        "A": pytest.approx(1 / 3),
        "B": pytest.approx(1 / 3),
        None: pytest.approx(1 / 3),
    }
    text = pair.details
    assert "Along the stream, on these rows: A is better on 33%, B on 33%" in text
    assert "4,000 to 7,999" in text
    many = sg.compare(a, b, loss="given", stretch=256)
    assert "more: comparison.to_frame" not in pair.details
    assert len(many.stretches) > 2


def test_difference_that_only_all_rows_show_is_no_contradiction() -> None:
    random = np.random.default_rng(4)
    a, b = (random.random((2, 8000)) < [[0.24], [0.2]]).astype(float)
    pair = sg.compare(a, b, loss="given", bound=1, stretch=256)
    assert pair.better == "B"
    assert "Along the stream: no segment of 256 rows alone shows which is better" in pair.details
