"""A run: frames, cost, metrics that were not computed, pickling."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import streamgauge as sg


def test_frames_have_all_points_and_missing_metrics_are_explained() -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    pandas, polars, arrow = (run.to_frame(kind) for kind in ("pandas", "polars", "arrow"))
    assert len(pandas) == len(polars) == len(arrow) == 2 * len(run.curve)
    assert list(pandas["forgetting"].unique()) == ["Cumulative()", "Window(1000)"]
    assert pandas["accuracy"].iloc[-1] == run.curve["accuracy", "Window(1000)"][-1]
    with pytest.raises(sg.UsageError, match="metrics='all'"):
        run.summary["log_loss"]
    with pytest.raises(sg.UsageError, match="did not keep"):
        run.curve["accuracy", sg.Window(7)]
    with pytest.raises(sg.UsageError, match="unknown metric 'acuracy'"):
        sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes(), metrics=["acuracy"])


def test_cost_separates_learner_stream_and_compile_time() -> None:
    run = sg.evaluate(sg.SEA(50_000, seed=1), sg.NaiveBayes(), block_rows=5000)
    assert 0 < run.cost.seconds < run.time.total
    assert 0 < run.time.stream < run.time.total
    assert run.time.compile < run.time.total
    assert run.cost.rows_per_second == pytest.approx(50_000 / run.cost.seconds)
    assert run.cost.model_bytes > 0
    curve = run.cost_curve
    assert list(curve)[:3] == ["arrived", "rows", "seconds"]
    assert list(curve)[3:] == ["rows_per_second", "model_bytes", "ram_hours"]
    assert len(curve["rows"]) >= 10
    assert all((np.diff(curve[name]) >= 0).all() for name in ("rows", "seconds", "ram_hours"))
    assert curve["rows"][-1] == 50_000
    expected = run.cost.model_bytes * run.cost.seconds / 2**30 / 3600  # the model never grows
    assert run.cost.ram_hours == pytest.approx(expected)


def test_pickled_run_is_equal() -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes())
    again = pickle.loads(pickle.dumps(run))
    assert again.summary == run.summary
    assert str(again) == str(run)
    assert again.predictions.equals(run.predictions)
