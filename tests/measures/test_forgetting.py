"""Windows, time windows and fading: exact over many rows, and the estimator of zliobaite2015."""

from __future__ import annotations

import itertools
import math
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import (
    Cumulative,
    Fading,
    Forgetting,
    TimeWindow,
    Window,
    forgetting_of,
)
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.measures.regression_tally import RegressionTally
from tests.measures.scored_rows import NAMES, REFERENCES, schema, scored_rows, tally
from tests.oracles import zliobaite2015 as zliobaite_oracle


@given(scored_rows(), st.sampled_from([0.99, 0.9, 0.5]))
def test_zliobaite2015_estimator_equals_algorithm_1(
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
    """Far beyond the point where growing weights are rescaled."""
    random = np.random.default_rng(3)
    n, a = 60_000, 0.99
    y = random.integers(0, 2, n).astype(np.int32)
    answers = random.integers(0, 2, (5, n)).astype(np.int32)
    counter = ClassificationTally(2, REFERENCES, [Fading(a)], n, metrics_for(schema(2)))
    counter.add(y, answers, None)
    hits = sum_ = 0.0
    for right in (y == answers[0]).tolist():
        hits, sum_ = right + a * hits, 1 + a * sum_
    assert counter.finish()["accuracy"][-1] == pytest.approx(hits / sum_, rel=1e-12)


def test_window_sums_do_not_accumulate_rounding_errors() -> None:
    """Huge losses leave no rounding error behind when they leave the window."""
    shares = np.full((40_000, 2), 0.5)
    shares[:20_000, 1] = 0.0  # floored: the largest possible log-loss
    y = np.ones(40_000, np.int32)
    counter = ClassificationTally(
        2, REFERENCES, [Window(100)], 40_000, metrics_for(schema(2), "all")
    )
    counter.add(y, np.zeros((5, 40_000), np.int32), shares)
    assert counter.finish()["log_loss"][-1] == pytest.approx(math.log(2), rel=1e-15)


@given(scored_rows(), st.data())
def test_time_window_equals_metrics_of_the_rows_within_it(
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
    regression = RegressionTally([TimeWindow(length)], 1, metrics_for(Schema((), (), ())))
    predicted = np.where(answers[0] < 0, np.nan, answers[0] * 0.7)
    for a, b in itertools.pairwise([0, *sorted(cuts), n]):
        part = np.ascontiguousarray(answers[:, a:b])
        counter.add(y[a:b], part, shares[a:b], times[a:b])
        regression.add(y[a:b].astype(np.float64), predicted[a:b], times[a:b])
    curve, errors = counter.finish(), regression.finish()
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


def test_time_window_accepts_durations() -> None:
    assert TimeWindow(timedelta(hours=2)).length == 2 * 3600 * 10**9
    assert TimeWindow(np.timedelta64(1, "m")).length == 60 * 10**9
    assert TimeWindow("24h") == TimeWindow("1d") == TimeWindow(timedelta(days=1))
    assert repr(TimeWindow(timedelta(hours=2))) == "TimeWindow('2h')"
    for wrong in (0, -5, timedelta(0), "0min"):
        with pytest.raises(UsageError, match="a duration above 0"):
            TimeWindow(wrong)
    with pytest.raises(UsageError, match="TimeWindow: 'soon' is not a duration"):
        TimeWindow("soon")


@given(
    st.just(Cumulative())
    | st.builds(Window, st.integers(1, 10**9))
    | st.builds(
        Fading, st.floats(0, 1, exclude_min=True), st.sampled_from(["sums", "zliobaite2015"])
    )
    | st.builds(TimeWindow, st.integers(1, 10**12))
    | st.builds(TimeWindow, st.timedeltas(timedelta(microseconds=1), timedelta(days=10**4)))
)
def test_forgetting_is_rebuilt_from_its_text(forgetting: Forgetting) -> None:
    again = forgetting_of(repr(forgetting))
    assert type(again) is type(forgetting)
    assert again == forgetting


def test_text_of_an_unknown_forgetting_is_kept_but_cannot_be_computed() -> None:
    unknown = forgetting_of("Mine(3)")
    assert repr(unknown) == "Mine(3)"
    with pytest.raises(UsageError, match=r"Mine\(3\) is not a built-in forgetting"):
        unknown.fold(Shape(1, 1, 0, 0))


def test_window_larger_than_the_stream_is_cumulative() -> None:
    run = sg.evaluate(
        sg.SEA(6000, seed=1), sg.NaiveBayes(), metrics="all",
        forget=[sg.Cumulative(), sg.Window(10**9), sg.TimeWindow(2**61)],
    )  # fmt: skip
    every = run.curve.values[0]
    for values in run.curve.values[1:]:
        np.testing.assert_allclose(values, every, rtol=1e-12)


def test_time_window_at_the_earliest_times_drops_nothing_that_it_should_keep() -> None:
    """The difference of a time and the length must not overflow."""
    earliest = np.iinfo(np.int64).min + 1
    times = [earliest, earliest + 1, earliest + 5]
    run = sg.score([0, 1, 1], [0, 0, 1], arrives=times, revealed=times, forget=[sg.TimeWindow(5)])
    assert run.curve["accuracy"][-1] == 0.5  # of the last two rows


def test_fading_that_keeps_next_to_nothing_scores_the_last_row() -> None:
    run = sg.score([0, 1, 1], [0, 0, 1], forget=[sg.Fading(5e-324)])
    assert run.curve["accuracy"].round(9).tolist() == [1.0, 0.0, 1.0]


def test_fading_takes_numbers_of_numpy() -> None:
    assert repr(sg.Fading(np.float32(0.5))) == "Fading(0.5)"  # type: ignore[arg-type]
    faded = sg.score([1, 0], [1, 1], forget=[sg.Fading(np.float32(0.5))])  # type: ignore[arg-type]
    assert faded.summary["accuracy"] == pytest.approx(1 / 3)
