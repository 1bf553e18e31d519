"""Saved runs: complete directories that never overwrite another run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from tests.evaluation.toys import Fixed


def test_saved_run_has_all_files(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    place = run.save(tmp_path)
    assert sorted(p.name for p in place.iterdir()) == [
        "cost.parquet", "curve.parquet", "predictions.parquet", "run.json",
    ]  # fmt: skip
    saved = json.loads((place / "run.json").read_text())
    assert saved["id"] == run.id
    assert saved["summary"]["Cumulative()"]["accuracy"] == run.summary["accuracy"]
    assert saved["verdict"]["text"] == str(run.verdict)
    assert pq.read_table(place / "predictions.parquet").equals(run.predictions)
    saved_curve = pq.read_table(place / "curve.parquet").to_pandas()
    pd.testing.assert_frame_equal(saved_curve, run.to_frame("pandas"))
    assert run.save(tmp_path) == place  # saving the same run again replaces it
    assert [p.name for p in tmp_path.iterdir()] == [place.name]
    other = sg.evaluate(sg.SEA(1000, seed=2), sg.NaiveBayes()).save(tmp_path)
    assert other != place


def test_failed_save_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes())

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="no space left"):
        run.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


class HiddenParameter(Fixed):
    """Its repr does not show its parameter."""


def test_different_runs_never_overwrite_each_other(tmp_path: Path) -> None:
    stream = sg.SEA(300, seed=1)
    runs = [sg.evaluate(stream, HiddenParameter(value)) for value in ([1, 0], [0, 1])]
    assert len({run.save(tmp_path) for run in runs}) == 2
    faded = [sg.evaluate(stream, sg.NaiveBayes(), forget=[sg.Fading(a)]) for a in (0.99999999, 1.0)]
    assert faded[0].id != faded[1].id


def test_runs_of_an_unseeded_random_learner_are_saved_side_by_side(tmp_path: Path) -> None:
    class Unseeded(Fixed):
        def predict(self, X: Floats) -> Any:
            return np.eye(2)[np.random.default_rng().integers(0, 2, len(X))]

    runs = [sg.evaluate(sg.SEA(300, seed=1), Unseeded(0)) for _ in range(2)]
    assert runs[0].id == runs[1].id
    assert len({run.save(tmp_path) for run in runs}) == 2


def test_a_run_kept_in_one_folder_can_be_saved_in_another(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), keep=tmp_path / "a")
    saved = run.save(tmp_path / "b")
    assert (saved / "predictions.parquet").exists()
    (kept,) = (tmp_path / "a").iterdir()
    assert (kept / "predictions.parquet").exists()
    assert run.predictions.num_rows == 300
