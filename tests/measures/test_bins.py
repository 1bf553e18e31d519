"""Metrics per bin: confidence bands and the weighted mean Ψ."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.testing import example_stream


class FirstFeature:
    """Predicts the class given by the first feature."""

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Floats) -> Floats:
        return np.asarray(np.eye(self.k)[X[:, 0].astype(int)])

    def learn(self, X: Floats, y: Codes, w: Floats) -> None: ...


def test_bands_are_wilson_intervals() -> None:
    y = np.repeat([0, 1], [10, 10])
    predicted = y.copy()
    predicted[[0, 1, 12]] = 1 - predicted[[0, 1, 12]]
    stream = sg.from_arrays(predicted.astype(float)[:, np.newaxis], y)
    run = sg.evaluate(stream, FirstFeature(), reevaluate=sg.Reevaluate(1, 2))
    # Wilson by hand: 17 of 20.
    z, n, p = 1.959963984540054, 20, 0.85
    middle = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    for b in range(4):
        assert run.bins.band("accuracy")[b] == pytest.approx([middle - half, middle + half])
        assert run.bins.band("error")[b] == pytest.approx([1 - middle - half, 1 - middle + half])
    low, high = run.bins.band("recall[0]")[0]
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)  # 8 of 10, as in tables
    band = 2 * np.array([middle - half, middle + half]) - 1
    assert run.bins.band("kappa")[0] == pytest.approx(band)
    assert run.bins["kappa"][0] == pytest.approx(0.7)
    assert np.isnan(run.bins.band("mcc")).all()


def test_psi_is_a_weighted_mean_over_bins() -> None:
    stream = example_stream()
    bins = sg.evaluate(stream, sg.NaiveBayes(), reevaluate=sg.Reevaluate(2, 5)).bins
    each = bins["accuracy"]
    assert bins.psi("first") == each[0]
    assert bins.psi("final") == each[6]
    assert bins.psi() == bins.psi("mean") == pytest.approx(each.mean())
    assert bins.psi("second_half") == pytest.approx(each[3:6].mean())
    growing = 2.0 ** (10 * np.arange(7) / 6)
    assert bins.psi("exponential") == pytest.approx((each * growing).sum() / growing.sum())
    assert bins.psi([1, 0, 0, 0, 0, 0, 1]) == pytest.approx((each[0] + each[6]) / 2)
    kappa = bins["kappa"]
    assert bins.psi("final", metric="kappa") == kappa[6]
    assert math.isnan(bins.psi(np.zeros(7)))
    with pytest.raises(sg.UsageError, match="expected 7 finite numbers"):
        bins.psi([1, 2])
    with pytest.raises(sg.UsageError, match="expected first, final, mean, second_half"):
        bins.psi("last")
