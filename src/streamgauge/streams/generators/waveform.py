"""Waveform: noisy mixtures of two out of three waves (Breiman et al. 1984)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Fill, Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import check_count, check_flag
from streamgauge.streams.generators._moa import draw_waves, drifted_places

_PLACES = np.arange(21)
_PEAKS = np.array([[6], [14], [10]])
_WAVES = np.maximum(6 - np.abs(_PLACES - _PEAKS), 0)  # triangles
_PAIRS = ((0, 1), (0, 2), (1, 2))  # [class]: the waves it mixes


class Waveform(Memoryless):
    """Waveforms: noisy mixtures of two out of three waves; the pair of waves is the class.

    A row is u times one wave plus 1 − u times another, u uniform on [0, 1), plus standard normal
    noise in each of 21 features.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    has_noise
        Add 19 features of noise alone.
    n_drift_features
        Number of features that swap places with noise features, counted from the second (all waves
        are 0 in the first and last feature). With `compat`, all features may swap places, noise or
        not; where the swaps begin is drawn from the seed.
    compat
        "moa" for the rows of MOA's WaveformGenerator, or WaveformGeneratorDrift if there are drift
        features. "moa-2011" for those of MOA in 2011, which gama2013 ran: drift writes some
        features over others, and the places they leave are missing values.

    References
    ----------
    breiman1984 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> stream = sg.Waveform(1000, seed=1)
    >>> np.bincount(next(stream.blocks(1000)).y).tolist()  # rows of each class
    [292, 349, 359]
    """

    compats = ("moa", "moa-2011")

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        has_noise: bool = False,
        n_drift_features: int = 0,
        compat: Literal["moa", "moa-2011"] | None = None,
    ) -> None:
        check_flag("Waveform", "has_noise", has_noise)
        most = 19 if compat is None else 40
        check_count("Waveform", "n_drift_features", n_drift_features, 0, most)
        if n_drift_features and not has_noise and compat is None:
            raise UsageError(
                f"Waveform(n_drift_features={n_drift_features}): expected has_noise=True, since "
                "features swap places with noise features"
            )
        self.has_noise, self.n_drift_features = has_noise, n_drift_features
        self.compat: Literal["moa", "moa-2011"] | None = compat
        features = 40 if has_noise else 21
        super().__init__(n, seed, Schema(numbered("x", features), ((),) * features, (0, 1, 2)))
        if compat is not None:
            return
        waves = np.zeros((3, features))
        waves[:, :21] = _WAVES
        moved = slice(1, 1 + n_drift_features)
        waves[:, 21 : 21 + n_drift_features] = waves[:, moved]
        waves[:, moved] = 0
        self._second = np.array([waves[b] for _, b in _PAIRS])
        self._difference = np.array([waves[a] - waves[b] for a, b in _PAIRS])

    def make(self, random: Random, n: int) -> Rows:
        y = random.integers(0, 3, n, dtype=np.int32)
        mixture = random.random((n, 1))
        X = random.standard_normal((n, len(self.schema.features)))
        X += self._second[y]
        X += mixture * self._difference[y]
        return X, y

    def start_moa(self) -> Fill:
        random, places = JavaRandom(self.drawn_seed), np.arange(len(self.schema.features))
        if self.n_drift_features:
            swaps = self.compat == "moa"
            places = drifted_places(random, len(places), self.n_drift_features, swaps)
        model = _WAVES.astype(np.float64), np.array(_PAIRS), places
        return partial(draw_waves, random.state, random.spare, *model)
