"""What a run keeps and tells: saved directories, predictions on disk, frames, cost, text."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import streamgauge as sg


def test_saved_runs_are_complete(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    place = run.save(tmp_path)
    assert sorted(p.name for p in place.iterdir()) == [
        "curve.parquet", "predictions.parquet", "run.json",
    ]  # fmt: skip
    saved = json.loads((place / "run.json").read_text())
    assert saved["id"] == run.id
    assert saved["summary"]["Cumulative()"]["accuracy"] == run.summary["accuracy"]
    assert saved["verdict"]["text"] == str(run.verdict)
    assert pq.read_table(place / "predictions.parquet").equals(run.predictions)
    saved_curve = pq.read_table(place / "curve.parquet").to_pandas()
    pd.testing.assert_frame_equal(saved_curve, run.to_frame("pandas"))
    assert run.save(tmp_path) == place  # the same run again takes its own place
    assert [p.name for p in tmp_path.iterdir()] == [place.name]
    other = sg.evaluate(sg.SEA(1000, seed=2), sg.NaiveBayes()).save(tmp_path)
    assert other != place


def test_predictions_go_to_disk_as_they_come(tmp_path: Path) -> None:
    stream = sg.SEA(300_000, seed=1)
    kept = sg.evaluate(stream, sg.NaiveBayes())
    written = sg.evaluate(stream, sg.NaiveBayes(), keep=tmp_path)
    none = sg.evaluate(stream, sg.NaiveBayes(), keep="none")
    assert written.predictions.equals(kept.predictions)
    assert none.summary == kept.summary == written.summary
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        _ = none.predictions
    (place,) = tmp_path.iterdir()
    assert pq.read_table(place / "predictions.parquet").equals(kept.predictions)


def test_frames_and_missing_metrics() -> None:
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


def test_time_is_told_apart() -> None:
    run = sg.evaluate(sg.SEA(50_000, seed=1), sg.NaiveBayes(), block_rows=5000)
    assert 0 < run.cost.seconds < run.time.total
    assert 0 < run.time.stream < run.time.total
    assert run.time.compile < run.time.total
    assert run.cost.rows_per_second == pytest.approx(50_000 / run.cost.seconds)
    assert run.cost.model_bytes > 0
    curve = run.cost.curve
    assert set(curve) == {"rows", "seconds", "rows_per_second", "model_bytes", "ram_hours"}
    assert len(curve["rows"]) >= 10
    assert all((np.diff(curve[name]) >= 0).all() for name in ("rows", "seconds", "ram_hours"))
    assert curve["rows"][-1] == 50_000
    expected = run.cost.model_bytes * run.cost.seconds / 2**30 / 3600  # the model never grows
    assert run.cost.ram_hours == pytest.approx(expected)


def test_a_save_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes())

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="no space left"):
        run.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_run_can_be_pickled() -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes())
    again = pickle.loads(pickle.dumps(run))
    assert again.summary == run.summary
    assert str(again) == str(run)
    assert again.predictions.equals(run.predictions)


def test_the_id_is_of_what_decides_the_numbers() -> None:
    def run(**options: object) -> sg.Run:
        return sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), **options)  # type: ignore[no-any-return, call-overload]

    assert run().id == run(block_rows=50).id == run(keep="none").id
    others = [run(seed=2), run(labels=sg.Delay(3)), run(warmup=9), run(forget=[sg.Window(5)])]
    assert len({r.id for r in [run(), *others]}) == 5


def test_text_of_a_regression() -> None:
    stream = sg.from_arrays(np.zeros((300, 1)), np.sin(np.arange(300.0)), task="regression")
    text = str(sg.evaluate(stream, sg.Mean()))
    assert "repeating the last value (LastValue: MAE" in text
    assert text.splitlines()[2].split() == ["mae", "rmse", "r2", "rows/s"]
