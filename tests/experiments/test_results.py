"""What a store holds: frames, SQL, single runs, and how far it is."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._spec import make_spec
from streamgauge.experiments._store import Failure, Store
from streamgauge.experiments.status import period, status
from tests.experiments.stores import grid


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    """Eight runs, one of them then lost, one failed."""
    folder = tmp_path_factory.mktemp("store")
    made = grid()
    sg.run(made, folder, workers=0)
    lost, failed = made.cells[0], made.cells[3]
    for cell in (lost, failed):
        for file in (folder / cell.place).iterdir():
            file.unlink()
        (folder / cell.place).rmdir()
    Store(folder).keep_failure(failed, Failure(failed.id, "raised", "bad luck\nagain", "trace"))
    return sg.results(folder)


def test_frames(found: sg.Results) -> None:
    pandas, polars, arrow = (found.to_frame(kind) for kind in ("pandas", "polars", "arrow"))
    assert len(pandas) == len(polars) == len(arrow) == 6 * 2 + 2
    assert list(pandas["status"].value_counts().items()) == [
        ("complete", 12), ("missing", 1), ("failed", 1),
    ]  # fmt: skip
    assert pandas["experiment"].unique().tolist() == ["small"]
    bad = pandas[pandas["status"] == "failed"].iloc[0]
    assert (bad["failure"], bad["message"]) == ("raised", "bad luck\nagain")
    assert bad["learner"] == "Majority"
    line = pandas[(pandas["learner"] == "NaiveBayes") & (pandas["stream"] == "Sine1(200)")].iloc[0]
    run = sg.evaluate(sg.Sine1(200, seed=1), sg.NaiveBayes(), seed=1)
    assert line["kappa"] == run.summary["kappa"]
    assert line["forgetting"] == "Cumulative()"
    assert line["scored"] == 200
    assert repr(found) == f"<results in {found.folder}: 1 missing, 6 complete, 1 failed>"
    assert len(found) == 6 == len(list(found))


def test_sql(found: sg.Results) -> None:
    query = "select learner, count(*) n, avg(kappa) k from runs where kappa is not null group by 1"
    answer = found.sql(f"{query} order by 1", "arrow").to_pylist()
    assert [line["learner"] for line in answer] == ["Majority", "NaiveBayes"]
    assert [line["n"] for line in answer] == [6, 6]
    shares = found.sql(
        "select id, avg(cast(y = prediction as int)) share, count(*) n from predictions group by 1",
        "arrow",
    ).to_pylist()
    by_id = {run.facts["id"]: run for run in found}
    assert len(shares) == 6
    for line in shares:
        run = by_id[line["id"]]
        assert line["n"] == run.facts["counts"]["scored"] == run.predictions.num_rows
        right = run.facts["overall"]["accuracy"] * line["n"]
        abstained = run.predictions["prediction"].null_count
        assert line["share"] * (line["n"] - abstained) == pytest.approx(right)
    curves = found.sql("select id, count(*) n from curves group by id", "arrow").to_pylist()
    assert {line["n"] for line in curves} == {2 * 300, 2 * 200}
    for wrong in ("select kapa from runs", "no sql"):
        with pytest.raises(sg.UsageError, match="sql: "):
            found.sql(wrong)


def test_one_run(found: sg.Results) -> None:
    run = found.run(stream="SEA(300)", learner="NaiveBayes", seed=2)
    assert (run.name, run.stream, run.settings["seed"]) == ("NaiveBayes", "SEA(300, seed=2)", 2)
    assert run.predictions.column_names[:3] == ["row", "y", "prediction"]
    assert len(run.to_frame("arrow")) == 2 * 300
    with pytest.raises(sg.UsageError, match="2 runs are like that; say which"):
        found.run(stream="Sine1(200)", learner="Majority")
    with pytest.raises(sg.UsageError, match="of 1 such cells none has a run: bad luck"):
        found.run(stream="SEA(300)", learner="Majority", seed=2)
    with pytest.raises(sg.UsageError, match="of 0 such cells none has a run"):
        found.run(stream="SAE(300)")
    with pytest.raises(sg.UsageError, match="a cell has stream, learner"):
        found.run(strem="SEA(300)")


def test_folders_that_hold_no_results(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="no such folder"):
        sg.results(tmp_path / "none")
    assert len(sg.results(tmp_path)) == 0
    assert sg.results(tmp_path).to_frame("arrow").num_rows == 0
    sg.evaluate(sg.SEA(100, seed=1), sg.NaiveBayes(), keep=tmp_path)  # belongs to no experiment
    (line,) = sg.results(tmp_path).lines
    assert (line.grid, line.status, line.cell.learner) == (None, "complete", "NaiveBayes")
    with pytest.raises(sg.UsageError, match="no experiment 'x'; it has: none"):
        len(sg.results(tmp_path, "x"))
    with pytest.raises(sg.UsageError, match="no experiment was started here"):
        status(tmp_path)
    (place,) = tmp_path.glob("SEA*")
    (place / "run.json").write_text("{")
    with pytest.raises(sg.InputError, match="is no run of streamgauge"):
        len(sg.results(tmp_path))


def test_status_in_words(found: sg.Results) -> None:
    (one,) = status(found.folder)
    assert (one.total, one.done, one.running, len(one.failures), one.left) == (8, 6, 0, 1, 1)
    assert str(one).splitlines() == [
        "small · 8 cells: 6 done, 0 running, 1 failed, 1 waiting",
        "  nobody is at work: the same `streamgauge run` goes on where it stopped",
        "  failed (raised): Majority on SEA(300), labels default, seed 2: bad luck",
    ]
    store = Store(found.folder)
    claim = store.claim(grid().cells[0])
    assert claim is not None
    with store.live("small", 3):
        (now,) = status(found.folder)
        assert (now.running, now.workers, now.rate) == (1, 3, None)
        assert "3 at work; no cell is finished yet" in str(now)
        place = found.runs[0].folder
        (place / "touched").touch()
        (place / "touched").unlink()
        time.sleep(0.1)
        (now,) = status(found.folder)
        assert now.rate is not None
        assert 0 < now.rate <= 10
        assert now.seconds_left == pytest.approx(1 / now.rate)
        assert "cells/s, about" in str(now)
    claim.release()
    again = store.claim(grid().cells[3])  # the failed one, tried again
    assert again is not None
    (now,) = status(found.folder)
    assert (now.running, len(now.failures), now.left) == (1, 0, 2)
    again.release()
    assert str(status(found.folder)[0]) == str(one)
    shown = [period(s) for s in (3, 119, 600, 9000, 400_000)]
    assert shown == ["3 s", "119 s", "10 min", "2.5 h", "4.6 days"]


def test_status_of_ten_thousand_cells(tmp_path: Path) -> None:
    values = {"streams": [{"generate": "SEA(9)"}], "learners": ["NaiveBayes()"], "name": "large"}
    ids = [f"{i:012x}" + "0" * 52 for i in range(10_000)]
    cells = [
        Cell("SEA(9)", "NaiveBayes", "default", i, id, f"SEA_9-NaiveBayes-{id[:12]}")
        for i, id in enumerate(ids)
    ]
    store = Store(tmp_path)
    store.open()
    store.write_plan(make_spec(values, "here"), cells)
    for cell in cells[:9000]:
        (tmp_path / cell.place).mkdir()
    for cell in cells[9000:9100]:
        store.keep_failure(cell, Failure(cell.id, "timeout", "too long"))
    best = 1e9
    for _ in range(3):
        began = time.perf_counter()
        (one,) = status(tmp_path)
        text = str(one)
        best = min(best, time.perf_counter() - began)
    assert (one.done, len(one.failures), one.left) == (9000, 100, 900)
    assert "... and 90 more that failed" in text
    assert best < 2


def test_the_plan_says_what_was_asked(found: sg.Results) -> None:
    (plan,) = (found.folder / "grids").iterdir()
    values = json.loads(plan.read_text())
    assert values["format"] == "streamgauge.grid/1"
    assert values["sha256"] == grid().spec.sha256
    assert values["spec"]["learners"] == ["NaiveBayes()", "Majority()"]
    assert len(values["cells"]) == 8
    plan.rename(plan.with_suffix(".old"))
    (plan.parent / "small.json").write_text("[]")
    try:
        with pytest.raises(sg.InputError, match="is no plan of an experiment"):
            len(sg.results(found.folder))
    finally:
        plan.with_suffix(".old").rename(plan)
