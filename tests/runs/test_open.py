"""Saved runs: the same attributes, texts and uses as the run that was saved; damaged files."""

from __future__ import annotations

import math
import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Floats
from streamgauge.testing import example_stream
from streamgauge.testing._streams import read_all
from tests.evaluation.toys import Fixed
from tests.runs.sealing import reseal


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
    block = read_all(targets() if regression else sg.SEA(400, seed=4))
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


DRIFTING = sg.drift([sg.SEA(300, seed=1), sg.SEA(300, seed=2, variant=2)], at=[300])
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
    assert "t = +inf" in str(run)
    assert run.to_dict()["verdict"]["against"]["Persistent"]["t"] == "inf"
    (line,) = (
        sg.results(tmp_path)
        .sql("select kappa from runs where forgetting = 'Cumulative()'", "arrow")
        .to_pylist()
    )
    assert line == {"kappa": 1.0}


@pytest.mark.parametrize("keep", ["none", "memory", "folder"])
def test_what_is_kept_does_not_change_the_attributes(keep: str, tmp_path: Path) -> None:
    place: Any = tmp_path / "kept" if keep == "folder" else keep
    run = sg.evaluate(example_stream(), sg.NaiveBayes(), reevaluate=AGAIN, keep=place)
    assert run.path == (next((tmp_path / "kept").iterdir()) if keep == "folder" else None)
    stored = sg.open_run(run.path or run.save(tmp_path))
    assert_same(run, stored, "run")
    if keep == "none":
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
    assert sg.score_alarms(alarms[0]).to_dict() == sg.score_alarms(alarms[1]).to_dict()
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


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = sg.evaluate(example_stream(), sg.NaiveBayes(), reevaluate=AGAIN)
    return run.save(tmp_path_factory.mktemp("saved"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "streamgauge.run/1"}, r"got 'streamgauge.run/1': .*evaluate the run again"),
        ({"format": "streamgauge.run/9"}, r"got 'streamgauge.run/9': another version"),
        ({"counts": {"rows": "many"}}, r"Expected `int`, got `str` - at `\$.counts.rows`"),
        ({"overall": {"kappa": "big"}}, r"at `\$.overall"),
        ({"confusion": [[1, 2]]}, "confusion does not fit the 3 classes; expected 3 rows of 4"),
        ({"confusion": None}, "confusion does not fit the 3 classes"),
        ({"summary": {}}, r"summary has the keys \[\]; expected the forgettings"),
        ({"verdict": None}, r"Expected `object`, got `null` - at `\$.verdict`"),
    ],
)
def test_damaged_json_names_file_and_field(
    saved: Path, tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    shutil.copy(saved / "run.json", tmp_path)
    reseal(tmp_path, change)
    with pytest.raises(sg.InputError, match=complaint) as caught:
        sg.open_run(tmp_path)
    assert str(tmp_path / "run.json") in str(caught.value)


def test_other_files_are_not_runs(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match="not a saved run"):
        sg.open_run(tmp_path)
    with pytest.raises(sg.InputError, match="not a saved run"):
        sg.open_run(saved / "run.json")
    (tmp_path / "run.json").write_bytes((saved / "run.json").read_bytes()[:-20])
    with pytest.raises(sg.InputError, match="invalid JSON"):
        sg.open_run(tmp_path)
    (tmp_path / "run.json").write_bytes(b'{"format": ' + b"[" * 100_000)
    with pytest.raises(sg.InputError, match="invalid JSON"):
        sg.open_run(tmp_path)
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(sg.InputError, match="Expected `object`"):
        sg.open_run(tmp_path)


def _curve(run: sg.Run) -> object:
    return run.curve


def _curve_of_bin(run: sg.Run) -> object:
    return run.bins.curve(1)


@pytest.mark.parametrize(
    ("file", "used"),
    [
        ("curve.parquet", _curve),
        ("cost.parquet", lambda run: run.cost.curve),
        ("predictions.parquet", lambda run: run.predictions),
        ("bins.parquet", lambda run: run.bins),
        ("effort.parquet", lambda run: run.bins),
        ("outcomes.arrow", _curve_of_bin),
    ],
)
def test_damaged_files_are_named_when_they_are_read(
    saved: Path, tmp_path: Path, file: str, used: Callable[[sg.Run], object]
) -> None:
    place = tmp_path / "run"
    shutil.copytree(saved, place)
    run = sg.open_run(place)
    (place / file).write_bytes(b"PAR1 nothing")
    with pytest.raises(sg.InputError, match=r"expected the file that run\.save wrote") as caught:
        used(run)
    assert str(place / file) in str(caught.value)
    if file.endswith(".parquet"):
        pq.write_table(pa.table({"other": [1]}), place / file)
        with pytest.raises(sg.InputError, match="damaged: its checksum does not fit"):
            used(sg.open_run(place))
        reseal(place)
        with pytest.raises(sg.InputError, match=r"no column '\w+'; expected"):
            used(sg.open_run(place))


def test_missing_rows_are_an_error(saved: Path, tmp_path: Path) -> None:
    place = tmp_path / "run"
    shutil.copytree(saved, place)
    for file in ("curve.parquet", "bins.parquet"):
        table = pq.read_table(saved / file)
        pq.write_table(table.slice(0, len(table) - 1), place / file)
    with pa.ipc.open_file(str(saved / "outcomes.arrow")) as log:
        batch = log.get_batch(0)
    with pa.ipc.new_file(str(place / "outcomes.arrow"), batch.schema) as writer:
        writer.write_batch(batch.slice(0, 10))
    reseal(place)
    run = sg.open_run(place)
    with pytest.raises(sg.InputError, match=r"curve.parquet: .* expected the same number for each"):
        _ = run.curve
    with pytest.raises(sg.InputError, match=r"bins.parquet: expected 6 rows for each of learner"):
        _ = run.bins
    shutil.copyfile(saved / "bins.parquet", place / "bins.parquet")
    reseal(place)
    with pytest.raises(sg.InputError, match=r"outcomes.arrow: [\d,]+ rows are missing"):
        sg.open_run(place).bins.curve(1)


def test_opening_many_runs_reads_only_their_json(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.json").write_bytes((saved / "run.json").read_bytes())
    monkeypatch.setattr(pq, "read_table", None)
    began = time.perf_counter()
    runs = [sg.open_run(tmp_path) for _ in range(1000)]
    assert time.perf_counter() - began < 5
    assert {run.summary["kappa"] for run in runs} == {sg.open_run(saved).summary["kappa"]}
    assert {run.verdict["Majority"].word for run in runs} == {"better"}
    assert all(run.cost.seconds > 0 for run in runs)


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


def test_changed_byte_anywhere_in_the_json_is_an_error(saved: Path, tmp_path: Path) -> None:
    text = bytearray((saved / "run.json").read_bytes())
    for place in [*range(0, len(text), len(text) // 40), *range(len(text) - 90, len(text))]:
        changed = text.copy()
        changed[place] ^= 1
        (tmp_path / "run.json").write_bytes(changed)
        with pytest.raises(sg.InputError, match=r"run\.json: "):
            sg.open_run(tmp_path)


def test_run_of_another_id_is_an_error(saved: Path, tmp_path: Path) -> None:
    place = tmp_path / "SEA-NaiveBayes-0123456789ab"
    shutil.copytree(saved, place)
    with pytest.raises(sg.InputError, match=r"the run [0-9a-f]{12}; expected the run 0123456789ab"):
        sg.open_run(place)


def test_damaged_run_cannot_be_copied(saved: Path, tmp_path: Path) -> None:
    shutil.copytree(saved, tmp_path / "run")
    run = sg.open_run(tmp_path / "run")
    table = tmp_path / "run" / "predictions.parquet"
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(sg.InputError, match=r"predictions.parquet: damaged"):
        run.save(tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def test_parts_are_found_after_the_working_directory_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    live = sg.evaluate(sg.SEA(99, seed=1), sg.NaiveBayes(), keep="kept")
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
    run = sg.evaluate(sg.SEA(99, seed=1), Wanderer([1, 0]), keep="kept", block_rows=50)
    (place,) = (tmp_path / "kept").iterdir()
    assert run.path == place
    assert run.predictions.num_rows == sg.open_run(place).predictions.num_rows == 99
