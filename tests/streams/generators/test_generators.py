"""Generators: rows depend on rule and seed alone, not on the block size; River's distributions."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.generators.alike import assert_alike, of_river
from tests.streams.tables import whole

THRESHOLDS = (8.0, 9.0, 7.0, 9.5)
MAKERS: list[Any] = [
    *(partial(sg.SEA, variant=f) for f in range(4)),
    partial(sg.SEA, noise=0.1),
    sg.Sine1,
    partial(sg.Sine1, reverse=True),
    sg.Sine2,
    partial(sg.Sine2, reverse=True),
    *(partial(sg.STAGGER, classification_function=f) for f in range(3)),
    partial(sg.STAGGER, balance_classes=True),
    partial(sg.Agrawal, classification_function=9),
    partial(sg.Agrawal, perturbation=0.1, balance_classes=True),
    sg.Hyperplane,
    partial(sg.Hyperplane, n_features=3, n_drift_features=3, mag_change=0.01),
    sg.RandomRBF,
    partial(sg.RandomRBF, n_features=1, n_classes=5, n_centroids=7),
    sg.RandomRBFDrift,
    partial(sg.RandomRBFDrift, n_features=2, n_centroids=5, change_speed=0.01, n_drift_centroids=3),
    sg.RandomTree,
    partial(
        sg.RandomTree,
        n_classes=4,
        n_cat_features=2,
        n_num_features=1,
        n_categories_per_feature=3,
        max_tree_depth=6,
    ),
    sg.LED,
    partial(sg.LED, irrelevant_features=True, n_drift_features=3),
    sg.Waveform,
    partial(sg.Waveform, has_noise=True, n_drift_features=3),
]
EVERY: list[Any] = [make(10_000, seed=3) for make in MAKERS]


@pytest.mark.parametrize("stream", EVERY, ids=repr)
def test_the_same_rows_in_every_pass_and_cut(stream: sg.Stream) -> None:
    check_stream(stream.take(600))
    first = whole(stream)
    for size in (8191, 8192, 8193):  # around the chunks rows are made in
        blocks = list(stream.blocks(size))
        assert [block.start for block in blocks] == list(range(0, 10_000, size))
        assert np.array_equal(np.concatenate([block.X for block in blocks]), first.X)
        assert np.array_equal(np.concatenate([block.y for block in blocks]), first.y)


@given(make=st.sampled_from(MAKERS), n=st.integers(1, 10_000), seed=st.integers(0, 2**63))
def test_a_shorter_stream_is_the_beginning_of_a_longer(make: Any, n: int, seed: int) -> None:
    short, long = make(n, seed), make(10_000, seed)
    ours, theirs = whole(short), whole(long.take(n))
    assert short.rows == len(ours) == n
    assert np.array_equal(ours.X, theirs.X)
    assert np.array_equal(ours.y, theirs.y)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make(1).name)
def test_seeds_and_chunks_differ(make: Any) -> None:
    seen = set()
    for seed in range(5):
        X = whole(make(8192 + 50, seed)).X
        seen |= {X[:50].tobytes(), X[8192:].tobytes()}  # the beginnings of two chunks
    assert len(seen) == 10
    assert make(9, 1).fingerprint() != make(9, 2).fingerprint()
    assert make(9, 1).fingerprint() == make(9, 1).fingerprint()
    assert whole(make(9)).X.tolist() == whole(make(9, seed=1)).X.tolist()


def test_every_generator_has_its_own_name() -> None:
    assert len({stream.fingerprint() for stream in EVERY}) == len(EVERY)
    kinds = {type(stream) for stream in EVERY}
    home = "streamgauge.streams.generators"
    assert kinds == {t for name in sg.__all__ if is_made_up(t := getattr(sg, name), home)}


def is_made_up(value: object, home: str) -> bool:
    return isinstance(value, type) and value.__module__.startswith(home)


def test_numeric_values_do_not_repeat() -> None:
    for stream in (sg.SEA(9000), sg.Sine1(9000), sg.Sine2(9000), sg.Waveform(9000)):
        X = whole(stream).X
        assert len(np.unique(X)) == X.size


@pytest.mark.parametrize("function", range(4))
def test_the_rule_of_sea(function: int) -> None:
    stream = sg.SEA(5000, seed=8, variant=function)
    assert stream.schema.classes == (0, 1)
    block = whole(stream)
    for (first, second, _), y in zip(block.X.tolist(), block.y.tolist(), strict=True):
        assert y == (1 if first + second > THRESHOLDS[function] else 0)


def test_the_noise_of_sea() -> None:
    n, noise = 20_000, 0.1
    block = whole(sg.SEA(n, seed=8, noise=noise))
    clean = block.X[:, 0] + block.X[:, 1] > 8
    flipped = float((clean != block.y).mean())
    assert abs(flipped - noise) < 5 * math.sqrt(noise * (1 - noise) / n)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("kind", "curve"),
    [(sg.Sine1, math.sin), (sg.Sine2, lambda x: 0.5 + 0.3 * math.sin(3 * math.pi * x))],
)
def test_the_rule_of_sine(kind: Any, curve: Any, reverse: bool) -> None:
    block = whole(kind(5000, seed=8, reverse=reverse))
    for (first, second), y in zip(block.X.tolist(), block.y.tolist(), strict=True):
        below = first < curve(second)
        assert y == int(below != reverse)


def _cases() -> dict[str, tuple[sg.Stream, Any]]:
    from river.datasets import synth

    n = 50_000
    return {
        **{f"SEA {f}": (sg.SEA(n, 5, variant=f), synth.SEA(f, seed=5)) for f in range(4)},
        "SEA noise": (sg.SEA(n, 5, noise=0.2), synth.SEA(noise=0.2, seed=5)),
        "Sine1": (sg.Sine1(n, 5), synth.Sine(0, seed=5)),
        "Sine1 reverse": (sg.Sine1(n, 5, reverse=True), synth.Sine(1, seed=5)),
        "Sine2": (sg.Sine2(n, 5), synth.Sine(2, seed=5)),
        "Sine2 reverse": (sg.Sine2(n, 5, reverse=True), synth.Sine(3, seed=5)),
    }


@pytest.mark.parametrize(("ours", "rivers"), _cases().values(), ids=_cases().keys())
def test_rivers_distributions(ours: sg.Stream, rivers: Any) -> None:
    block = whole(ours)
    assert_alike((block.X, block.y), of_river(rivers, 20_000))


def _wrong(value: object) -> Any:
    """Of a type that no checker would let pass."""
    return value


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.SEA(0), r"SEA\(0\): expected at least one row"),
        (lambda: sg.Sine1(-1), r"Sine1\(-1\): expected at least one row"),
        (lambda: sg.SEA(9, variant=4), r"SEA\(variant=4\): expected 0, 1, 2 or 3"),
        (lambda: sg.SEA(9, noise=1.0), r"SEA\(noise=1.0\): expected a probability"),
        (lambda: sg.SEA(9, noise=-0.1), r"SEA\(noise=-0.1\): expected a probability"),
        (lambda: sg.SEA(_wrong(9.5)), r"SEA: expected an integer, got 9.5"),
        (lambda: sg.SEA(9, seed=-1), r"SEA\(seed=-1\): expected an integer, at least 0"),
        (
            lambda: sg.SEA(9, seed=_wrong("1")),
            r"SEA\(seed='1'\): expected an integer, at least 0",
        ),
        (lambda: sg.SEA(9, variant=_wrong(1.0)), r"SEA\(variant=1.0\): expected 0, 1, 2 or 3"),
        (lambda: sg.STAGGER(0), r"STAGGER\(0\): expected at least one row"),
        (
            lambda: sg.STAGGER(9, classification_function=3),
            r"STAGGER\(classification_function=3\): expected 0, 1 or 2",
        ),
        (
            lambda: sg.Agrawal(9, classification_function=10),
            r"Agrawal\(classification_function=10\): expected 0, .*8 or 9",
        ),
        (
            lambda: sg.Agrawal(9, perturbation=1.1),
            r"perturbation=1.1\): expected a fraction, 0 <= .* <= 1",
        ),
        (
            lambda: sg.Hyperplane(9, n_features=0),
            r"n_features=0\): expected an integer, at least 1",
        ),
        (
            lambda: sg.Hyperplane(9, n_drift_features=11),
            r"n_drift_features=11\): expected an integer, 0 to 10",
        ),
        (
            lambda: sg.Hyperplane(9, mag_change=1.5),
            r"mag_change=1.5\): expected a number, 0 <= .* <= 1",
        ),
        (
            lambda: sg.Hyperplane(9, noise_percentage=math.nan),
            r"noise_percentage=nan\): expected a probability",
        ),
        (lambda: sg.Hyperplane(9, sigma=-1), r"sigma=-1\): expected a probability"),
        (lambda: sg.RandomRBF(9, n_features=0), r"n_features=0\): expected an integer, at least 1"),
        (lambda: sg.RandomRBF(9, n_classes=1), r"n_classes=1\): expected an integer, at least 2"),
        (
            lambda: sg.RandomRBF(9, n_centroids=0),
            r"RandomRBF\(n_centroids=0\): expected an integer, at",
        ),
        (
            lambda: sg.RandomRBF(9, seed_model=-1),
            r"seed_model=-1\): expected an integer, at least 0",
        ),
        (lambda: sg.RandomRBFDrift(9, n_centroids=0), r"RandomRBFDrift\(n_centroids=0\)"),
        (
            lambda: sg.RandomRBFDrift(9, change_speed=-1),
            r"change_speed=-1\): expected a number, at least 0",
        ),
        (
            lambda: sg.RandomRBFDrift(9, change_speed=math.inf),
            r"change_speed=inf\): expected a number, at least 0",
        ),
        (
            lambda: sg.RandomRBFDrift(9, n_drift_centroids=51),
            r"n_drift_centroids=51\): expected an integer, 0 to 50",
        ),
        (lambda: sg.RandomTree(9, n_classes=1), r"n_classes=1\): expected an integer, at least 2"),
        (
            lambda: sg.RandomTree(9, n_categories_per_feature=1),
            r"n_categories_per_feature=1\): expected an integer, at least 2",
        ),
        (
            lambda: sg.RandomTree(9, n_cat_features=0, n_num_features=0),
            r"n_num_features=0\): expected an integer, at least 1",
        ),
        (
            lambda: sg.RandomTree(9, max_tree_depth=-1),
            r"max_tree_depth=-1\): expected an integer, at least 0",
        ),
        (
            lambda: sg.RandomTree(9, fraction_leaves_per_level=2),
            r"fraction_leaves_per_level=2\): expected a probability",
        ),
        (
            lambda: sg.LED(9, irrelevant_features=_wrong(24)),
            r"LED\(irrelevant_features=24\): expected True or False",
        ),
        (
            lambda: sg.LED(9, noise_percentage=_wrong("1")),
            r"LED\(noise_percentage='1'\): expected a probability, 0 <= noise_percentage <= 1",
        ),
        (
            lambda: sg.LED(9, irrelevant_features=True, n_drift_features=8),
            r"n_drift_features=8\): expected an integer, 0 to 7",
        ),
        (
            lambda: sg.LED(9, n_drift_features=1),
            r"LED\(n_drift_features=1\): expected irrelevant_features=True",
        ),
        (
            lambda: sg.Waveform(9, has_noise=_wrong(40)),
            r"Waveform\(has_noise=40\): expected True or False",
        ),
        (
            lambda: sg.Waveform(9, has_noise=True, n_drift_features=20),
            r"n_drift_features=20\): .* 0 to 19",
        ),
        (
            lambda: sg.Waveform(9, n_drift_features=1),
            r"\(n_drift_features=1\): expected has_noise=True",
        ),
    ],
)
def test_parameters_out_of_range_are_refused(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()


def test_parameters_are_in_the_name() -> None:
    assert sg.SEA(9, 1).name == "SEA(9, seed=1)"
    assert sg.SEA(9, 1, variant=2, noise=0.1).name == "SEA(9, seed=1, variant=2, noise=0.1)"
    assert sg.Sine1(9, reverse=True).name == "Sine1(9, reverse=True)"
    assert sg.RandomRBFDrift(9).name == "RandomRBFDrift(9)"
    assert (
        sg.RandomRBFDrift(9, 1, seed_model=2, change_speed=0.1, n_drift_centroids=5).name
        == "RandomRBFDrift(9, seed=1, seed_model=2, change_speed=0.1, n_drift_centroids=5)"
    )
    assert sg.LED(9, noise_percentage=0.1, n_drift_features=0).name == "LED(9)"
