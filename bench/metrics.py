"""Speed of all metrics under three forgettings, over ten million binary predictions."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np

import streamgauge as sg
from bench.clock import Line
from streamgauge._support.types import Schema
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metrics.select import metrics_for

_ROWS = 10_000_000
_BLOCK = 8192
_REFERENCES = ("Majority", "Persistent", "Transition", "Seasonal")
_FORGET: list[Forgetting] = [sg.Cumulative(), sg.Window(1000), sg.Fading(0.999)]


def measure() -> Iterator[Line]:
    """Rows per second of sums and metrics alone, and of `score` with its references."""
    random = np.random.default_rng(1)
    y = random.integers(0, 2, _ROWS).astype(np.int32)
    answers = random.integers(0, 2, (5, _ROWS)).astype(np.int32)
    metrics = metrics_for(Schema((), (), (0, 1)))

    def fold() -> float:
        tally = ClassificationTally(2, _REFERENCES, _FORGET, 10_000, metrics)
        for start in range(0, _ROWS, _BLOCK):
            stop = start + _BLOCK
            tally.add(y[start:stop], np.ascontiguousarray(answers[:, start:stop]), None)
        return float(tally.finish()["kappa"][-1])

    def score() -> object:
        return sg.score(y, answers[0], forget=_FORGET, every=10_000, predictions=False)

    for job in (fold, score):
        job()
    rates = {
        job.__name__: _ROWS / statistics.median(_seconds(job) for _ in range(3))
        for job in (fold, score)
    }
    print(f"{len(metrics)} metrics × 3 forgettings: {rates['fold']:,.0f} rows/s")
    print(f"score, with references and verdict: {rates['score']:,.0f} rows/s")
    shown = f"{rates['fold'] / 1e6:.0f} M rows/s"
    yield Line("all metrics x 3 forgettings", shown, ">= 20 M rows/s", rates["fold"] >= 20e6)


def _seconds(job: object) -> float:
    assert callable(job)
    began = time.perf_counter()
    job()
    return time.perf_counter() - began
