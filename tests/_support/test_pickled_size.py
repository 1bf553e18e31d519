"""Pickled sizes."""

from __future__ import annotations

import pickle

import numpy as np

from streamgauge._support.pickled_size import pickled_bytes


def test_is_the_length_of_the_pickle() -> None:
    for thing in ([1, "two"], np.arange(100_000), {"a": np.float64(1)}):
        assert pickled_bytes(thing) == len(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL))


def test_what_cannot_be_pickled_has_no_size() -> None:
    assert pickled_bytes(lambda: 1) is None
