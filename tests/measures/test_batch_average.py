"""The mean of a metric over batches of rows: estimator="ziffer2024"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Codes, Floats
from streamgauge.measures.forgetting import Cumulative, Forgetting, Window, forgetting_of
from streamgauge.measures.regression_tally import RegressionTally
from tests.measures.scored_rows import NAMES, scored_rows, tally
from tests.oracles import metrics as oracle

forgetting_class: Any = Cumulative  # to be given what it refuses
_CARRIED = {"error_autocorrelation"}  # counts the pair of a batch's first row and the one before


@given(scored_rows(), st.sampled_from([1, 2, 3, 7, 30]), st.sampled_from([1, 4]))
def test_equals_the_mean_of_each_batch_on_its_own(
    rows: tuple[int, Codes, Codes, Floats, list[int]], batch: int, every: int
) -> None:
    k, y, answers, shares, cuts = rows
    cost = np.ones((k, k)) - np.eye(k)
    forget: list[Forgetting] = [Window(3), Cumulative("ziffer2024", batch), Cumulative()]
    curve = tally(k, y, answers, shares, cuts, forget, cost, every, max_pending=1)
    scored = [
        oracle.Scored(true, pred, majority, persistent, transition, seasonal, proba)
        for true, pred, majority, persistent, transition, seasonal, proba in zip(
            y.tolist(), *answers.tolist(), shares.tolist(), strict=True
        )
    ]
    parts = [scored[i : i + batch] for i in range(0, len(y) - batch + 1, batch)]
    for name in [name for name in NAMES if name not in _CARRIED]:
        means = [oracle.metric(name, each, [1.0] * batch, k, cost.tolist()) for each in parts]
        expected = np.array([_mean(means[: n // batch]) for n in curve.rows.tolist()])
        ours = curve[name, forget[1]]
        np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9, err_msg=name)


def _mean(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return sum(known) / len(known) if known else np.nan


def test_other_forgettings_are_the_same_beside_it() -> None:
    stream, learner = sg.SEA(1000, seed=1), sg.NaiveBayes()
    alone = sg.evaluate(stream, learner, forget=[sg.Window(100)])
    beside = sg.evaluate(
        stream, learner, forget=[sg.Cumulative(estimator="ziffer2024"), sg.Window(100)]
    )
    assert np.array_equal(
        alone.curve["kappa"], beside.curve["kappa", sg.Window(100)], equal_nan=True
    )
    assert beside.verdict.plus_forgetting == "Window(100)"


def test_before_the_first_full_batch_it_is_undefined() -> None:
    run = sg.score([0, 1, 1], [0, 1, 0], forget=[sg.Cumulative(estimator="ziffer2024", batch=4)])
    assert np.isnan(run.summary["kappa"])


def test_text_gives_the_same_estimator() -> None:
    forget = Cumulative("ziffer2024", 64)
    assert repr(forget) == "Cumulative(estimator='ziffer2024', batch=64)"
    assert forgetting_of(repr(forget)) == forget
    assert forgetting_of("Cumulative(estimator='ziffer2024')") == Cumulative("ziffer2024", 128)
    assert repr(Cumulative()) == "Cumulative()"
    assert Cumulative(batch=5) == Cumulative()


def test_saved_run_has_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    grid = sg.Grid(["SEA(1000)"], ["NaiveBayes"], forget=["Cumulative(estimator='ziffer2024')"])
    (run,) = sg.run(grid, tmp_path_factory.mktemp("store"), workers=0)
    direct = sg.evaluate("SEA(1000)", "NaiveBayes", seed=1, forget=[Cumulative("ziffer2024")])
    assert run.summary["kappa"] == direct.summary["kappa"]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: forgetting_class("ziffer"), "expected 'sums' or 'ziffer2024'"),
        (lambda: Cumulative("ziffer2024", 0), "expected 1 or more rows"),
        (lambda: forgetting_class("ziffer2024", 2.5), "batch"),
        (lambda: RegressionTally([Cumulative("ziffer2024")], 1, ()), "classification only"),
        (lambda: sg.Majority(forget=Cumulative("ziffer2024")), "this estimator is for metrics"),
        (lambda: sg.PageHinkley(on=Cumulative("ziffer2024")), r"expected Cumulative\(\)"),
    ],
)
def test_invalid_arguments_are_errors(make: object, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()  # type: ignore[operator]
