"""A against B where each model has rows of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.monitoring._maturity import Maturity
from streamgauge.monitoring._pairs import two_samples
from tests.monitoring.logs import make_monitor


def split(folder: Path, a: float, b: float, rows: int = 12_000, seed: int = 1) -> sg.Monitor:
    """A tenth of the rows go to B; what is easy and what is hard comes in long stretches."""
    rng = np.random.default_rng(seed)
    share = np.where(np.arange(rows) % 2000 < 1000, 0.15, -0.15)
    to_b = rng.random(rows) < 0.3
    right = rng.random(rows) < np.where(to_b, b, a) + share
    lines = [f"{i},{i},{'ba'[int(right[i])]},{'AB'[int(to_b[i])]}" for i in range(rows)]
    (folder / "p.csv").write_text("\n".join(["id,time,prediction,model", *lines]) + "\n")
    labels = [f"{i},{i},a" for i in range(rows)]
    (folder / "l.csv").write_text("\n".join(["id,time,label", *labels]) + "\n")
    feed = {"path": "p.csv", "prediction": "prediction", "model": "model"}
    scores: dict[str, Any] = {"compare": [["A", "B"]], "cohort": 100}
    monitor = make_monitor(folder, predictions=feed, scores=scores)
    monitor.finish()
    return monitor


@pytest.mark.parametrize(("a", "b", "word"), [(0.8, 0.7, "better"), (0.6, 0.8, "worse")])
def test_split_traffic_is_compared(tmp_path: Path, a: float, b: float, word: str) -> None:
    monitor = split(tmp_path, a, b)
    (pair,) = monitor.status()["comparisons"]
    assert (pair["rows"], pair["by"], pair["blocks"]) == (0, "time blocks", 120)
    assert pair["a_rows"] + pair["b_rows"] == 12_000
    assert pair["word"] == word
    assert pair["low"] < a - b < pair["high"]
    assert "other rows of the same 120 blocks of time (99 % interval" in str(monitor)


def test_a_few_blocks_say_nothing(tmp_path: Path) -> None:
    (pair,) = split(tmp_path, 0.8, 0.7, rows=1500).status()["comparisons"]
    assert pair["word"] == "too few rows to say"


@pytest.mark.parametrize("day", [False, True])
def test_equal_models_are_rarely_told_apart(day: bool) -> None:
    """At 99 %, also if the split and the difficulty change with the time of day."""
    rng = np.random.default_rng(int(day))
    wrong = 0
    for _ in range(150):
        times = np.arange(8000)
        hour = np.sin(times * 2 * np.pi / 2400) * day
        to_b = rng.random(8000) < 0.4 + 0.3 * hour
        errors = (rng.random(8000) < 0.3 + 0.2 * hour).astype(float)
        models = []
        for mine in (~to_b, to_b):
            model = Maturity(100, 50, 1, regression=True)
            rows = times[mine]
            model.add(rows, rows, np.zeros(len(rows), np.int64), np.zeros(len(rows)), errors[mine])
            models.append(model)
        found = two_samples(*models)
        assert found.test is not None
        reach = found.test.interval(0.99)[1] - found.test.mean
        wrong += abs(found.effect) > reach
    assert wrong <= 6
