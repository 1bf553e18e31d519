"""The paper's score: the mean of a metric over batches of rows."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Codes
from streamgauge.papers.ziffer2024.plan import BATCH
from streamgauge.papers.ziffer2024.scores import batch_mean


def scored(y: Codes, predictions: Codes, every: int) -> sg.Run:
    return sg.score(y, predictions, forget=[sg.Window(BATCH)], every=every)


@pytest.mark.parametrize("every", [BATCH, BATCH // 4])
def test_equals_the_mean_of_each_full_batch_on_its_own(every: int) -> None:
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 3 * BATCH + 50, np.int32)
    y[BATCH : 2 * BATCH] = 0  # kappa is undefined where every label and prediction is the same
    right = random.random(len(y)) < 0.8
    predictions = np.where(right, y, 1 - y).astype(np.int32)
    predictions[BATCH : 2 * BATCH] = 0
    parts = [slice(start, start + BATCH) for start in (0, BATCH, 2 * BATCH)]
    alone = [sg.score(y[each], predictions[each], classes=[0, 1]) for each in parts]
    kappas = [run.overall["kappa"] for run in alone]
    assert np.isnan(kappas[1])
    assert batch_mean(scored(y, predictions, every), "kappa") == np.nanmean(kappas)


def test_without_a_full_batch_it_is_undefined() -> None:
    y = np.arange(BATCH - 1, dtype=np.int32) % 2
    assert np.isnan(batch_mean(scored(y, y, BATCH), "kappa"))
