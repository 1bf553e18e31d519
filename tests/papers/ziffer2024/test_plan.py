"""Profiles and experiments of ziffer2024."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from streamgauge.experiments.grid import Grid
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.ziffer2024 import plan
from streamgauge.papers.ziffer2024.plan import LEARNERS, PROFILES, Ziffer2024Plan
from tests.papers.ziffer2024.miniature import STAND_INS, TINY


class Planned(PaperStudy):
    """Keeps the grids that it is asked to run, and runs none."""

    def __init__(self) -> None:
        super().__init__("full", Path("nowhere"))
        self.grids: list[Grid] = []

    def run(self, grid: Grid) -> None:  # type: ignore[override]
        self.grids.append(grid)


@pytest.mark.long
def test_full_profile_is_the_paper() -> None:
    full = PROFILES["full"]
    assert (full.rows, full.seeds, full.runs, full.orders) == (None, 10, 20, tuple(range(15)))
    assert set(LEARNERS) | {"cGRU", "River's ARF"} < {*full.learners}
    assert not any("river:" in text for text in PROFILES["quick"].learners.values())
    study = Planned()
    few = replace(full, learners=STAND_INS, seeds=1, runs=1)
    plan.run_table2(study, few)
    plan.run_figure3(study, few)
    assert [len(grid.cells) for grid in study.grids] == [28 * len(STAND_INS), 28 * 2 * 15]
    assert study.grids[0].cells[0].stream == "SEA abrupt"


def test_full_profile_has_the_rows_of_the_paper(tmp_path: Path) -> None:
    one = Ziffer2024Plan("one", None, 1, 1, (0,), ("abrupt",), ("SEA",), {}, {"HAT": "NoChange()"})
    study = PaperStudy("full", tmp_path, workers=0, progress=False)
    (found,) = plan.run_table2(study, one)
    assert {run.counts.rows for run in found} == {100_000}


def test_without_torch_only_its_learners_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    study = PaperStudy("quick", tmp_path, workers=0, progress=False)
    with_torch = replace(TINY, learners={"ARF": "NaiveBayes()", "cLSTM": "CLSTM()"})
    found = plan.run_figure4(study, with_torch)
    assert [each.cell.learner for each in found.cell_results] == ["ARF"]
    assert study.missing[0].startswith("cLSTM is missing: torch is needed here but not installed")


def test_without_data_the_real_streams_are_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STREAMGAUGE_DATA", "/nowhere")
    monkeypatch.setenv("STREAMGAUGE_CACHE", "/nowhere")
    study = PaperStudy("quick", tmp_path, workers=0, progress=False)
    assert plan.run_table3(study, replace(TINY, real={"Rialto": {"load": "rialto"}})) == []
    assert study.missing[0].startswith("rialto is missing: ")


@pytest.mark.long
def test_columns_of_river_are_run_on_every_kind_of_stream(tmp_path: Path) -> None:
    pytest.importorskip("river")
    full = replace(
        PROFILES["full"], rows=500, seeds=1, streams=("SEA", "STAGGER"), learners=plan.RIVER
    )
    real = {"Elec2": {"generate": "SEA(500)"}, "PowerSupply": {"generate": "LED(500)"}}
    study = PaperStudy("full", tmp_path, workers=0, progress=False)
    tables = [*plan.run_table2(study, full), *plan.run_table3(study, replace(full, real=real))]
    cells = [each for table in tables for each in table.cell_results]
    assert len(cells) == 2 * (2 * 2 * 2 + 2)  # learners; streams, drifts, injected or not; real
    assert {each.status for each in cells} == {"complete"}
    assert study.missing == []
