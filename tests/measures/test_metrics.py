"""Every metric equals the oracle, under every forgetting, at every row."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.measures.regression_tally import RegressionTally
from tests.measures.scored_rows import CASES, NAMES, scored_rows, tally
from tests.oracles import forgetting as weights_oracle
from tests.oracles import metrics as oracle


@given(scored_rows())
def test_classification_metrics_equal_the_oracle_under_every_forgetting(
    rows: tuple[int, Codes, Codes, Floats, list[int]],
) -> None:
    k, y, answers, shares, cuts = rows
    cost = np.random.default_rng(k).random((k, k))
    curve = tally(k, y, answers, shares, cuts, [case[0] for case in CASES], cost)
    scored = [
        oracle.Scored(true, pred, majority, persistent, transition, seasonal, proba)
        for true, (pred, majority, persistent, transition, seasonal), proba in zip(
            y.tolist(), answers.T.tolist(), shares.tolist(), strict=True
        )
    ]
    np.testing.assert_array_equal(curve.rows, np.arange(1, len(y) + 1))
    per_class = {f"{m}[{c}]": f"{m}_{c}" for m in ("precision", "recall", "f1") for c in range(k)}
    for forgetting, kind, parameter in CASES:
        for n in range(1, len(y) + 1):
            weights = weights_oracle.weights(kind, parameter, n)
            for ours, theirs in {**{name: name for name in NAMES}, **per_class}.items():
                expected = oracle.metric(theirs, scored[:n], weights, k, cost.tolist())
                got = float(curve[ours, forgetting][n - 1])
                if ours == "kappa_plus":  # a root: rounding of 1e-17 would look like 3e-9
                    got, expected = got**2, expected**2
                assert got == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), (
                    f"{ours} under {forgetting} after {n} rows"
                )


@st.composite
def scored_targets(draw: st.DrawFn) -> tuple[Floats, Floats, list[int]]:
    n = draw(st.integers(1, 25))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    offset = draw(st.sampled_from([0.0, 1e6]))
    y = offset + random.normal(size=n).round(2)
    predicted = y + random.normal(size=n)
    predicted[random.random(n) < 0.2] = np.nan
    return y, predicted, draw(st.lists(st.integers(0, n), max_size=3))


@given(scored_targets())
def test_regression_metrics_equal_the_oracle_under_every_forgetting(
    rows: tuple[Floats, Floats, list[int]],
) -> None:
    y, predicted, cuts = rows
    target = Schema((), (), ())
    counter = RegressionTally([case[0] for case in CASES], 1, metrics_for(target))
    edges = [0, *sorted(cuts), len(y)]
    for a, b in itertools.pairwise(edges):
        counter.add(y[a:b], predicted[a:b])
    curve = counter.finish()
    pairs = list(zip(y.tolist(), predicted.tolist(), strict=True))
    for forgetting, kind, parameter in CASES:
        for n in range(1, len(y) + 1):
            weights = weights_oracle.weights(kind, parameter, n)
            for name in ("mae", "rmse", "r2", "coverage"):
                expected = oracle.regression(name, pairs[:n], weights)
                got = float(curve[name, forgetting][n - 1])
                assert got == pytest.approx(expected, rel=1e-6, abs=1e-8, nan_ok=True), (
                    f"{name} under {forgetting} after {n} rows"
                )
