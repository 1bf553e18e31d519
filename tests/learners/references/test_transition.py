"""Transition against its oracle."""

from __future__ import annotations

import streamgauge as sg
from streamgauge.prequential.labels import LabelPolicy
from tests.learners.references.label_streams import any_labels, assert_is_the_oracle


@any_labels
def test_every_prediction_is_the_oracles(n: int, k: int, seed: int, policy: LabelPolicy) -> None:
    assert_is_the_oracle("transition", sg.Transition(), n, k, seed, policy)
