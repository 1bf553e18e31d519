"""Majority against its oracle, with and without forgetting."""

from __future__ import annotations

import streamgauge as sg
from streamgauge.prequential.labels import LabelPolicy
from tests.learners.first_predictions import first_predictions
from tests.learners.references.label_streams import any_labels, assert_is_the_oracle, label_stream
from tests.oracles import references as oracle


@any_labels
def test_every_prediction_is_the_oracles(n: int, k: int, seed: int, policy: LabelPolicy) -> None:
    assert_is_the_oracle("majority", sg.Majority(), n, k, seed, policy)


@any_labels
def test_forgetting_is_the_oracles(n: int, k: int, seed: int, policy: LabelPolicy) -> None:
    stream, y = label_stream(n, k, seed)
    forgettings: list[tuple[str, float, sg.Forgetting]] = [
        ("cumulative", 0, sg.Cumulative()),
        ("window", 4, sg.Window(4)),
        ("fading", 0.8, sg.Fading(0.8)),
    ]
    for kind, parameter, forget in forgettings:
        events, labels, _ = first_predictions(sg.Majority(forget), stream, policy)
        assert labels == oracle.majority_forgetting(events, y, k, kind, parameter)
