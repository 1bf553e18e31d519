"""Batch means allow for autocorrelated errors."""

from __future__ import annotations

import math

import numpy as np

from streamgauge.measures.batch_means import z_of
from streamgauge.measures.spool import LossSpool


def test_batch_means_allow_for_autocorrelated_differences() -> None:
    """With runs of 20 equal differences, an i.i.d. standard error often calls noise significant."""
    random = np.random.default_rng(7)
    by_batches = naive = 0
    for _ in range(200):
        d = np.repeat(random.choice([-1.0, 1.0], 500), 20)
        spool = LossSpool(1)
        spool.add(d[:, np.newaxis])
        by_batches += abs(z_of(spool.batch_means()[:, 0])) > 2.58
        naive += abs(d.mean() / (d.std() / math.sqrt(len(d)))) > 2.58
    assert naive > 80
    assert by_batches < 10
