"""The Bayes errors of LED and Waveform: what no learner can beat on these streams."""

from __future__ import annotations

from functools import cache

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.streams.generators.led import LED
from streamgauge.streams.generators.waveform import Waveform

_ROWS = 50_000  # their error is known to ±0.3 % at 95 %
_MIXTURES = np.linspace(0.01, 0.99, 50)  # of two waves, to average over
_WAVES = np.maximum(6 - np.abs(np.arange(21) - np.array([[6], [14], [10]])), 0)
_PAIRS = ((0, 1), (0, 2), (1, 2))  # the waves of each class


@cache
def led_bayes_error() -> float:
    """The error of the best guess from seven segments, each inverted with probability 0.1.

    >>> f"{led_bayes_error():.3f}"
    '0.260'
    """
    block = next(LED(2000, noise_percentage=0.0).blocks(2000))
    digits = np.array([block.X[block.y == digit][0] for digit in range(10)])
    shown = np.array(np.meshgrid(*[[0.0, 1.0]] * 7)).reshape(7, -1).T
    inverted = (shown[:, None] != digits).sum(axis=2)
    likelihood = 0.1**inverted * 0.9 ** (7 - inverted)
    return float(1 - likelihood.max(axis=1).sum() / 10)


@cache
def waveform_bayes_error() -> float:
    """The error of the most likely class, on rows of the generator."""
    block = next(Waveform(_ROWS, seed=1).blocks(_ROWS))
    best = np.argmax([_likelihoods(block.X, *pair) for pair in _PAIRS], axis=0)
    return float((best != block.y).mean())


def _likelihoods(X: Floats, a: int, b: int) -> Floats:
    """How likely each row is under a class: the density of its noise, averaged over mixtures."""
    waves = _MIXTURES[:, None] * _WAVES[a] + (1 - _MIXTURES[:, None]) * _WAVES[b]
    # |x − wave|² without |x|², which all classes share
    logs = X @ waves.T - 0.5 * (waves**2).sum(axis=1)
    top = logs.max(axis=1)
    likelihoods: Floats = top + np.log(np.exp(logs - top[:, None]).mean(axis=1))
    return likelihoods
