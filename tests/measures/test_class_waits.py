"""Waits and classes: the probability to wait longer, and its test, against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.measures.class_waits import class_waits, extremes, extremes_text
from tests.oracles import late_labels as oracle
from tests.oracles import verdict

ROWS = 1200


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=60))
def test_probabilities_match_the_oracle(rows: list[tuple[int, int]]) -> None:
    waits, y = [w for w, _ in rows], [label for _, label in rows]
    for c, each in enumerate(class_waits(np.array(waits), np.array(y), 3)):
        assert each.rows == y.count(c)
        expected = oracle.probability_longer(waits, y, c)
        assert each.longer == pytest.approx(expected, nan_ok=True)
        if 0 < each.rows < len(y):
            differences = oracle.rank_differences(waits, y, c)
            assert sum(differences) / len(y) == pytest.approx(expected - 0.5, abs=1e-12)


@pytest.mark.parametrize("seed", [1, *(pytest.param(s, marks=pytest.mark.long) for s in (0, 2))])
@pytest.mark.parametrize("runs", [1, 10, 60])
@pytest.mark.parametrize("k", [2, 3])
def test_words_and_statistics_match_the_oracle(runs: int, k: int, seed: int) -> None:
    waits, y = waits_of(seed, seed > 0, runs)
    y %= k
    words = {"better": "longer", "worse": "shorter"}
    for c, each in enumerate(class_waits(waits, y, k)):
        differences = oracle.rank_differences(waits.tolist(), y.tolist(), c)
        alpha = 0.01 / (k if k > 2 else 1)
        word, t, freedom = verdict.batch_means_rule(differences, alpha=alpha)
        assert each.word == words.get(word, word)
        assert freedom in (8, each.batches - 1)
        assert each.t == pytest.approx(t)


def waits_of(seed: int, dependent: bool, runs: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.repeat(rng.integers(0, 3, ROWS // runs), runs)
    waits = np.repeat(rng.geometric(0.02, ROWS // runs), runs)
    return waits + 15 * dependent * (y == 2), y


def test_class_whose_labels_take_longer_is_found() -> None:
    found = class_waits(*waits_of(1, True), 3)
    assert [each.word for each in found] == ["shorter", "shorter", "longer"]
    assert extremes(found)[0] == 2
    text = extremes_text(["a", "b", "c"], found)
    assert text.startswith("labels of c take longer than others with probability 0.6")
    assert " come sooner than others with probability 0.5" in text


def test_independent_waits_are_rarely_called_dependent() -> None:
    """The level is 1 % for all classes together."""
    called = sum(
        any(each.decided for each in class_waits(*waits_of(seed, False), 3)) for seed in range(200)
    )
    assert called <= 8  # binomial: more in 0.1 % of cases


def test_one_class_alone_and_no_rows_are_not_tested() -> None:
    (only, none) = class_waits(np.array([3, 5]), np.array([0, 0]), 2)
    assert (only.rows, only.median, only.word) == (2, 4.0, "no clear difference")
    assert np.isnan(only.longer)
    assert np.isnan(none.median)
    assert not class_waits(np.empty(0, np.int64), np.empty(0, np.int32), 2)[0].decided
