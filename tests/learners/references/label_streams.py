"""Streams of labels, and references checked against their oracle on them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import Block, Schema
from streamgauge.learners.base import Player
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from tests.learners.first_predictions import POLICIES, first_predictions
from tests.oracles import references as oracle

any_labels = given(
    st.integers(1, 80), st.integers(1, 5), st.integers(0, 9999), st.sampled_from(POLICIES)
)


def label_stream(n: int, k: int, seed: int) -> tuple[ArrayStream, list[int]]:
    """Random labels, some lost, most of them late; and the labels themselves."""
    random = np.random.default_rng(seed)
    y = random.integers(-1, k, n).astype(np.int32)
    times = np.arange(n)
    block = Block(0, np.empty((n, 0)), y, times, times + random.integers(0, 9, n))
    return ArrayStream("labels", Schema((), (), tuple(range(k)), True), block), y.tolist()


def assert_is_the_oracle(
    name: str, learner: Player, n: int, k: int, seed: int, policy: LabelPolicy
) -> None:
    """Labels are the oracle's, and the most probable class; NaN where it abstains."""
    stream, y = label_stream(n, k, seed)
    events, labels, probabilities = first_predictions(learner, stream, policy)
    assert labels == oracle.predictions(name, events, y, k)
    for row, label in labels.items():
        if label < 0:
            assert np.isnan(probabilities[row]).all()
        else:
            assert probabilities[row][label] == max(probabilities[row])
