"""Persistent against its oracle, and its two options."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from tests.learners.first_predictions import first_predictions
from tests.learners.references.label_streams import any_labels, assert_is_the_oracle


@any_labels
def test_every_prediction_is_the_oracles(n: int, k: int, seed: int, policy: LabelPolicy) -> None:
    assert_is_the_oracle("persistent", sg.Persistent(), n, k, seed, policy)


def test_persistent_may_start_as_a_class_and_be_an_oracle() -> None:
    y = np.array([1, 0, 0, 1, 1], np.int32)
    stream = ArrayStream("labels", Schema((), (), (0, 1)), Block(0, np.empty((5, 0)), y))
    _, answers, _ = first_predictions(sg.Persistent(start_as=0), stream, sg.Delay(2))
    assert answers == {0: 0, 1: 0, 2: 1, 3: 0, 4: 0}
    _, answers, _ = first_predictions(sg.Persistent(oracle=True), stream, sg.Delay(2))
    assert answers == {0: -1, 1: 1, 2: 0, 3: 0, 4: 1}
    run = sg.evaluate(stream, sg.Majority(), labels=sg.Delay(2), oracle=True)
    assert run.references["Persistent"]["accuracy"] == pytest.approx(2 / 5)
