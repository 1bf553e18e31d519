"""Detectors of an experiment: their alarms are kept beside each run."""

from __future__ import annotations

from pathlib import Path

import streamgauge as sg
from tests.experiments.stores import grid

STREAM = "splice([Sine1(400), Sine1(400, reverse=True)])"


def test_alarms_are_those_of_detect_and_can_be_queried(tmp_path: Path) -> None:
    drifting = grid(streams=[STREAM], detectors=[sg.DDM(), "NeverAlarm"])
    results = sg.run_grid(drifting, tmp_path, workers=0)
    expected = {run.id: sg.detect(run, ["DDM"]).alarms["DDM()"].tolist() for run in results}
    assert any(expected.values())
    found = results.sql("select id, detector, row from alarms order by row", "arrow").to_pylist()
    assert {line["detector"] for line in found} == {"DDM()"}
    for key, rows in expected.items():
        assert [line["row"] for line in found if line["id"] == key] == rows
    for line in results.to_arrow().to_pylist():
        assert line["alarms[DDM()]"] == len(expected[line["id"]])
        assert line["alarms[NeverAlarm()]"] == 0


def test_new_detector_runs_over_the_runs_that_exist(tmp_path: Path) -> None:
    before = sg.run_grid(grid(streams=[STREAM]), tmp_path, workers=0)
    assert not list(tmp_path.rglob("alarms.parquet"))
    ids = [run.id for run in before]
    lines: list[str] = []
    sg.run_grid(grid(streams=[STREAM], detectors=["DDM"]), tmp_path, workers=0)
    both = grid(streams=[STREAM], detectors=["DDM", "PeriodicAlarm(100)"])
    after = sg.run_grid(both, tmp_path, workers=0, started=lines.append)
    assert lines[0].endswith("4 already done, 0 failed earlier, 0 to run")
    assert [run.id for run in after] == ids
    assert len(list(tmp_path.rglob("alarms.parquet"))) == 4
    for line in after.to_arrow().to_pylist():
        assert line["alarms[PeriodicAlarm(100)]"] == 8
        assert line["alarms[DDM()]"] is not None
