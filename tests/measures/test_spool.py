"""Spools of outcomes and losses: batch means equal the oracle, in memory and on disk."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.measures.batch_means import z_of
from streamgauge.measures.spool import LossSpool, OutcomeSpool
from streamgauge.measures.verdict import Against
from tests.oracles import verdict as oracle


@given(st.integers(1, 400), st.integers(0, 10_000), st.lists(st.integers(0, 400), max_size=3))
def test_batch_means_of_outcomes_equal_the_oracle(n: int, seed: int, cuts: list[int]) -> None:
    random = np.random.default_rng(seed)
    outcome = random.integers(0, 16, n).astype(np.uint8)
    spool = OutcomeSpool(3, np.dtype(np.uint8))
    for part in np.split(outcome, sorted(c for c in cuts if c <= n)):
        spool.add(part)
    means = spool.batch_means()
    for r in range(3):
        differences = [float((o & 1) - ((o >> (r + 1)) & 1)) for o in outcome.tolist()]
        z, batches = oracle.batch_means_z(differences)
        assert len(means) == batches
        assert z_of(means[:, r]) == pytest.approx(z, rel=1e-9, nan_ok=True)
        word = Against("Persistent", 0, 0, z_of(means[:, r]), batches).word
        assert word == oracle.word(z, batches)


@given(st.integers(1, 200), st.integers(0, 10_000))
def test_batch_means_of_losses_equal_the_oracle(n: int, seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.1, 1, (n, 2))
    spool = LossSpool(2)
    spool.add(differences[: n // 3])
    spool.add(differences[n // 3 :])
    means = spool.batch_means()
    for r in range(2):
        z, batches = oracle.batch_means_z(differences[:, r].tolist())
        assert len(means) == batches
        assert z_of(means[:, r]) == pytest.approx(z, rel=1e-9, nan_ok=True)


def test_spool_on_disk_gives_the_same_batch_means() -> None:
    random = np.random.default_rng(0)
    outcome = random.integers(0, 16, 10_000_000).astype(np.uint8)  # more than stays in memory
    spool = OutcomeSpool(3, np.dtype(np.uint8))
    for part in np.array_split(outcome, 7):
        spool.add(part)
    means = spool.batch_means()
    length = math.isqrt(len(outcome))
    whole = outcome[: len(outcome) // length * length].reshape(-1, length)
    expected = ((whole & 1).astype(int) - ((whole >> 2) & 1)).mean(axis=1)
    np.testing.assert_allclose(means[:, 1], expected, rtol=1e-12, atol=1e-15)


def test_outcomes_of_many_references_need_more_bits() -> None:
    random = np.random.default_rng(3)
    kind = np.dtype(np.uint16)
    outcome = random.integers(0, 1 << 11, 400).astype(kind)
    spool = OutcomeSpool(10, kind)
    spool.add(outcome)
    means = spool.batch_means()
    for r in range(10):
        differences = (outcome & 1).astype(float) - ((outcome >> (r + 1)) & 1)
        assert z_of(means[:, r]) == pytest.approx(oracle.batch_means_z(differences.tolist())[0])
