"""Metrics along a stream, a panel for each."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.papers._curves import draw_curves, positive_share


@pytest.fixture(scope="module")
def run() -> sg.Run:
    stream = sg.inject(sg.SEA(3000, seed=1), order=2)
    return sg.evaluate(stream, "NaiveBayes", forget=["Cumulative()", "Window(1000)"])


def test_each_metric_has_a_panel_and_missing_runs_are_named(run: sg.Run) -> None:
    metrics = {"accuracy": "accuracy", "kappa_temporal": "κ⁺"}
    spec = draw_curves({"NB": run, "HAT": None}, metrics, "a title").to_dict()
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == ["accuracy", "κ⁺"]
    assert spec["title"]["text"] == ["a title; Window(1000)"]
    assert spec["description"] == "Missing: HAT."


def test_positive_share_is_over_the_defined_points(run: sg.Run) -> None:
    values = run.curve["kappa_temporal", "Window(1000)"]
    defined = values[~np.isnan(values)]
    assert positive_share(run, "kappa_temporal") == (defined > 0).sum() / len(defined)
    assert math.isnan(positive_share(None, "kappa_temporal"))
