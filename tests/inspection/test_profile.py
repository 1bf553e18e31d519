"""The numbers of a profile against the oracle, for any labels and block boundaries."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Floats, Schema
from streamgauge.streams.frames import ArrayStream
from tests.oracles import inspection as oracle

LABELS = st.lists(st.integers(-1, 2), min_size=1, max_size=80)
RUNS = st.lists(st.tuples(st.integers(-1, 2), st.integers(1, 9)), min_size=1, max_size=15).map(
    lambda runs: [label for label, length in runs for _ in range(length)]
)


def label_stream(y: list[int], k: int = 3) -> sg.Stream:
    schema = Schema((), (), tuple("abcdefghijklmnopqrstuvwxyz"[:k]))
    return ArrayStream("labels", schema, Block(0, np.empty((len(y), 0)), np.array(y, np.int32)))


def regression_stream(y: list[float]) -> sg.Stream:
    return ArrayStream("numbers", Schema((), (), ()), Block(0, np.empty((len(y), 0)), np.array(y)))


def close(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


@given(LABELS | RUNS, st.integers(1, 12))
def test_probabilities_match_oracle(y: list[int], window: int) -> None:
    profile = sg.inspect(label_stream(y), window=window)
    k = 3
    assert profile.rows == len(y)
    assert (profile.labelled, profile.unlabelled) == (len(oracle.known(y)), y.count(-1))
    assert profile.p_majority == close(oracle.p_majority(y, k))
    assert profile.p_temporal == close(oracle.p_temporal(y))
    assert profile.p_first_order == close(oracle.p_first_order(y, k))
    for i in range(k):
        assert profile.prior[i] == close(oracle.prior(y, i))
        assert profile.stays[i] == close(oracle.transition(y, i, i))
        low, high = oracle.prior_range(y, i, window)
        assert (profile.priors.low[i], profile.priors.high[i]) == (close(low), close(high))
        for j in range(k):
            assert profile.transition[j, i] == close(oracle.transition(y, j, i))
    for name, score in profile.references.items():
        assert score == close(oracle.reference_accuracy(name.lower(), y, k))


@given(LABELS | RUNS)
def test_repeats_match_oracle(y: list[int]) -> None:
    repeats = sg.inspect(label_stream(y)).repeats
    assert repeats.delta.shape == (51, 3)
    for times in (0, 1, 2, 3, 7, 50):
        for i in range(3):
            one, more = (oracle.given_run(y, i, n) for n in (times, times + 1))
            assert repeats.delta[times, i] == close(one - more)
        one, more = (oracle.given_any_run(y, 3, n) for n in (times, times + 1))
        assert repeats.pooled_delta[times] == close(one - more)


def test_repeats_of_long_runs_match_oracle() -> None:
    y = [0] * 300 + [1] + [0] * 60 + [1] * 53
    repeats = sg.inspect(label_stream(y)).repeats
    for times in (1, 48, 49, 50):
        for i in (0, 1):
            one, more = (oracle.given_run(y, i, n) for n in (times, times + 1))
            assert repeats.delta[times, i] == close(one - more)


@given(LABELS | RUNS, st.integers(1, 30))
def test_autocorrelation_matches_oracle(y: list[int], lags: int) -> None:
    found = sg.inspect(label_stream(y), lags=lags).autocorrelation
    assert len(found) == 1 + min(lags, max(1, len(y) // 4), len(y) - 1)
    for lag in range(len(found)):
        assert found.same[lag] == close(oracle.same_label(y, lag))
        assert found[lag] == close(oracle.autocorrelation(y, 3, lag))


@given(
    st.lists(st.floats(-100, 100) | st.just(math.nan), min_size=2, max_size=60),
    st.floats(-1e6, 1e6),
)
def test_regression_matches_oracle(y: list[float], shift: float) -> None:
    y = [v + shift for v in y]
    there = [v for v in y if not math.isnan(v)]
    assume(len(there) > 1 and np.std(there) > 1e-3)
    profile = sg.inspect(regression_stream(y))
    assert profile.labelled == len(there)
    for lag in range(len(profile.autocorrelation)):
        expected = 1.0 if lag == 0 else oracle.target_autocorrelation(y, lag)
        assert profile.autocorrelation[lag] == pytest.approx(expected, abs=1e-5, nan_ok=True)
    losses = oracle.regression_losses(y)
    assert profile.references == {name: close(loss) for name, loss in losses.items()}


def same(a: Floats, b: Floats) -> bool:
    return np.array_equal(a, b, equal_nan=True)


@given(st.integers(0, 10_000), st.integers(1, 500), st.booleans())
def test_block_size_does_not_change_the_profile(seed: int, size: int, regression: bool) -> None:
    random = np.random.default_rng(seed)
    y = np.repeat(random.integers(-1, 3, 400), random.integers(1, 12, 400))[:1500]
    values = np.where(y < 0, np.nan, y + random.normal(size=len(y)))
    stream = regression_stream(values.tolist()) if regression else label_stream(y.tolist())
    whole, cut = (sg.inspect(stream, window=20, block_rows=n) for n in (10_000, size))
    assert json.dumps(whole.to_dict()) == json.dumps(cut.to_dict())
    for name, frame in whole.frames().items():
        for column in frame.column_names:
            one, other = (
                np.asarray(f[column].to_pandas()) for f in (frame, cut.frames()[name])
            )  # fmt: skip
            assert one.tolist() == other.tolist() or same(one, other), (name, column)
    assert whole.details == cut.details


def test_priors_are_those_of_a_sliding_window() -> None:
    y = np.random.default_rng(3).integers(0, 2, 30_000)
    priors = sg.inspect(label_stream(y.tolist(), 2), window=500).priors
    assert 500 <= len(priors.rows) <= 1000
    assert priors.rows[0] >= 500
    assert len(set(np.diff(priors.rows).tolist())) == 1
    for row, shares in zip(priors.rows.tolist(), priors.shares, strict=True):
        assert shares[1] == y[row - 500 : row].mean()
    assert (priors.low <= priors.shares.min(axis=0)).all()
    assert (priors.high >= priors.shares.max(axis=0)).all()


@pytest.mark.parametrize("regression", [False, True])
def test_reference_scores_equal_those_of_evaluate(regression: bool) -> None:
    random = np.random.default_rng(5)
    y = np.repeat(random.integers(-1, 3, 600), random.integers(1, 6, 600))
    stream = label_stream(y.tolist())
    if regression:
        walk = np.where(y < 0, np.nan, np.cumsum(random.normal(size=len(y))))
        stream = regression_stream(walk.tolist())
    run = sg.evaluate(stream, sg.Mean() if regression else sg.Majority())
    metric = "mae" if regression else "accuracy"
    expected = {name: values[metric] for name, values in run.references.items()}
    assert sg.inspect(stream).references == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("rows", [1, 2, 50])
def test_profile_of_one_class(rows: int) -> None:
    profile = sg.inspect(label_stream([1] * rows))
    assert profile.p_majority == 1
    assert profile.prior.tolist() == [0, 1, 0]
    assert profile.p_temporal == close(1 if rows > 1 else math.nan)
    assert profile.stays[1] == close(1 if rows > 1 else math.nan)
    assert math.isnan(profile.stays[0])
    assert np.isnan(profile.autocorrelation.values).all()
    assert math.isnan(profile.independence.p)
    assert not profile.worth_using
    assert profile.to_beat == ("Majority" if rows > 1 else None)
    advice = "Every label is b: a learner has nothing to learn." if rows > 1 else "cannot be judged"
    assert advice in profile.details


def test_profile_of_two_rows() -> None:
    profile = sg.inspect(label_stream([0, 2]))
    assert profile.p_temporal == 0
    assert profile.p_first_order == 1
    assert profile.dependence == "none"
    assert not profile.worth_using
    assert "Too few labels to test" in profile.details
    assert profile.to_dict()["independence"] == {
        "chi2": None, "freedom": 0, "p": None, "exact": False,
    }  # fmt: skip


@pytest.mark.parametrize("regression", [False, True])
def test_profile_without_labels(regression: bool) -> None:
    stream = regression_stream([math.nan] * 9) if regression else label_stream([-1] * 9)
    profile = sg.inspect(stream)
    assert (profile.rows, profile.labelled, profile.to_beat) == (9, 0, None)
    assert all(math.isnan(score) for score in profile.references.values())
    assert profile.advice == ("Fewer than two rows have a label: their order cannot be judged.",)
    assert "9 rows without a label skipped" in profile.details
    plain = json.loads(json.dumps(profile.to_dict(), allow_nan=False))
    assert plain["p_majority"] is None
    assert plain["p_temporal"] is None
    assert plain["window_advice"] is None


def test_invalid_arguments_are_refused() -> None:
    stream = label_stream([0, 1])
    with pytest.raises(sg.UsageError, match="expected a stream, got list"):
        sg.inspect([0, 1])
    for option in ("window", "lags", "block_rows"):
        with pytest.raises(sg.UsageError, match=f"{option}=0: expected 1 or more"):
            sg.inspect(stream, **{option: 0})  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match="expected an integer"):
        sg.inspect(stream, 1.5)  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match="expected one of autocorrelation, classes"):
        sg.inspect(stream).to_frame("curve")
    assert sg.inspect(label_stream([0, 1, 1, 0]), 2).rows == 2


def test_frames_hold_the_arrays() -> None:
    y = [0, 1, 1, 2, -1, 2, 2, 0] * 40
    profile = sg.inspect(label_stream(y))
    frames = profile.frames()
    assert list(frames) == ["autocorrelation", "classes", "transitions", "repeats", "priors"]
    for name in frames:
        pandas, polars, arrow = (profile.to_frame(name, f) for f in ("pandas", "polars", "arrow"))
        assert len(pandas) == len(polars) == len(arrow) > 0
    transitions = profile.to_frame("transitions", "pandas")
    row = transitions[(transitions["last"] == "b") & (transitions["next"] == "c")].iloc[0]
    assert row["pairs"] == profile.pairs[1, 2]
    assert row["given_last"] == profile.transition[1, 2]
    repeats = profile.to_frame("repeats", "pandas")
    pooled = repeats[repeats["class"].isna()]
    assert same(pooled["delta"].to_numpy(), profile.repeats.pooled_delta)
    of_c = repeats[repeats["class"] == "c"]
    assert same(of_c["delta"].to_numpy(), profile.repeats.delta[:, 2])
    assert of_c["rows"].tolist() == profile.repeats.rows[:-1, 2].tolist()
    priors = profile.to_frame("priors", "pandas")
    assert priors.groupby("rows")["share"].sum().to_numpy() == pytest.approx(1)
    assert list(sg.inspect(regression_stream([1.0, 2.5, 1.0])).frames()) == ["autocorrelation"]


def test_profile_can_be_pickled() -> None:
    profile = sg.inspect(sg.SEA(500, seed=1))
    assert pickle.loads(pickle.dumps(profile)).details == profile.details
