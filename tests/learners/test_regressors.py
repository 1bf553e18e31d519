"""What all regressors have in common: the battery, bad parameters, streams without information."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_learner, example_stream
from tests.learners.regression import friedman, same

SGBR = partial(sg.StreamingGradientBoostedTreesRegressor, n_models=3, bag_size=2)
REGRESSORS = (sg.HoeffdingTreeRegressor, sg.AdaptiveRandomForestRegressor, sg.AMRules, SGBR)


@pytest.mark.parametrize(
    "learner",
    [
        sg.HoeffdingTreeRegressor(grace_period=20, tau=0.6, drift_threshold=1.0),
        pytest.param(
            sg.AdaptiveRandomForestRegressor(
                2, grace_period=20, warning_delta=0.3, drift_delta=0.2
            ),
            marks=pytest.mark.long,
        ),
        sg.AMRules(grace_period=20, tau=0.6, drift_threshold=5.0),
        SGBR(grace_period=20, tau=0.6),
    ],
    ids=repr,
)
def test_the_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(160, regression=True)) == []


@pytest.mark.parametrize("kind", REGRESSORS)
def test_better_than_the_mean_and_the_same_again(kind: Callable[[], Any]) -> None:
    stream = friedman(8000)
    mean, ours = sg.evaluate(stream, [sg.Mean(), kind()])
    assert ours.overall["mae"] < 0.75 * mean.overall["mae"]
    again = sg.evaluate(stream, kind(), block_rows=333)
    assert same(ours, again)
    other = sg.evaluate(stream, kind(), seed=2)
    assert not same(ours, other)
    assert abs(other.overall["mae"] / ours.overall["mae"] - 1) < 0.1


def test_large_targets_keep_their_digits() -> None:
    stream = friedman(3000)
    block = next(stream.blocks(3000))
    far = sg.from_arrays(block.X, block.y + 1e9)
    for kind in REGRESSORS:
        near, moved = sg.evaluate(stream, kind()), sg.evaluate(far, kind())
        assert abs(near.overall["mae"] - moved.overall["mae"]) < 1e-3


@pytest.mark.parametrize("kind", REGRESSORS)
def test_streams_without_information(kind: Callable[[], Any]) -> None:
    n = 600
    y = np.random.default_rng(1).normal(size=n)
    constant = sg.evaluate(sg.from_arrays(np.ones((n, 2)), y), kind())
    assert np.isfinite(constant.overall["mae"])
    gaps = sg.from_arrays(np.full((n, 2), np.nan), y)
    nothing = sg.evaluate(gaps, kind())
    assert (
        abs(
            nothing.overall["mae"]
            - sg.evaluate(sg.from_arrays(y[:, None], y), sg.Mean()).overall["mae"]
        )
        < 0.2
    )
    sevens = sg.from_arrays(y[:, None], np.full(n, 7.0), task="regression")
    flat = sg.evaluate(sevens, kind())
    assert flat.overall["mae"] == 0
    one = sg.evaluate(sg.from_arrays(y[:1, None], y[:1]), kind())
    assert one.overall["coverage"] == 0
    learner = kind()
    learner.start(gaps.schema, 1)
    learner.learn(np.ones((1, 2)), np.ones(1), np.zeros(1))
    assert np.isnan(learner.predict(np.ones((1, 2)))).all()  # weight 0 is not learned
    learner.learn(np.ones((1, 2)), np.ones(1), np.full(1, 1e12))
    assert learner.predict(np.ones((1, 2))) == 1.0


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (sg.HoeffdingTreeRegressor, {"grace_period": 0}),
        (sg.HoeffdingTreeRegressor, {"delta": 1.0}),
        (sg.HoeffdingTreeRegressor, {"tau": -1}),
        (sg.HoeffdingTreeRegressor, {"leaf_prediction": "x"}),
        (sg.HoeffdingTreeRegressor, {"learning_rate": 0}),
        (sg.HoeffdingTreeRegressor, {"learning_rate_decay": -1}),
        (sg.HoeffdingTreeRegressor, {"drift_threshold": 0}),
        (sg.AdaptiveRandomForestRegressor, {"n_models": 0}),
        (sg.AdaptiveRandomForestRegressor, {"n_models": 2.5}),
        (sg.AdaptiveRandomForestRegressor, {"max_features": 0}),
        (sg.AdaptiveRandomForestRegressor, {"n_jobs": 0}),
        (sg.AdaptiveRandomForestRegressor, {"drift_delta": 2}),
        (sg.AdaptiveRandomForestRegressor, {"grace_period": 0}),
        (sg.AMRules, {"grace_period": 0}),
        (sg.AMRules, {"delta": float("nan")}),
        (sg.AMRules, {"drift_threshold": -1}),
    ],
)
def test_parameters_out_of_range_are_refused(
    kind: Callable[..., Any], wrong: dict[str, Any]
) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        kind(**wrong)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_the_wrong_kind_of_stream(kind: Callable[[], Any]) -> None:
    with pytest.raises(sg.UsageError, match="is for regression"):
        sg.evaluate(sg.SEA(100, seed=1), kind())
    with pytest.raises(sg.UsageError, match="is for classification"):
        sg.evaluate(friedman(100), sg.HoeffdingTree())


@pytest.mark.long
def test_plain_python_gives_the_same() -> None:
    code = (
        "import sys, numpy as np, streamgauge as sg\n"
        "from streamgauge.testing import example_stream\n"
        "stream = example_stream(250, 3, regression=True)\n"
        "for learner in (\n"
        "    sg.HoeffdingTreeRegressor(grace_period=20, tau=0.6, drift_threshold=0.5),\n"
        "    sg.AdaptiveRandomForestRegressor(2, grace_period=20),\n"
        "    sg.AMRules(grace_period=20, tau=0.6),\n"
        "    sg.StreamingGradientBoostedTreesRegressor(3, 2, grace_period=20)):\n"
        "    run = sg.evaluate(stream, learner)\n"
        "    print(repr(run.overall['mae']), repr(run.overall['rmse']))\n"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    compiled = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(plain) == 8
    np.testing.assert_allclose([float(a) for a in plain], [float(a) for a in compiled], rtol=1e-12)


@pytest.mark.parametrize("columns", [300, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", REGRESSORS)
def test_many_columns(kind: Callable[[], Any], columns: int) -> None:
    wide = np.random.default_rng(1).normal(size=(250, columns))
    many = sg.evaluate(sg.from_arrays(wide, wide[:, 0] + wide[:, 1]), kind())
    assert np.isfinite(many.overall["mae"])
