"""The store: the plan file, damaged cells, plans and streams, any names."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.inside import Inside
from streamgauge.experiments._store import Store
from streamgauge.experiments.status import damaged_plans, status
from tests.experiments.stores import MINE, contents, grid, left_over
from tests.runs.sealing import reseal


def test_plan_file_holds_spec_and_cells(partial: sg.Results) -> None:
    (plan,) = (partial.folder / "grids").iterdir()
    values = json.loads(plan.read_text())
    assert values["format"] == "streamgauge.grid/2"
    assert values["sha256"] == grid().spec.sha256
    assert values["spec"]["learners"] == ["NaiveBayes()", "Majority()"]
    assert len(values["cells"]) == 8
    assert Store(partial.folder).damaged_plans() == []


@pytest.fixture
def store(partial: sg.Results, tmp_path: Path) -> Path:
    """A copy of a store with six complete runs, one missing and one failed cell."""
    shutil.copytree(partial.folder, tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The contents of the store with all its cells."""
    return contents(sg.run_grid(grid(), tmp_path_factory.mktemp("whole"), workers=0).folder)


def first_run(store: Path) -> Path:
    return sorted(store.glob("Sine1*NaiveBayes*"))[0]


def flip(file: Path, place: int = 100) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)


def replace(path: Path, by: str) -> None:
    """Put an empty directory, or a file with a text, in the place of a path."""
    Inside.of(path).remove()
    if by == "directory":
        path.mkdir()
    else:
        path.write_text(by)


HARM: dict[str, Callable[[Path], object]] = {
    "changed byte in run.json": lambda run: flip(run / "run.json"),
    "run.json cut": lambda run: (run / "run.json").write_bytes(b'{"format": "streamgauge.run'),
    "run.json empty": lambda run: (run / "run.json").write_bytes(b""),
    "run.json missing": lambda run: (run / "run.json").unlink(),
    "run.json a directory": lambda run: replace(run / "run.json", "directory"),
    "newer format": lambda run: reseal(run, {"format": "streamgauge.run/99"}),
    "foreign": lambda run: (run / "run.json").write_text('{"id": 1, "results": []}'),
    "another run": lambda run: reseal(run, {"id": "0" * 64}),
    "wrong types": lambda run: reseal(run, {"summaries": [1], "counts": None}),
    "a path outside": lambda run: reseal(run, {"files": {"../x": {"bytes": 1, "sha256": ""}}}),
    "classes": lambda run: reseal(run, {"confusion": [[1, 2, 3]]}),
    "curve changed": lambda run: flip(run / "curve.parquet"),
    "curve cut": lambda run: (run / "curve.parquet").write_bytes(b"PAR1"),
    "curve missing": lambda run: (run / "curve.parquet").unlink(),
    "predictions changed": lambda run: flip(run / "predictions.parquet"),
    "predictions missing": lambda run: (run / "predictions.parquet").unlink(),
    "empty": lambda run: replace(run, "directory"),
    "a file": lambda run: replace(run, "x"),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_damaged_cell_is_shown_left_out_by_name_and_repaired(
    store: Path, whole: dict[str, Any], harm: Callable[[Path], object]
) -> None:
    run = first_run(store)
    harm(run)
    found = sg.results(store)
    ((cell, reason),) = found.damaged
    assert (cell.stream, cell.learner) == ("Sine1(200)", "NaiveBayes")
    assert str(run) in reason
    assert len(found) == len(found.runs) == 5  # the others are not hidden
    assert "1 damaged" in repr(found)
    if "Expected `" not in reason and "classes" not in reason:  # status reads no more fields
        (one,) = status(store)
        assert (one.done, one.left, len(one.damaged)) == (5, 2, 1)
        assert "5 done, 0 running, 1 failed, 2 waiting (1 of them damaged)" in one.details
        assert (
            f"damaged: NaiveBayes on Sine1(200), labels default, seed {cell.seed}: " in one.details
        )
    text = str(found.table())
    assert (
        f"Left out: 1 damaged run: NaiveBayes on Sine1(200), labels default, seed {cell.seed}."
        in text
    )
    frame = found.to_frame("arrow").to_pylist()
    assert [line["message"] for line in frame if line["status"] == "damaged"] == [reason]
    assert len(found.sql("select * from curves", "arrow")) > 0
    repaired = sg.run_grid(grid(), store, workers=0)
    assert repaired.damaged == []
    assert len(repaired) == 7
    ours = {name: each for name, each in contents(store).items() if "failed" not in name}
    assert ours == {name: whole[name] for name in ours}
    assert left_over(store) == []


def test_change_that_keeps_the_time_of_the_file_is_found_when_it_is_read(store: Path) -> None:
    """Status and tables trust a file that is not newer than run.json; `run` and readers do not."""
    file = first_run(store) / "predictions.parquet"
    before = file.stat()
    flip(file)
    os.utime(file, ns=(before.st_atime_ns, (first_run(store) / "run.json").stat().st_mtime_ns - 1))
    found = sg.results(store)
    assert found.damaged == []
    counts = found.sql("select id, count(*) from predictions group by id", "arrow")
    assert len(counts) == 5
    ((cell, reason),) = found.damaged
    assert "predictions.parquet: damaged: its checksum does not fit" in reason
    assert not Store(store).is_done(cell)
    assert sg.run_grid(grid(), store, workers=0, retry=True).damaged == []


@pytest.mark.parametrize(
    "text", ["[]", "{", "", '{"format": "streamgauge.grid/2"}', '{"format": "streamgauge.grid/9"}']
)
def test_damaged_plan_hides_no_run_and_is_written_again(store: Path, text: str) -> None:
    sg.run_grid(grid(name="other", seeds=1), store, workers=0, retry=True)
    (store / "grids" / "small.json").write_text(text)
    (reason,) = damaged_plans(store)
    assert "small.json: " in reason
    assert "`streamgauge run` command writes the plan again" in reason
    assert [one.name for one in status(store)] == ["other"]
    assert len(sg.results(store)) > len(sg.results(store, "other")) == 4
    with pytest.raises(sg.UsageError, match=r"no experiment 'small'; it has: other. .*small.json"):
        len(sg.results(store, "small"))
    sg.run_grid(grid(), store, workers=0)
    assert damaged_plans(store) == []
    assert {one.name for one in status(store)} == {"small", "other"}


def test_damaged_failure_is_a_cell_that_has_not_been_run(store: Path) -> None:
    (failure,) = store.glob("*.failed/failure.json")
    for text in ("{", "[]", '{"id": 3}'):
        failure.write_text(text)
        (one,) = status(store)
        assert (len(one.failures), one.left) == (0, 2)
    failure.unlink()
    failure.parent.rmdir()
    failure.parent.write_text("a file")
    assert len(status(store)) == 1
    assert len(sg.run_grid(grid(), store, workers=0)) == 8
    assert not list(store.glob("*.failed"))


def test_damaged_alarms_are_found_again(store: Path) -> None:
    made = grid(detectors=["DDM"])
    before = sg.run_grid(made, store, workers=0).to_frame("arrow")["alarms[DDM()]"].to_pylist()
    alarms = first_run(store) / "alarms.parquet"
    flip(alarms, len(alarms.read_bytes()) // 2)
    assert len(sg.results(store).sql("select * from alarms", "arrow").columns) > 0
    assert (
        sg.run_grid(made, store, workers=0).to_frame("arrow")["alarms[DDM()]"].to_pylist() == before
    )


def test_damaged_stream_in_the_store_is_written_again(tmp_path: Path) -> None:
    made = sg.Grid([sg.SEA(300, seed=1).map(lambda X, y: (X + 1, y))], ["NaiveBayes", "Majority"])
    store = tmp_path / "store"
    before = contents(sg.run_grid(made, store, workers=0).folder)
    (stored,) = (store / "streams").iterdir()
    for run in store.glob("*Majority*"):
        shutil.rmtree(run)
    for harm in (lambda: flip(stored, 3000), lambda: stored.write_bytes(b"PK"), stored.unlink):
        harm()
        assert len(sg.run_grid(made, store, workers=0)) == 2
        assert contents(store) == before


def test_relative_store_survives_a_learner_that_changes_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wandering.py").write_text(
        "import os\nfrom mine import Constant\n\nclass Wanderer(Constant):\n"
        "    def start(self, schema, seed):\n        super().start(schema, seed)\n"
        "        os.makedirs('deep', exist_ok=True)\n        os.chdir('deep')\n"
    )
    shutil.copy(MINE, tmp_path)
    (tmp_path / "table.csv").write_text("x,y\n" + "1,a\n2,b\n" * 50)
    streams = [{"generate": "SEA(300)"}, {"read": "table.csv", "target": "y"}]
    made = sg.Grid(
        streams, ["wandering:Wanderer()", "NaiveBayes()"], modules=["wandering", "mine"], seeds=2
    )
    found = sg.run_grid(made, "store", workers=0)
    assert len(found) == 7  # naive Bayes on the table has one for both seeds
    assert found.failures == []
    assert {path.name for path in tmp_path.iterdir()} >= {"store", "deep"}
    assert not list((tmp_path / "deep").glob("**/store"))
    assert all(run.curve["kappa"].shape for run in found)


@pytest.mark.parametrize("name", [".x", "CON", "a/b", "\x1b[31m\n", "x" * 300, "日本", "nul.", "-"])
def test_streams_and_learners_of_any_name_are_found_again(tmp_path: Path, name: str) -> None:
    stream = sg.from_arrays(np.arange(40.0)[:, None], np.arange(40) % 2, name=name)
    made = sg.Grid([stream], {name: "NaiveBayes()"}, name=name)
    assert len(sg.run_grid(made, tmp_path, workers=0)) == 1
    messages: list[str] = []
    again = sg.run_grid(made, tmp_path, workers=0, started=messages.append)
    assert "1 already done" in messages[0]
    run = again.run(stream=name, learner=name)
    assert run.stream.name == name
    (one,) = status(tmp_path)
    assert (one.name, one.done, one.left) == (name, 1, 0)
    (plan,) = (tmp_path / "grids").iterdir()
    assert plan.name[0] not in ".-"
    assert not re.match(r"(?i:con|nul)\.", plan.name)
