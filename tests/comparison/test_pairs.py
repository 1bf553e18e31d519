"""Q and McNemar under every forgetting, against the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from streamgauge.comparison._pairs import (
    mcnemar_p,
    mcnemar_statistic,
    mcnemar_threshold,
    q_statistic,
)
from streamgauge.comparison.options import Compat
from streamgauge.measures.forgetting import Forgetting
from tests.oracles import comparison as oracle

FORGET: list[tuple[str, float, Forgetting]] = [
    ("cumulative", 0, sg.Cumulative()),
    ("window", 7, sg.Window(7)),
    ("window", 1, sg.Window(1)),
    ("fading", 0.9, sg.Fading(0.9)),
    ("fading", 1.0, sg.Fading(1.0)),
    ("time", 5, sg.TimeWindow(5)),
]


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=60),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([None, "gama2013"]),
)
def test_q_and_mcnemar_match_oracle_under_every_forgetting(
    rows: list[tuple[int, int, int]], smooth: float, compat: Compat
) -> None:
    y, a, b = (np.array(column) for column in zip(*rows, strict=True))
    pair = sg.compare(
        a, b, y=y, forget=[f for _, _, f in FORGET], every=1, smooth=smooth, compat=compat,
    )  # fmt: skip
    assert isinstance(pair, sg.Comparison)
    wrong_a, wrong_b = (a != y).tolist(), (b != y).tolist()
    for kind, parameter, forgetting in FORGET:
        for n in range(1, len(y) + 1):
            weight = oracle.weights(kind, parameter, list(range(n)))
            expected = oracle.q(wrong_a[:n], wrong_b[:n], weight, smooth)
            found = float(pair.curve["q", forgetting][n - 1])
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
            expected = oracle.mcnemar(
                wrong_a[:n], wrong_b[:n], weight, printed=compat == "gama2013"
            )
            found = float(pair.curve["mcnemar", forgetting][n - 1])
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


LOSS = st.just(0.0) | st.floats(1e-3, 5)  # smaller ones fade away below what doubles hold


@given(st.lists(st.tuples(LOSS, LOSS), min_size=1, max_size=60))
def test_q_of_given_losses_matches_oracle(rows: list[tuple[float, float]]) -> None:
    a, b = (np.array(column) for column in zip(*rows, strict=True))
    pair = sg.compare(a, b, loss="given", forget=[f for _, _, f in FORGET], every=1)
    for kind, parameter, forgetting in FORGET:
        for n in range(1, len(a) + 1):
            weight = oracle.weights(kind, parameter, list(range(n)))
            expected = oracle.q(a[:n].tolist(), b[:n].tolist(), weight, 0.0)
            found = float(pair.curve["q", forgetting][n - 1])
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
    assert np.isnan(pair.curve["mcnemar"]).all()
    count, why = pair.curve.undefined()["mcnemar"]
    assert count == len(a)
    assert "does not distinguish right from wrong" in why


def test_signs_and_undefined_values() -> None:
    """Q < 0 favours A. Q is undefined while one of the two has no loss, and that is counted."""
    y = np.zeros(6, int)
    a, b = np.array([0, 0, 1, 0, 0, 0]), np.array([1, 1, 1, 1, 0, 0])
    pair = sg.compare(a, b, y=y, every=1)
    assert np.isnan(pair.curve["q"][:2]).all()
    assert pair.curve["q"][2] == pytest.approx(math.log(1 / 3))
    assert pair.curve.undefined()["q"] == (2, "the loss of one of the two is 0")
    assert pair.summary["mcnemar"] == -3.0
    assert pair.summary["only_b_wrong"] == 3
    assert sg.compare(b, a, y=y).summary["mcnemar"] == 3.0
    assert q_statistic(np.zeros(1), np.zeros(1)).tolist() == [0.0]
    assert q_statistic(np.zeros(1), np.ones(1), smooth=1.0)[0] == pytest.approx(-math.log(2))
    assert mcnemar_statistic(np.zeros(1), np.zeros(1), np.zeros(1)).tolist() == [0.0]


def test_p_values_of_small_counts_are_exact() -> None:
    a, b = np.array([3.0, 7.0, 60.0, 2.5]), np.array([0.0, 7.0, 39.0, 0.25])
    p = mcnemar_p(mcnemar_statistic(a, b, a + b), a, b)
    for i in (0, 1, 2):
        exact = stats.binomtest(int(a[i]), int(a[i] + b[i]), 0.5).pvalue
        assert p[i] == pytest.approx(exact)
    faded = mcnemar_statistic(a[3:], b[3:], a[3:] + b[3:])  # not a count
    assert p[3] == pytest.approx(stats.chi2.sf(np.abs(faded[0]), 1))


def test_threshold_and_p_values_follow_chi_squared() -> None:
    assert mcnemar_threshold(0.99) == pytest.approx(6.635, abs=5e-4)  # gama2013 §4.2
    m = np.array([-10.0, -0.3, 0.0, 6.635])
    many = np.full(4, 500.0)
    np.testing.assert_allclose(mcnemar_p(m, many, many), stats.chi2.sf(np.abs(m), 1), rtol=1e-12)


def test_gama2013_variance_halves_the_faded_statistic() -> None:
    """Under H0 M should be χ² with one degree of freedom, so 1 on average."""
    random = np.random.default_rng(3)
    found: dict[Compat, list[float]] = {None: [], "gama2013": []}
    for _ in range(400):
        y = np.zeros(400, int)
        a, b = random.integers(0, 2, (2, 400))
        for compat, values in found.items():
            pair = sg.compare(
                a, b, y=y, forget=[sg.Fading(0.98)], every=400, compat=compat,
            )  # fmt: skip
            values.append(abs(pair.summary["mcnemar"]))
    assert np.mean(found[None]) == pytest.approx(1.0, abs=0.2)
    assert np.mean(found["gama2013"]) == pytest.approx(0.5, abs=0.1)


def test_curve_does_not_depend_on_its_spacing() -> None:
    random = np.random.default_rng(0)
    y, a, b = random.integers(0, 2, (3, 500))
    often, rarely = (sg.compare(a, b, y=y, every=every) for every in (1, 70))
    for name in ("q", "mcnemar", "loss_a"):
        for forgetting in ("Cumulative()", "Window(1000)"):
            np.testing.assert_array_equal(
                often.curve[name, forgetting][rarely.curve.rows - 1],
                rarely.curve[name, forgetting],
            )
    assert rarely.curve.rows.tolist() == [70, 140, 210, 280, 350, 420, 490, 500]
