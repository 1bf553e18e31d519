"""The verdict: batch means against the oracle, the words, and that nothing good hides a loss."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Schema
from streamgauge.measures.batch_means import z_of
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import Reference
from streamgauge.measures.spool import LossSpool, OutcomeSpool
from streamgauge.measures.verdict import Against, Score, judge
from streamgauge.streams.frames import ArrayStream
from tests.oracles import verdict as oracle


@given(st.integers(1, 400), st.integers(0, 10_000), st.lists(st.integers(0, 400), max_size=3))
def test_batch_means_of_hits(n: int, seed: int, cuts: list[int]) -> None:
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
def test_batch_means_of_numbers(n: int, seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.1, 1, (n, 2))
    spool = LossSpool(2)
    spool.add(differences[: n // 3])
    spool.add(differences[n // 3 :])
    means = spool.batch_means()
    for r in range(2):
        z, batches = oracle.batch_means_z(differences[:, r].tolist())
        assert len(means) == batches
        assert z_of(means[:, r]) == pytest.approx(z, rel=1e-9, nan_ok=True)


def test_spool_goes_to_disk_and_comes_back() -> None:
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


def labels_only(y: list[int], k: int) -> sg.Stream:
    schema = Schema((), (), tuple(range(k)))
    return ArrayStream("labels", schema, Block(0, np.empty((len(y), 0)), np.array(y, np.int32)))


def test_a_cycle_of_labels_is_transitions_game() -> None:
    """P(T) = 0, yet the label order says everything: Persistent alone would certify nonsense."""
    run = sg.evaluate(labels_only([0, 1, 2] * 400, 3), sg.Majority())
    best = run.verdict.against[0]
    assert best.reference == "Transition"
    assert best.reference_score > 0.99
    assert best.word == "worse"
    text = str(run.verdict)
    assert "worse than guessing the usual successor of the last label (Transition" in text
    assert "The order of the labels carries information" in text
    assert "try TemporallyAugmented(Majority())." in text
    assert run.verdict["Persistent"].reference_score == 0


def test_the_reference_itself_shows_no_difference() -> None:
    random = np.random.default_rng(1)
    y = np.repeat(random.integers(0, 2, 500), 4).tolist()
    run = sg.evaluate(labels_only(y, 2), sg.Persistent(), forget=[sg.Fading(0.99)])
    assert run.verdict["Persistent"].word == "no clear difference"
    assert run.verdict.plus_share == 0  # no rounding makes it look better than itself
    assert run.summary["kappa_temporal"] == 0


def test_the_remedy_fits_the_learner() -> None:
    """What is suggested can be played; who knows past labels already is told something else."""
    from streamgauge.learners.parsing import parse_learner

    def remedy(learner: object) -> str:
        y = np.repeat(np.random.default_rng(1).integers(0, 2, 100), 10)
        run = sg.evaluate(labels_only(y.tolist(), 2), learner)
        assert run.verdict["Persistent"].word == "worse"
        return run.verdict.notes[0].partition("does not use: ")[2]

    assert remedy("KNN(n_neighbors=3)") == "try TemporallyAugmented(KNN(n_neighbors=3))."
    parse_learner("TemporallyAugmented(KNN(n_neighbors=3))")
    assert "another base learner" in remedy(sg.TemporallyAugmented("Majority"))


def test_few_rows_are_too_few() -> None:
    run = sg.evaluate(labels_only([0, 1] * 15, 2), sg.Majority())
    assert run.verdict["Persistent"].word == "too few rows to say"
    assert "Too few rows to compare it with guessing" in str(run.verdict)


def test_autocorrelated_errors_need_batch_means() -> None:
    """Runs of 20 equal differences: an i.i.d. error would call noise a finding most of the time."""
    random = np.random.default_rng(7)
    called = naive = 0
    for _ in range(200):
        d = np.repeat(random.choice([-1.0, 1.0], 500), 20)
        spool = LossSpool(1)
        spool.add(d[:, np.newaxis])
        called += abs(z_of(spool.batch_means()[:, 0])) > 2.58
        naive += abs(d.mean() / (d.std() / math.sqrt(len(d)))) > 2.58
    assert naive > 80
    assert called < 10


def test_an_undefined_share_is_said() -> None:
    y = [0] * 1500 + [0, 1] * 300
    run = sg.evaluate(labels_only(y, 2), sg.Majority(), forget=[sg.Window(100)])
    assert run.verdict.undefined_share > 0.5
    assert "undefined on" in str(run.verdict)
    points, why = run.undefined["kappa_temporal"]
    assert points > 0
    assert "the reference was right on every row" in why


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


def test_verdict_speaks_of_any_reference_by_its_own_phrase() -> None:
    curve = Curve(np.empty(0, np.int64), (), (), (sg.Cumulative(),), (np.empty((0, 0)),))
    means = np.full((40, 2), -1.0) * np.linspace(0.9, 1.1, 40)[:, np.newaxis]
    weekly = Reference("Weekly", "repeating the label of a week ago", uses_label_order=True)
    coin = Reference("Coin", "tossing a coin")
    scores = [Score(coin, 0.6, 0.5), Score(weekly, 0.6, 0.9)]
    text = str(judge("Mine", means, scores, curve, False, "look at the calendar"))
    assert "Mine is worse than repeating the label of a week ago (Weekly: 60.0 %" in text
    assert "than tossing a coin (Coin: " in text
    assert "The order of the labels carries information" in text
