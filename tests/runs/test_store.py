"""Saved runs: complete directories that never overwrite another run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from streamgauge.runs.integrity import damage
from tests.evaluation.toys import Fixed


def test_saved_run_has_all_files(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    place = run.save(tmp_path)
    assert sorted(p.name for p in place.iterdir()) == [
        "cost.parquet", "curve.parquet", "predictions.parquet", "run.json",
    ]  # fmt: skip
    saved = json.loads((place / "run.json").read_text())
    assert saved["id"] == run.id
    assert saved["summaries"]["Cumulative()"]["accuracy"] == run.summary["accuracy"]
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


def test_files_that_the_same_run_lacks_are_added_and_listed(tmp_path: Path) -> None:
    stream = sg.SEA(300, seed=1)
    place = sg.evaluate(stream, sg.NaiveBayes(), predictions=False).save(tmp_path)
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        _ = sg.open_run(place).predictions
    run = sg.evaluate(stream, sg.NaiveBayes())
    assert run.save(tmp_path) == place
    assert sg.open_run(place).predictions.equals(run.predictions)
    assert damage(place) is None


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "remove", "file", "folder", "link"])
def test_damaged_run_is_replaced_when_it_is_saved_again(tmp_path: Path, harm: str) -> None:
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes())
    place = run.save(tmp_path / "store")
    file = place / "curve.parquet"
    content = file.read_bytes()
    match harm:
        case "flip":
            file.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
        case "cut":
            file.write_bytes(content[:-1])
        case "empty":
            shutil.rmtree(place)
            place.mkdir()
        case "remove":
            file.unlink()
        case "file" | "folder" | "link":
            shutil.rmtree(place)
            (tmp_path / "other").mkdir()
            (tmp_path / "other" / "precious").touch()
            if harm == "file":
                place.write_text("not a directory")
            elif harm == "folder":
                (place / "run.json").mkdir(parents=True)
            else:
                place.symlink_to(tmp_path / "other")
    assert damage(place) is not None
    assert run.save(tmp_path / "store") == place
    assert damage(place) is None
    assert sg.open_run(place).curve["kappa"][-1] == run.summary["kappa"]
    assert [each.name for each in (tmp_path / "store").iterdir()] == [place.name]
    if harm == "link":
        assert (tmp_path / "other" / "precious").exists()


NAMES = [
    ".x", "..", ".", "CON", "con.csv", "COM1", "a/b", "a\\b", "../../up", "\x00\x1b[31m\n",
    "x" * 300, "日本", "", " ", "-", "-rf", "x.failed", "nul.", "é" * 200, "a\u202eb",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_runs_of_any_name_are_found_again(tmp_path: Path, name: str) -> None:
    X = np.arange(40.0)[:, None]
    stream = sg.from_arrays(X, np.arange(40) % 2, name=name or "empty")
    runs = sg.evaluate(stream, {name if name.strip() else "blank": sg.NaiveBayes()}, save=tmp_path)
    (place,) = tmp_path.iterdir()
    assert all(run.path == place for run in runs)
    assert len(place.name) < 200
    assert place.name.isascii()
    assert not re.match(r"\.|-|(?i:con|prn|aux|nul|com\d|lpt\d)(\.|$)", place.name)
    (found,) = sg.results(tmp_path)
    assert found.name == runs.names[0]
    assert found.stream.name == stream.name


def test_a_run_kept_in_one_folder_can_be_saved_in_another(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), save=tmp_path / "a")
    saved = run.save(tmp_path / "b")
    assert (saved / "predictions.parquet").exists()
    (kept,) = (tmp_path / "a").iterdir()
    assert (kept / "predictions.parquet").exists()
    assert run.predictions.num_rows == 300
