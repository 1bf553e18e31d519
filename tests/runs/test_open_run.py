"""Saved runs: the same attributes, texts and uses as the run that was saved."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pickle
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Floats
from streamgauge.runs.record import RunRecord
from streamgauge.streams.origin import Origin
from streamgauge.testing import example_stream
from tests.evaluation.toys import Fixed
from tests.streams.tables import whole


def assert_same(live: Any, stored: Any, where: str) -> None:
    """Both have the same type and value, and so have all their public attributes."""
    assert type(live) is type(stored), where
    if isinstance(live, np.ndarray):
        assert live.dtype == stored.dtype, where
        np.testing.assert_array_equal(live, stored, where)
    elif isinstance(live, pa.Table):
        assert live.schema == stored.schema, where
        assert repr(live.to_pylist()) == repr(stored.to_pylist()), where  # NaN equals NaN
    elif isinstance(live, dict):
        assert list(live) == list(stored), where
        for key in live:
            assert_same(live[key], stored[key], f"{where}[{key!r}]")
    elif isinstance(live, list | tuple):
        assert len(live) == len(stored), where
        for i, (one, other) in enumerate(zip(live, stored, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
    elif isinstance(live, float):
        assert live == stored or (math.isnan(live) and math.isnan(stored)), where
    elif isinstance(live, Origin):  # its attributes are origins again
        assert live == stored, where
    elif type(live).__module__.startswith("streamgauge"):
        for name in public_attributes(live):
            if name != "learner":
                assert_same(value_of(live, name), value_of(stored, name), f"{where}.{name}")
    else:
        assert live == stored, where


def public_attributes(of: object) -> list[str]:
    names = [name for name in dir(of) if not name.startswith("_")]
    return [name for name in names if not callable(getattr(type(of), name, None))]


def value_of(of: object, name: str) -> object:
    """The attribute, or the kind of error for one that the run does not have."""
    try:
        return getattr(of, name)
    except sg.StreamgaugeError as error:
        return type(error).__name__


def targets(rows: int = 400) -> sg.Stream:
    X = np.random.default_rng(1).normal(size=(rows, 2))
    return sg.from_arrays(X, X @ [3.0, -2.0] + 5, task="regression")


def named(rows: int = 300) -> sg.Stream:
    X = np.random.default_rng(2).normal(size=(rows, 2))
    return sg.from_arrays(X, np.where(X[:, 0] > 0, "up", "down"))


def timed(regression: bool) -> sg.Stream:
    """Rows a minute apart, labels an hour late, as timestamps."""
    block = whole(targets() if regression else sg.SEA(400, seed=4))
    arrives = np.datetime64("2024-01-01") + np.arange(400) * np.timedelta64(1, "m")
    X, y = block.X, block.y
    task: Any = "regression" if regression else None
    revealed = arrives + np.timedelta64(1, "h")
    return sg.from_arrays(X, y, arrives=arrives, revealed=revealed, task=task)


class Endless(sg.Stream):
    """A stream whose length is not known beforehand."""

    name, rows, schema = "endless", None, named().schema

    def blocks(self, size: int) -> Iterator[Block]:
        return named().blocks(size)


DRIFTING = sg.splice([sg.SEA(300, seed=1), sg.SEA(300, seed=2, variant=2)], at=[300])
OWN_METRIC = sg.Metric("own", lambda s: s.recall[:, 0], undefined="no row of the class")
AGAIN = sg.Reevaluate(every=5, bins=4)
FADING: list[Any] = [sg.Fading(0.99), sg.Fading(0.9, estimator="zliobaite2015"), sg.Cumulative()]
HOURS = [sg.TimeWindow(timedelta(hours=2)), sg.TimeWindow(timedelta(days=1, microseconds=5))]
RUNS: dict[str, Callable[[], sg.Run]] = {
    "classification": lambda: sg.evaluate(DRIFTING, sg.NaiveBayes()),
    "text classes": lambda: sg.evaluate(named(), sg.HoeffdingTree(), metrics="all", warmup=7),
    "unknown length": lambda: sg.evaluate(Endless(), sg.Majority(), labels=sg.Sampled(0.5)),
    "missing labels": lambda: sg.evaluate(example_stream(), sg.NaiveBayes(), cost=1 - np.eye(3)),
    "forgettings": lambda: sg.evaluate(named(), sg.NaiveBayes(), forget=FADING, every=7),
    "times": lambda: sg.evaluate(timed(False), sg.NaiveBayes(), forget=HOURS),
    "regression": lambda: sg.evaluate(targets(), sg.Mean(), labels=sg.Delay(3)),
    "re-evaluation": lambda: sg.evaluate(
        example_stream(), sg.NaiveBayes(), reevaluate=AGAIN, metrics="all", cost=1 - np.eye(3)
    ),
    "re-evaluation, times": lambda: sg.evaluate(
        timed(False), sg.NaiveBayes(), reevaluate=AGAIN, forget=HOURS
    ),
    "re-evaluation, regression": lambda: sg.evaluate(
        timed(True), sg.Mean(), reevaluate=AGAIN, forget=[sg.Window(30), HOURS[0]]
    ),
    "holdout": lambda: sg.evaluate(
        sg.SEA(600, seed=1), sg.NaiveBayes(), protocol=sg.Holdout(100, 40)
    ),
    "cross-validation": lambda: sg.evaluate(
        sg.SEA(600, seed=1), sg.NaiveBayes(), protocol=sg.PrequentialCV(3)
    )[1],
    "failed": lambda: failed(sg.SEA(900, seed=1)),
    "nothing scored": lambda: failed(sg.SEA(50, seed=1), after=0),
    "re-evaluation, nothing scored": lambda: failed(
        sg.SEA(50, seed=1), after=0, labels=sg.Delay(5), reevaluate=AGAIN
    ),
    "predictions": lambda: sg.score(["a", "b", "a", None] * 9, ["a", None, "b", "b"] * 9),
    "own metric and reference": lambda: sg.evaluate(
        named(), sg.NaiveBayes(), metrics=["labels", OWN_METRIC], references=["HoeffdingTree"],
    ),
    "infinite t": lambda: sg.score([0, 1] * 200, [0, 1] * 200),
    "infinite errors": lambda: sg.evaluate(targets(), Fixed(math.inf)),
    "re-evaluation, infinite errors": lambda: sg.evaluate(
        targets(), Fixed(math.inf), labels=sg.Delay(5), reevaluate=AGAIN
    ),
}  # fmt: skip


def failed(stream: sg.Stream, after: int = 500, **options: Any) -> sg.Run:
    class Breaks(Fixed):
        predicted = 0

        def predict(self, X: Floats) -> Any:
            self.predicted += len(X)
            if self.predicted > after:
                raise RuntimeError("broken")
            return super().predict(X)

    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(stream, Breaks([1.0, 0.0]), block_rows=100, **options)
    run: sg.Run = caught.value.runs[0]
    return run


@pytest.fixture(scope="module", params=RUNS)
def live(request: pytest.FixtureRequest) -> sg.Run:
    return RUNS[request.param]()


def test_saved_run_has_the_same_attributes_of_the_same_types(live: sg.Run, tmp_path: Path) -> None:
    stored = sg.open_run(live.save(tmp_path))
    assert_same(live, stored, "run")
    assert str(stored) == str(live)
    assert stored.to_dict() == live.to_dict()
    assert_same(live.to_frame("arrow"), stored.to_frame("arrow"), "frame")
    with pytest.raises(sg.UsageError, match="does not keep the trained learner"):
        _ = stored.learner
    if live.settings.reevaluate:
        for b in range(len(live.bins)):
            assert_same(live.bins.curve(b), stored.bins.curve(b), f"curve({b})")
        scored = live.counts.scored
        for labels in {1, scored // 2, scored} & {*range(1, scored + 1)}:
            assert_same(live.bins_at(labels), stored.bins_at(labels), f"bins_at({labels})")


def test_record_has_the_same_names_live_in_json_and_in_a_cell(live: sg.Run, tmp_path: Path) -> None:
    written = json.loads((live.save(tmp_path) / "run.json").read_text())
    assert {each.name for each in dataclasses.fields(RunRecord)} <= set(written)
    for cell in sg.results(tmp_path).cell_results:
        if live.failure is None:
            assert cell.run is not None
            assert_same(live, cell.run, "run of the cell")
        else:
            assert (cell.run, cell.status) == (None, "failed")


def test_saved_run_can_be_copied_and_pickled(live: sg.Run, tmp_path: Path) -> None:
    one = live.save(tmp_path / "a")
    two = sg.open_run(one).save(tmp_path / "b")
    assert {file.name: file.read_bytes() for file in one.iterdir()} == {
        file.name: file.read_bytes() for file in two.iterdir()
    }
    again = pickle.loads(pickle.dumps(sg.open_run(two)))
    assert again.to_dict() == live.to_dict()
    assert_same(live.predictions, again.predictions, "predictions")


def test_infinite_numbers_survive(tmp_path: Path) -> None:
    run = sg.open_run(RUNS["infinite t"]().save(tmp_path))
    assert run.verdict["Persistent"].t == math.inf
    assert "the same difference in every batch" in run.details
    against = {each["reference"]: each["test"] for each in run.to_dict()["verdict"]["against"]}
    assert against["Persistent"]["t"] == "inf"
    (line,) = (
        sg.results(tmp_path)
        .sql("select kappa from runs where forgetting = 'Cumulative()'", "arrow")
        .to_pylist()
    )
    assert line == {"kappa": 1.0}


@pytest.mark.parametrize("predictions", [False, True])
@pytest.mark.parametrize("save", [None, "kept"])
def test_what_is_kept_does_not_change_the_attributes(
    save: str | None, predictions: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = sg.evaluate(
        example_stream(), sg.NaiveBayes(), reevaluate=AGAIN, save=save, predictions=predictions
    )
    assert run.path == (next((tmp_path / save).iterdir()) if save else None)
    stored = sg.open_run(run.path or run.save(tmp_path))
    assert_same(run, stored, "run")
    if not predictions:
        for each in (run, stored):
            with pytest.raises(sg.UsageError, match="did not keep its predictions; to keep them"):
                _ = each.predictions
            with pytest.raises(sg.UsageError, match="did not keep its outcomes per bin"):
                each.bins_at(5)
            with pytest.raises(sg.UsageError, match="did not keep its outcomes per bin"):
                each.bins.curve(1)
    else:
        assert_same(run.bins_at(5), stored.bins_at(5), "bins_at")


def test_saved_runs_go_where_live_runs_go(tmp_path: Path) -> None:
    streams = [DRIFTING, sg.SEA(500, seed=3)]
    runs = [
        run
        for stream in streams
        for run in sg.evaluate(stream, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])
    ]
    saved = [sg.open_run(run.save(tmp_path)) for run in runs]
    assert sg.compare(saved[0], runs[1]).to_dict() == sg.compare(runs[0], runs[1]).to_dict()
    assert str(sg.compare(*saved[:3])) == str(sg.compare(*runs[:3]))
    assert str(sg.compare(saved[0], "Persistent")) == str(sg.compare(runs[0], "Persistent"))
    assert sg.rank(saved).to_dict() == sg.rank(runs).to_dict()
    alarms = [sg.detect(each[0], ["DDM", "ADWIN"]) for each in (runs, saved)]
    assert alarms[0].to_dict() == alarms[1].to_dict()
    assert sg.score_detectors(alarms[0]).to_dict() == sg.score_detectors(alarms[1]).to_dict()
    assert sg.detect(str(saved[0].path), ["DDM"]).drifts == runs[0].drifts == (DRIFTING.drifts[0],)


class Recent:
    """A forgetting of the user's: the sums of a window."""

    def __repr__(self) -> str:
        return "Recent()"

    def fold(self, shape: Any) -> Any:
        return sg.Window(50).fold(shape)

    def effective(self, rows: Any) -> Any:
        return sg.Window(50).effective(rows)


def test_custom_forgetting_is_kept_as_text(tmp_path: Path) -> None:
    forget: Any = [sg.Cumulative(), Recent()]
    run = sg.evaluate(example_stream(), sg.NaiveBayes(), forget=forget, reevaluate=AGAIN)
    stored = sg.open_run(run.save(tmp_path))
    np.testing.assert_array_equal(stored.curve["kappa", "Recent()"], run.curve["kappa", "Recent()"])
    assert str(stored) == str(run)
    with pytest.raises(sg.UsageError, match=r"Recent\(\) is not a built-in forgetting"):
        stored.bins.curve(1)


def test_saved_bins_keep_the_values_of_an_own_metric_but_not_its_function(tmp_path: Path) -> None:
    live = sg.evaluate(
        named(), sg.NaiveBayes(), labels=sg.Delay(20), reevaluate=AGAIN,
        metrics=["kappa", OWN_METRIC], references=["HoeffdingTree"],
    )  # fmt: skip
    stored = sg.open_run(live.save(tmp_path))
    np.testing.assert_array_equal(live.bins["own"], stored.bins["own"])
    np.testing.assert_array_equal(live.bins_at(99)["accuracy"], stored.bins_at(99)["accuracy"])
    np.testing.assert_array_equal(live.bins.curve(1)["kappa"], stored.bins.curve(1)["kappa"])
    assert "own" in live.bins.curve(1).metrics
    with pytest.raises(sg.UsageError, match="this run has no metric 'own'"):
        stored.bins.curve(1)["own"]


def test_added_reference_can_be_compared_by_name(tmp_path: Path) -> None:
    stored = sg.open_run(RUNS["own metric and reference"]().save(tmp_path))
    tree = sg.evaluate(named(), sg.HoeffdingTree())
    assert sg.compare(stored, "HoeffdingTree").to_dict() == sg.compare(stored, tree).to_dict()


def test_parts_are_found_after_the_working_directory_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    live = sg.evaluate(sg.SEA(99, seed=1), sg.NaiveBayes(), save="kept")
    saved = sg.open_run(live.save("saved").relative_to(tmp_path))
    monkeypatch.chdir(tmp_path / "other")
    assert saved.curve["kappa"][-1] == live.summary["kappa"]
    assert saved.predictions.equals(live.predictions)


class Wanderer(Fixed):
    """Changes the working directory while it learns."""

    def learn(self, X: Any, y: Any, w: Any) -> None:
        Path("elsewhere").mkdir(exist_ok=True)
        os.chdir("elsewhere")


def test_learner_that_changes_the_working_directory_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = sg.evaluate(sg.SEA(99, seed=1), Wanderer([1, 0]), save="kept", block_rows=50)
    (place,) = (tmp_path / "kept").iterdir()
    assert run.path == place
    assert run.predictions.num_rows == sg.open_run(place).predictions.num_rows == 99
