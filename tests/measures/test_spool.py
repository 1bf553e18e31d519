"""Spools of outcomes and losses: the test equals the one of the rows, in memory and on disk."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.inside import Inside
from streamgauge.measures import spool as module
from streamgauge.measures.batch_means import BatchMeansTest, batch_means_test
from streamgauge.measures.spool import LossSpool, OutcomeSpool


def assert_same(one: BatchMeansTest, other: BatchMeansTest) -> None:
    ours, theirs = asdict(one), asdict(other)
    for words in ("word", "recent"):
        assert ours.pop(words) == theirs.pop(words)
    assert ours.pop("parts") == pytest.approx(theirs.pop("parts"), rel=1e-9, abs=1e-12)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True)


@given(st.integers(0, 900), st.integers(0, 10_000), st.lists(st.integers(0, 900), max_size=3))
def test_outcomes_give_the_test_of_their_rows(n: int, seed: int, cuts: list[int]) -> None:
    random = np.random.default_rng(seed)
    outcome = np.repeat(random.integers(0, 16, n), random.integers(1, 4))[:n].astype(np.uint8)
    spool = OutcomeSpool(3, np.dtype(np.uint8))
    for part in np.split(outcome, sorted(c for c in cuts if c <= n)):
        spool.add(part)
    for r, test in enumerate(spool.tests()):
        hits = (outcome & 1).astype(float) - ((outcome >> (r + 1)) & 1)
        assert_same(test, batch_means_test(hits, bound=1.0))


@given(st.integers(0, 900), st.integers(0, 10_000))
def test_losses_give_the_test_of_their_rows(n: int, seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.1, 1, n)
    spool = LossSpool()
    spool.add(differences[: n // 3])
    spool.add(differences[n // 3 :])
    assert_same(spool.test(), batch_means_test(differences))


def test_spool_on_disk_gives_the_same_test() -> None:
    random = np.random.default_rng(0)
    outcome = random.integers(0, 16, 10_000_000).astype(np.uint8)  # more than stays in memory
    spool = OutcomeSpool(3, np.dtype(np.uint8))
    for part in np.array_split(outcome, 7):
        spool.add(part)
    expected = batch_means_test((outcome & 1).astype(float) - ((outcome >> 2) & 1), bound=1.0)
    assert_same(spool.tests()[1], expected)


def test_losses_are_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK_ROWS", 37)
    differences = np.random.default_rng(1).normal(0.1, 1, 1234)
    spool = LossSpool()
    spool.add(differences)
    assert_same(spool.test(), batch_means_test(differences))


def test_outcomes_of_many_references_need_more_bits() -> None:
    random = np.random.default_rng(3)
    kind = np.dtype(np.uint16)
    outcome = random.integers(0, 1 << 11, 400).astype(kind)
    spool = OutcomeSpool(10, kind)
    spool.add(outcome)
    for r, test in enumerate(spool.tests()):
        hits = (outcome & 1).astype(float) - ((outcome >> (r + 1)) & 1)
        assert_same(test, batch_means_test(hits, bound=1.0))


def test_thousands_of_files_are_not_open_at_once(tmp_path: Path) -> None:
    outcome = np.random.default_rng(4).integers(0, 4, 300).astype(np.uint8)
    before = len(os.listdir("/dev/fd"))
    spools = [OutcomeSpool(1, np.dtype(np.uint8)) for _ in range(300)]
    for place, spool in enumerate(spools):
        spool.keep_in(Inside(tmp_path, str(place)))
        spool.add(outcome[:100])
        spool.add(outcome[100:])
        spool.dump_state()
    assert len(os.listdir("/dev/fd")) < before + 10
    expected = batch_means_test((outcome & 1).astype(float) - (outcome >> 1), bound=1.0)
    assert_same(spools[7].tests()[0], expected)
    again = OutcomeSpool(1, np.dtype(np.uint8))
    again.keep_in(Inside(tmp_path, "7"))
    again.load_state({"rows": 100})  # a snapshot that is older than the file
    again.add(outcome[100:])
    assert_same(again.tests()[0], expected)
