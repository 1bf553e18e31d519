"""Custom metrics: under every forgetting, in bins, in the table; and its errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import streamgauge as sg
from streamgauge.measures.sums import divide

FORGET: list[sg.Forgetting] = [
    sg.Cumulative(), sg.Window(50), sg.Fading(0.98), sg.TimeWindow(70),
]  # fmt: skip
STREAM = sg.SEA(600, noise=0.2, seed=3)


def f_beta(beta: float) -> sg.Metric:
    def value(s: Any) -> npt.NDArray[np.float64]:
        hit, true, predicted = s.hit[:, 1], s.true[:, 1], s.predicted[:, 1]
        return divide((1 + beta**2) * hit, beta**2 * true + predicted)

    return sg.Metric(f"f{beta:g}", value, undefined="class 1 neither occurred nor was predicted")


def misses(s: Any) -> Any:
    """The fraction of rows of class 0 predicted as 1, read from the confusion matrix."""
    return s.confusion[:, 0, 1] / s.confusion[:, 0].sum(axis=1)


def rows(s: Any) -> Any:
    return s.n


def test_equals_our_metric_under_every_forgetting() -> None:
    run = sg.evaluate(STREAM, sg.NaiveBayes(), forget=FORGET, metrics=["labels", f_beta(1)])
    for forgetting in FORGET:
        own, ours = run.curve["f1", forgetting], run.curve["f1[1]", forgetting]
        np.testing.assert_array_equal(own, ours)
        assert np.ptp(own[~np.isnan(own)]) > 0


def test_equals_recount_of_predictions_at_the_end_of_a_window() -> None:
    metric = sg.Metric("misses", misses)
    run = sg.evaluate(STREAM, sg.NaiveBayes(), forget=[sg.Window(80)], metrics=[metric])
    y, predicted = (np.array(run.predictions[name].to_pylist()) for name in ("y", "prediction"))
    zeros = y[-80:] == 0
    assert run.summary["misses"] == (predicted[-80:][zeros] == 1).mean()


def test_rates_metric_works_with_the_smoothed_estimator_and_others_are_nan_there() -> None:
    forget = [sg.Fading(0.99, estimator="zliobaite2015")]
    gain = sg.Metric("gain", lambda s: s.accuracy - s.reference("Persistent"), needs="rates")
    run = sg.evaluate(STREAM, sg.NaiveBayes(), forget=forget, metrics=["labels", gain, f_beta(2)])
    expected = run.summary["accuracy"] - run.summary["accuracy_persistent"]
    assert run.summary["gain"] == pytest.approx(expected, abs=1e-15)
    assert np.isnan(run.summary["f2"])


def test_is_computed_per_bin_of_the_wait_for_learner_and_references() -> None:
    run = sg.evaluate(
        STREAM, sg.NaiveBayes(), labels=sg.Delay(40), reevaluate=sg.Reevaluate(10, 4),
        metrics=["labels", f_beta(1)],
    )  # fmt: skip
    np.testing.assert_array_equal(run.bins["f1"], run.bins["f1[1]"])
    majority = run.bins.references["Majority"]
    np.testing.assert_array_equal(majority["f1"], majority["f1[1]"])
    np.testing.assert_array_equal(run.bins.curve(2)["f1"], run.bins.curve(2)["f1[1]"])


def test_is_a_column_of_the_table_for_learner_and_references() -> None:
    run = sg.evaluate(STREAM, sg.NaiveBayes(), metrics=["labels", f_beta(2)])
    header = next(line for line in run.details.splitlines() if "kappa_plus" in line)
    assert header.split()[-2:] == ["f2", "rows/s"]
    y, guess = (np.array(run.predictions[name].to_pylist()) for name in ("y", "majority"))
    hit = ((y == 1) & (guess == 1)).sum()
    expected = 5 * hit / (4 * (y == 1).sum() + (guess == 1).sum())
    assert run.references["Majority"]["f2"] == pytest.approx(expected)
    assert f"{run.overall['f2']:.3f}" in run.details


def test_is_a_column_of_a_cross_validation() -> None:
    folds = sg.evaluate(
        STREAM, sg.NaiveBayes(), protocol=sg.PrequentialCV(3), metrics=["labels", f_beta(2)]
    )
    assert folds.mean["f2"] == pytest.approx(np.mean([run.overall["f2"] for run in folds]))
    assert "f2" in str(folds)


def test_regression_metric_reads_sums_of_targets() -> None:
    mse = sg.Metric("mse", lambda s: s.squared / s.made, needs="targets")
    rng = np.random.default_rng(0)
    stream = sg.from_arrays(rng.normal(size=(200, 1)), rng.normal(size=200))
    run = sg.evaluate(stream, sg.Mean(), metrics=["labels", mse], forget=FORGET)
    for forgetting in FORGET:
        np.testing.assert_allclose(run.curve["mse", forgetting], run.curve["rmse", forgetting] ** 2)
    assert run.overall["mse"] == pytest.approx(run.overall["rmse"] ** 2)


def test_undefined_points_are_reported_with_their_reason() -> None:
    metric = sg.Metric("never", lambda s: s.n / 0, undefined="for the test")
    metric_nan = sg.Metric("nan", lambda s: 0 * s.n / 0, undefined="for the test")
    run = sg.evaluate(STREAM, sg.NaiveBayes(), metrics=[metric_nan, metric])
    assert run.undefined["nan"] == (len(run.curve), "for the test")


def test_changed_function_changes_the_run_id() -> None:
    stream = STREAM.take(50)
    ids = {
        sg.evaluate(stream, sg.NaiveBayes(), metrics=[sg.Metric("m", value)]).id
        for value in (lambda s: s.n, lambda s: s.n + 1, f_beta(1).value, f_beta(2).value)
    }
    assert len(ids) == 4
    again = {sg.evaluate(stream, sg.NaiveBayes(), metrics=[f_beta(3)]).id for _ in range(2)}
    assert len(again) == 1


def test_error_in_the_function_shows_before_any_row_is_read() -> None:
    class Unread(type(STREAM)):  # type: ignore[misc]
        def blocks(self, size: int) -> Any:
            raise AssertionError("read")

    metric = sg.Metric("broken", lambda s: s.nothing)
    with pytest.raises(sg.UsageError, match="metric broken: its function failed: AttributeError"):
        sg.evaluate(Unread(600), sg.NaiveBayes(), metrics=[metric])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sg.Metric("two words", rows), "expected a name of letters, digits and _"),
        (lambda: sg.Metric("m", 3), "expected a function of the sums"),  # type: ignore[arg-type]
        (lambda: sg.Metric("m", rows, needs="luck"), "expected one of rows, rates"),  # type: ignore[arg-type]
        (lambda: sg.Metric("kappa", rows), "streamgauge has a metric of this name"),
        (lambda: sg.Metric("m", lambda s: s.n.sum()), r"returned shape \(\); expected one number"),
        (lambda: sg.Metric("m", rows, needs="targets"), "is for regression, this stream is for"),
        (lambda: sg.Metric("m", rows, needs="cost"), "needs a cost matrix"),
    ],
)
def test_invalid_metric_is_refused(make: Any, message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.evaluate(STREAM, sg.NaiveBayes(), metrics=[make()])


@pytest.mark.parametrize("name", ["confusion", "n", "accuracy"])
def test_function_cannot_change_the_sums_of_other_metrics(name: str) -> None:
    def change(sums: Any) -> Any:
        getattr(sums, name)[...] = 0
        return sums.n

    with pytest.raises(Exception, match="read-only"):
        sg.evaluate(sg.SEA(100, seed=1), sg.Majority(), metrics=["kappa", sg.Metric("m", change)])


def test_two_metrics_of_one_name_are_refused() -> None:
    two = [sg.Metric("m", rows), sg.Metric("m", lambda s: s.n + 1)]
    with pytest.raises(sg.UsageError, match="two metrics have the name 'm'"):
        sg.evaluate(STREAM, sg.NaiveBayes(), metrics=two)
