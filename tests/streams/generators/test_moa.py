"""compat="moa": the rows of MOA's generators, by the oracle; the promises of every stream."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.stream_text import parse_stream
from streamgauge.testing import check_stream
from tests.oracles import moa_generators as oracle
from tests.streams.generators.moa_cases import CASES
from tests.streams.tables import whole

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


@each_case
@pytest.mark.parametrize("seed", [1, 2**31 - 1])
def test_rows_are_the_oracles(case: Any, seed: int) -> None:
    block = whole(case.stream(400, seed))
    X, y = case.expected(400, seed)
    assert np.array_equal(block.X, X, equal_nan=True)
    assert np.array_equal(block.y, y)


@pytest.mark.parametrize("name", ["RandomTree", "RandomRBFDrift", "LED", "Waveform", "SEA 0"])
def test_keeps_every_promise_of_a_stream(name: str) -> None:
    check_stream(CASES[name].stream(300, 3))


@given(st.sampled_from(sorted(CASES)), st.integers(100, 8300), st.integers(0, 2**31 - 1))
def test_rows_do_not_depend_on_cuts(name: str, size: int, seed: int) -> None:
    stream = CASES[name].stream(8300, seed)  # more than a chunk
    first, cut = whole(stream), list(stream.blocks(size))
    assert np.array_equal(np.concatenate([b.X for b in cut]), first.X, equal_nan=True)
    assert np.array_equal(np.concatenate([b.y for b in cut]), first.y)


@each_case
def test_text_makes_the_same_stream(case: Any) -> None:
    stream = case.stream(50, 3)
    made = parse_stream(repr(stream), 0)
    assert repr(made) == repr(stream)
    assert made.fingerprint() == stream.fingerprint()
    assert np.array_equal(whole(made).X, whole(stream).X, equal_nan=True)


def test_own_rows_have_another_fingerprint() -> None:
    assert sg.RandomTree(9).fingerprint() != sg.RandomTree(9, compat="moa").fingerprint()


def test_concepts_can_be_spliced() -> None:
    before, after = (sg.RandomTree(100, 1, tree, compat="moa") for tree in (1, 2))
    block = whole(sg.splice([before, after], at=[60]))
    assert np.array_equal(block.X[:60], whole(before).X[:60])
    assert np.array_equal(block.y[60:], whole(after).y)


@pytest.mark.parametrize(("has_noise", "moved"), [(False, 3), (False, 21), (True, 33)])
@pytest.mark.parametrize("seed", range(6))
def test_waveforms_of_2011_are_the_oracles(seed: int, has_noise: bool, moved: int) -> None:
    block = whole(sg.Waveform(50, seed, has_noise, moved, compat="moa-2011"))
    rows = list(islice(oracle.waveform(seed, has_noise, moved, in_2011=True), 50))
    assert np.array_equal(block.X, [x for x, _ in rows], equal_nan=True)
    assert block.y.tolist() == [y for _, y in rows]


def test_waveforms_of_2011_lose_features() -> None:
    lost = []
    for seed in range(1, 11):
        X = whole(sg.Waveform(50, seed, n_drift_features=21, compat="moa-2011")).X
        missing = np.isnan(X)
        assert X.shape == (50, 21)
        assert (missing == missing[0]).all()
        lost.append(int(missing[0].sum()))
    assert max(lost) > 0
    assert not np.isnan(whole(sg.Waveform(50, 1, n_drift_features=21, compat="moa")).X).any()


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (
            lambda: sg.RandomTree(9, compat="MOA"),  # type: ignore[arg-type]
            r"RandomTree\(compat='MOA'\): expected None or 'moa'",
        ),
        (
            lambda: sg.RandomTree(9, seed=2**31, compat="moa"),
            r"RandomTree\(seed=2147483648\): expected an integer, 0 to 2147483647",
        ),
        (
            lambda: sg.RandomTree(9, seed_tree=2**31, compat="moa"),
            r"RandomTree\(seed_tree=2147483648\): expected an integer, 0 to 2147483647",
        ),
        (
            lambda: sg.RandomTree(9, n_cat_features=2, n_num_features=0, compat="moa"),
            r"max_tree_depth=5, compat='moa'\): a branch has split on all 2 features",
        ),
        (
            lambda: sg.LED(9, noise_percentage=0.105, compat="moa"),
            r"LED\(noise_percentage=0.105\): expected a multiple of 0.01 with compat='moa'",
        ),
        (
            lambda: sg.Waveform(9, n_drift_features=41, compat="moa"),
            r"Waveform\(n_drift_features=41\): expected an integer, 0 to 40",
        ),
        (
            lambda: sg.Waveform(9, compat="moa-2010"),  # type: ignore[arg-type]
            r"Waveform\(compat='moa-2010'\): expected None or 'moa' or 'moa-2011'",
        ),
    ],
)
def test_what_moa_cannot_do_is_refused(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()
