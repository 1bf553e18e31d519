"""Status of experiments."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.experiments._store import Store
from streamgauge.experiments.status import status
from streamgauge.runs.integrity import sealed
from tests.experiments.stores import grid, write_failure, write_plan
from tests.widths import fits


def test_status_counts_running_failed_and_waiting_cells(partial: sg.Results) -> None:
    (one,) = status(partial.folder)
    assert (one.total, one.done, one.running, len(one.failures), one.left) == (8, 6, 0, 1, 1)
    assert str(one).splitlines() == [
        "small · 8 cells: 6 done, 0 running, 1 failed, 1 waiting",
        "  not running: the same `streamgauge run` command resumes it",
        "  failed (raised): Majority on SEA(300), labels default, seed 2: zero weight",
        "  not begun: NaiveBayes on SEA(300), labels default, seed 1",
    ]
    assert [str(cell) for cell in one.waiting] == ["NaiveBayes on SEA(300), labels default, seed 1"]
    store = Store(partial.folder)
    lock = store.lock(grid().cells[0])
    assert lock is not None
    with store.register_program("small", 3):
        (now,) = status(partial.folder)
        assert (now.running, now.workers, now.rate) == (1, 3, None)
        assert "3 workers; time left unknown until the first cell is done" in str(now)
        folder = partial.runs[0].path
        assert folder is not None
        ((program,), _) = store.running()
        os.utime(folder, (program.started + 1, program.started + 1))
        before = time.time()
        (now,) = status(partial.folder)
        assert now.rate is not None
        assert before - program.started <= 1 / now.rate <= time.time() - program.started
        assert now.seconds_left == pytest.approx(1 / now.rate)
        assert "cells/s, about" in str(now)
    lock.release()
    again = store.lock(grid().cells[3])  # the failed cell, run again
    assert again is not None
    (now,) = status(partial.folder)
    assert (now.running, len(now.failures), now.left) == (1, 0, 2)
    again.release()
    assert str(status(partial.folder)[0]) == str(one)


def test_status_of_many_cells_reads_run_json_alone(tmp_path: Path) -> None:
    count = 500
    made = sg.Grid(["SEA(9)"], ["NaiveBayes()"], name="large", seeds=count)
    cells = made.cells
    store = tmp_path / "store"
    write_plan(made, store)
    saved = sg.evaluate(sg.SEA(9), sg.NaiveBayes()).save(tmp_path)
    run = json.loads((saved / "run.json").read_text())
    del run["checksum"]
    for cell in cells[: count * 9 // 10]:
        (store / cell.directory).mkdir()
        text = sealed(run | {"id": cell.id, "files": {}})
        (store / cell.directory / "run.json").write_bytes(text)
    for cell in cells[count * 9 // 10 : count * 9 // 10 + 50]:
        write_failure(store, cell, "timeout", "too long")
    (one,) = status(store)
    text_shown = one.details
    assert (one.done, len(one.failures), one.left) == (count * 9 // 10, 50, 0)
    assert "... and 40 more failed cells" in text_shown
    assert "... and 47 more failed cells" in str(one)
    fits(one)


def test_many_cells_that_are_not_begun_are_counted_by_learner(tmp_path: Path) -> None:
    made = grid(seeds=6)
    write_plan(made, tmp_path)
    (one,) = status(tmp_path)
    assert len(one.waiting) == 24
    assert str(one).splitlines() == [
        "small · 24 cells: 0 done, 0 running, 0 failed, 24 waiting",
        "  not running: the same `streamgauge run` command starts it",
        "  not begun: 12 cells of NaiveBayes",
        "  not begun: 12 cells of Majority",
    ]
