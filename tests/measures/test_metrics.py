"""Every metric under every forgetting against the slow oracle, at every row, however cut."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import Cumulative, Fading, Forgetting, TimeWindow, Window
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.measures.regression_tally import RegressionTally
from tests.oracles import forgetting as weights_oracle
from tests.oracles import metrics as oracle
from tests.oracles import zliobaite2015 as zliobaite_oracle

CASES: list[tuple[Forgetting, str, float]] = [
    (Cumulative(), "cumulative", 0.0),
    (Window(1), "window", 1),
    (Window(5), "window", 5),
    (Fading(0.9), "fading", 0.9),
    (Fading(1.0), "fading", 1.0),
]
REFERENCES = ("Majority", "Persistent", "Transition")
NAMES = [
    "accuracy", "error", "coverage", "kappa", "kappa_se", "kappa_z", "kappa_temporal",
    "kappa_majority", "kappa_transition", "kappa_plus", "balanced_accuracy", "macro_precision",
    "macro_recall", "macro_f1", "g_mean", "mcc", "cost_loss", "log_loss", "brier", "auc",
    "error_autocorrelation",
]  # fmt: skip


def schema(k: int) -> Schema:
    return Schema((), (), tuple(range(k)))


@st.composite
def scored_rows(draw: st.DrawFn) -> tuple[int, Codes, Codes, Floats, list[int]]:
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 25))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    spread = draw(st.sampled_from([1, k]))  # now and then one class only
    y = random.integers(0, spread, n).astype(np.int32)
    answers = random.integers(-1, k, (4, n)).astype(np.int32)
    right = random.random((4, n)) < draw(st.sampled_from([0.0, 0.6, 1.0]))
    answers = np.where(right, y, answers).astype(np.int32)
    shares = random.dirichlet(np.ones(k), n)
    shares[random.random(n) < 0.1] = np.eye(k)[0]  # certain, sometimes wrongly
    shares[answers[0] < 0] = np.nan
    cuts = draw(st.lists(st.integers(0, n), max_size=4))
    return k, y, answers, shares, cuts


def tally(
    k: int,
    y: Codes,
    answers: Codes,
    shares: Floats,
    cuts: list[int],
    forget: list[Forgetting],
    cost: Floats,
    every: int = 1,
) -> Curve:
    counter = ClassificationTally(
        k, REFERENCES, forget, every, metrics_for(schema(k), "all", True), cost
    )
    edges = [0, *sorted(cuts), len(y)]
    for a, b in itertools.pairwise(edges):
        counter.add(y[a:b], np.ascontiguousarray(answers[:, a:b]), shares[a:b])
    return counter.finish()


@given(scored_rows())
def test_every_metric_under_every_forgetting(
    rows: tuple[int, Codes, Codes, Floats, list[int]],
) -> None:
    k, y, answers, shares, cuts = rows
    cost = np.random.default_rng(k).random((k, k))
    curve = tally(k, y, answers, shares, cuts, [case[0] for case in CASES], cost)
    scored = [
        oracle.Scored(int(y[i]), int(own), int(most), int(last), int(next_), shares[i].tolist())
        for i, (own, most, last, next_) in enumerate(answers.T)
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


@given(scored_rows(), st.integers(1, 30))
def test_sampling_and_cutting_change_nothing(
    rows: tuple[int, Codes, Codes, Floats, list[int]], every: int
) -> None:
    k, y, answers, shares, cuts = rows
    cost = np.ones((k, k))
    forget = [case[0] for case in CASES]
    full = tally(k, y, answers, shares, [], forget, cost)
    sampled = tally(k, y, answers, shares, cuts, forget, cost, every)
    points = sorted({*range(every, len(y) + 1, every), len(y)})
    assert sampled.rows.tolist() == points
    for ours, theirs in zip(sampled.values, full.values, strict=True):
        np.testing.assert_array_equal(ours, theirs[[p - 1 for p in points]])  # to the bit


@given(scored_rows(), st.sampled_from([0.99, 0.9, 0.5]))
def test_zliobaite2015_estimator(
    rows: tuple[int, Codes, Codes, Floats, list[int]], keep: float
) -> None:
    k, y, answers, shares, cuts = rows
    forgetting = Fading(keep, estimator="zliobaite2015")
    curve = tally(k, y, answers, shares, cuts, [forgetting], np.ones((k, k)))
    expected = zliobaite_oracle.algorithm1(y.tolist(), answers[0].tolist(), k, 1 - keep)
    plus = np.array(expected.pop("kappa_plus"))
    np.testing.assert_allclose(curve["kappa_plus"] ** 2, plus**2, rtol=1e-9, atol=1e-12)
    for name, values in expected.items():
        np.testing.assert_allclose(curve[name], values, rtol=1e-9, atol=1e-9)
    assert np.isnan(curve["mcc"]).all()  # the estimator keeps probabilities only


def test_fading_stays_exact_over_many_rows() -> None:
    """Far beyond the point where the growing weights had to be rescaled."""
    random = np.random.default_rng(3)
    n, a = 60_000, 0.99
    y = random.integers(0, 2, n).astype(np.int32)
    answers = random.integers(0, 2, (4, n)).astype(np.int32)
    counter = ClassificationTally(2, REFERENCES, [Fading(a)], n, metrics_for(schema(2)))
    counter.add(y, answers, None)
    hits = sum_ = 0.0
    for right in (y == answers[0]).tolist():
        hits, sum_ = right + a * hits, 1 + a * sum_
    assert counter.finish()["accuracy"][-1] == pytest.approx(hits / sum_, rel=1e-12)


def test_window_values_do_not_drift() -> None:
    """Huge losses that left the window leave no rounding behind."""
    shares = np.full((40_000, 2), 0.5)
    shares[:20_000, 1] = 0.0  # floored: the largest log-loss there is
    y = np.ones(40_000, np.int32)
    counter = ClassificationTally(
        2, REFERENCES, [Window(100)], 40_000, metrics_for(schema(2), "all")
    )
    counter.add(y, np.zeros((4, 40_000), np.int32), shares)
    assert counter.finish()["log_loss"][-1] == pytest.approx(math.log(2), rel=1e-15)


@st.composite
def numbers(draw: st.DrawFn) -> tuple[Floats, Floats, list[int]]:
    n = draw(st.integers(1, 25))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    offset = draw(st.sampled_from([0.0, 1e6]))
    y = offset + random.normal(size=n).round(2)
    predicted = y + random.normal(size=n)
    predicted[random.random(n) < 0.2] = np.nan
    return y, predicted, draw(st.lists(st.integers(0, n), max_size=3))


@given(numbers())
def test_regression_metrics(rows: tuple[Floats, Floats, list[int]]) -> None:
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


@given(scored_rows(), st.data())
def test_time_windows(
    rows: tuple[int, Codes, Codes, Floats, list[int]], data: st.DataObject
) -> None:
    k, y, answers, shares, cuts = rows
    n = len(y)
    steps = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    times = np.cumsum(np.array(steps, np.int64))
    length = data.draw(st.integers(1, 12))
    cost = np.random.default_rng(k).random((k, k))
    counter = ClassificationTally(
        k, REFERENCES, [TimeWindow(length)], 1, metrics_for(schema(k), "all", True), cost
    )
    numbers = RegressionTally([TimeWindow(length)], 1, metrics_for(Schema((), (), ())))
    predicted = np.where(answers[0] < 0, np.nan, answers[0] * 0.7)
    for a, b in itertools.pairwise([0, *sorted(cuts), n]):
        part = np.ascontiguousarray(answers[:, a:b])
        counter.add(y[a:b], part, shares[a:b], times[a:b])
        numbers.add(y[a:b].astype(np.float64), predicted[a:b], times[a:b])
    curve, errors = counter.finish(), numbers.finish()
    for i in range(n):
        within = (times[: i + 1] > times[i] - length).nonzero()[0]
        whole = ClassificationTally(
            k, REFERENCES, [Cumulative()], 1 << 30, metrics_for(schema(k), "all", True), cost
        )
        whole.add(y[within], np.ascontiguousarray(answers[:, within]), shares[within])
        expected = whole.finish().last()
        for name in NAMES:
            if name != "error_autocorrelation":  # the first error in the window has a predecessor
                assert curve[name][i] == pytest.approx(expected[name], nan_ok=True, abs=1e-12)
        off = np.abs(predicted - y)[within]
        made = off[~np.isnan(off)]
        assert errors["mae"][i] == pytest.approx(
            made.mean() if len(made) else math.nan, nan_ok=True
        )


def test_time_windows_in_units_of_time() -> None:
    assert TimeWindow(timedelta(hours=2)).length == 2 * 3600 * 10**9
    assert TimeWindow(np.timedelta64(1, "m")).length == 60 * 10**9
    assert repr(TimeWindow(timedelta(hours=2))) == "TimeWindow(2:00:00)"
    for wrong in (0, -5, timedelta(0)):
        with pytest.raises(UsageError, match="a duration above 0"):
            TimeWindow(wrong)


def accuracy_of(name: str) -> Callable[[Any], Floats]:
    return lambda sums: sums.reference(name)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 7, 8, 12])
def test_any_number_of_references(count: int) -> None:
    """Each reference's accuracy and the errors in pairs, whatever else is counted beside them."""
    random = np.random.default_rng(count)
    n, k = 500, 3
    y = random.integers(0, k, n).astype(np.int32)
    answers = random.integers(-1, k, (1 + count, n)).astype(np.int32)
    names = tuple(f"reference {r}" for r in range(count))
    metrics = metrics_for(schema(k), ["accuracy", "error_autocorrelation"])
    added = tuple(Metric(name, "rates", accuracy_of(name)) for name in names)
    tally = ClassificationTally(k, names, [Cumulative(), Window(60)], n, (*metrics, *added))
    outcome = tally.add(y, answers, None)
    curve = tally.finish()
    right = answers == y
    for r, name in enumerate(names):
        assert curve[name][-1] == right[1 + r].mean()
        assert curve[name, Window(60)][-1] == right[1 + r, -60:].mean()
        assert (((outcome >> (1 + r)) & 1) == right[1 + r]).all()
    wrong = ~right[0]
    pairs = (wrong[1:] & wrong[:-1]).sum() / n
    expected = (pairs - wrong.mean() ** 2) / (wrong.mean() * right[0].mean())
    assert curve["error_autocorrelation"][-1] == pytest.approx(expected, rel=1e-12)
