"""Generators: rows by rule and seed alone, whatever the cut; River's distributions."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.testing import check_stream
from streamgauge.types import Floats
from tests.streams.tables import whole

THRESHOLDS = (8.0, 9.0, 7.0, 9.5)
EVERY: list[Any] = [
    *(sg.SEA(20_000, seed=3, function=f) for f in range(4)),
    sg.SEA(20_000, seed=3, noise=0.1),
    sg.Sine1(20_000, seed=3),
    sg.Sine1(20_000, seed=3, reverse=True),
]


@pytest.mark.parametrize("stream", EVERY, ids=repr)
def test_the_same_rows_in_every_pass_and_cut(stream: sg.Stream) -> None:
    check_stream(stream.take(2000))
    first = whole(stream)
    for size in (8191, 8192, 8193):  # around the chunks rows are made in
        blocks = list(stream.blocks(size))
        assert [block.start for block in blocks] == list(range(0, 20_000, size))
        assert np.array_equal(np.concatenate([block.X for block in blocks]), first.X)
        assert np.array_equal(np.concatenate([block.y for block in blocks]), first.y)


@given(n=st.integers(1, 20_000), seed=st.integers(0, 2**63), noise=st.sampled_from([0.0, 0.2]))
def test_a_shorter_stream_is_the_beginning_of_a_longer(n: int, seed: int, noise: float) -> None:
    for short, long in (
        (sg.SEA(n, seed, noise=noise), sg.SEA(20_000, seed, noise=noise)),
        (sg.Sine1(n, seed), sg.Sine1(20_000, seed)),
    ):
        ours, theirs = whole(short), whole(long.take(n))
        assert short.rows == len(ours) == n
        assert np.array_equal(ours.X, theirs.X)
        assert np.array_equal(ours.y, theirs.y)


def test_seeds_and_chunks_differ() -> None:
    seen = set()
    for seed in range(5):
        for stream in (sg.SEA(9000, seed), sg.Sine1(9000, seed)):
            X = whole(stream).X
            seen |= {float(X[0, 0] % 1), float(X[8192, 0] % 1)}  # first rows of two chunks
            assert len(np.unique(X)) == X.size
    assert len(seen) == 20
    assert whole(sg.SEA(9)).X.tolist() == whole(sg.SEA(9, seed=0)).X.tolist()
    assert sg.SEA(9, 1).fingerprint() != sg.SEA(9, 2).fingerprint()
    assert sg.SEA(9, 1).fingerprint() == sg.SEA(9, 1).fingerprint()
    assert sg.Sine1(9).fingerprint() != sg.Sine1(9, reverse=True).fingerprint()


@pytest.mark.parametrize("function", range(4))
def test_the_rule_of_sea(function: int) -> None:
    stream = sg.SEA(5000, seed=8, function=function)
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
def test_the_rule_of_sine1(reverse: bool) -> None:
    block = whole(sg.Sine1(5000, seed=8, reverse=reverse))
    for (first, second), y in zip(block.X.tolist(), block.y.tolist(), strict=True):
        below = first < math.sin(second)
        assert y == int(below != reverse)


def _of_river(pairs: Any, n: int) -> tuple[Floats, Floats]:
    rows = list(islice(pairs, n))
    X = np.array([list(x.values()) for x, _ in rows], np.float64)
    return X, np.array([float(y) for _, y in rows])


def _assert_alike(ours: Floats, theirs: Floats, spread: float) -> None:
    """Two means of independent samples: within five standard errors."""
    error = spread * math.sqrt(1 / len(ours) + 1 / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 5 * error


def _cases() -> list[tuple[str, sg.Stream, Any, float]]:
    from river.datasets import synth

    n = 20_000
    return [
        *((f"SEA {f}", sg.SEA(n, 5, function=f), synth.SEA(variant=f, seed=5), 10.0)
          for f in range(4)),
        ("SEA noise", sg.SEA(n, 5, noise=0.2), synth.SEA(noise=0.2, seed=5), 10.0),
        ("Sine1", sg.Sine1(n, 5), synth.Sine(0, seed=5), 1.0),
        ("Sine1 reverse", sg.Sine1(n, 5, reverse=True), synth.Sine(1, seed=5), 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(("ours", "rivers", "scale"), [c[1:] for c in _cases()],
                         ids=[c[0] for c in _cases()])  # fmt: skip
def test_rivers_distributions(ours: sg.Stream, rivers: Any, scale: float) -> None:
    block = whole(ours)
    X, y = _of_river(rivers, len(block))
    assert block.X.shape == X.shape
    assert 0 <= block.X.min() < block.X.max() < scale
    _assert_alike(block.y.astype(np.float64), y, 0.5)  # no indicator spreads wider than 1/2
    deviation = scale / math.sqrt(12)  # of a uniform number
    for j in range(X.shape[1]):
        _assert_alike(block.X[:, j], X[:, j], deviation)
        for label in (0, 1):  # each class has its place, too
            _assert_alike(block.X[block.y == label, j], X[y == label, j], deviation)
        # The largest gap between the two distribution functions (Kolmogorov and Smirnov).
        grid = np.linspace(0, scale, 200)
        one, other = (np.searchsorted(np.sort(v[:, j]), grid) / len(v) for v in (block.X, X))
        assert np.abs(one - other).max() < 2.5 * math.sqrt(2 / len(X))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.SEA(0), r"SEA\(0\): a stream has at least one row"),
        (lambda: sg.Sine1(-1), r"Sine1\(-1\): a stream has at least one row"),
        (lambda: sg.SEA(9, function=4), r"SEA\(function=4\): it is 0, 1, 2 or 3"),
        (lambda: sg.SEA(9, noise=1.0), r"SEA\(noise=1.0\): a probability"),
        (lambda: sg.SEA(9, noise=-0.1), r"SEA\(noise=-0.1\): a probability"),
    ],
)
def test_parameters_that_cannot_be_right(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()


def test_parameters_are_in_the_name() -> None:
    assert sg.SEA(9, 1).name == "SEA(9, seed=1)"
    assert sg.SEA(9, 1, function=2, noise=0.1).name == "SEA(9, seed=1, function=2, noise=0.1)"
    assert sg.Sine1(9, reverse=True).name == "Sine1(9, seed=0, reverse=True)"
