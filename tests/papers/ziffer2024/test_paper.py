"""A miniature of ziffer2024 from the runs to the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.papers.paper import PaperSection
from streamgauge.papers.report import Report
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.ziffer2024.paper import PAPER, make_paper
from streamgauge.papers.ziffer2024.plan import Ziffer2024Plan
from streamgauge.papers.ziffer2024.scores import batch_mean
from tests.papers.ziffer2024.miniature import TINY


def run(profile: Ziffer2024Plan, store: Path, only: list[str] | None = None) -> Report:
    paper = make_paper({"quick": profile})
    study = PaperStudy("quick", store, workers=0, progress=False)
    sections = [(part, part.show(study)) for part in paper.choose(only or [])]
    return Report(paper, "quick", sections, study.missing)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    store = tmp_path_factory.mktemp("store")
    return run(TINY, store), store


def section(report: Report, name: str) -> PaperSection:
    return next(section for part, section in report.sections if part.name == name)


def line(of: PaperSection, table: int, label: str) -> list[str]:
    sheet = of.tables[table].sheet
    return next([cell.plain for cell in line] for line in sheet.lines if line[0].text == label)


def test_every_part_has_its_numbers(made: tuple[Report, Path]) -> None:
    report, _ = made
    parts = [part.name for part in PAPER.parts]
    assert [part.name for part, _ in report.sections] == parts
    with_figures = {part.name for part, section in report.sections if section.figures}
    assert with_figures == {"figure1", "figure3", "figure4", "figure5"}
    assert report.missing == []


def test_table_2_shows_our_runs_and_the_printed_numbers(made: tuple[Report, Path]) -> None:
    report, _ = made
    stream = sg.inject(sg.tenet_streams("gradual", 600, seed=1)["Sine1"], 2)
    learners = [sg.NaiveBayes(), sg.NoChange()]
    ours, no_change = sg.evaluate(stream, learners, forget=[sg.Window(128)], every=128)
    shown = line(section(report, "table2"), 0, "Sine1 gradual inject=2")
    assert shown[2].startswith(f"{100 * batch_mean(ours, 'kappa'):.1f} (")
    assert shown[2].endswith(" / 36.5 (5)")
    assert shown[6] == f"{100 * batch_mean(no_change, 'kappa'):.1f} / 49.3"
    over_all_rows = line(section(report, "table2"), 2, "Sine1 gradual inject=2")
    assert over_all_rows[2] == f"{100 * ours.overall['kappa']:.1f}"
    average = line(section(report, "table2"), 0, "overall average")
    assert average[1].count("(") == 2


def test_slow_learners_run_on_few_streams(made: tuple[Report, Path]) -> None:
    report, _ = made
    sheet = section(report, "table2").tables[1].sheet
    column = list(sheet.header).index("cGRU")
    shown = {line[0].text: line[column].text for line in sheet.lines}
    run = {name for name, text in shown.items() if text != "-"}
    assert run == {"STAGGER abrupt inject=2", "Sine1 abrupt inject=2"}


@pytest.mark.long
def test_second_time_runs_nothing(made: tuple[Report, Path]) -> None:
    report, store = made
    before = {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")}
    assert str(run(TINY, store)) == str(report)
    assert before
    assert {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")} == before


@pytest.mark.long
def test_failed_cell_is_missing_and_the_rest_is_shown(tmp_path: Path) -> None:
    learners = {**TINY.learners, "ARF": "Resetting(Persistent(start_as=9), DDM())"}
    broken = replace(TINY, streams=("Sine1",), learners=learners)
    report = run(broken, tmp_path, ["table2"])
    assert report.missing[0].startswith("ARF on Sine1 abrupt, seed 1 is missing: ")
    shown = line(section(report, "table2"), 0, "Sine1 abrupt")
    assert shown[2] == "- / 96.2 (1)"
    assert shown[1].startswith(("-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"))


@pytest.mark.long
def test_figures_are_drawn(made: tuple[Report, Path], tmp_path: Path) -> None:
    report, _ = made
    text = report.save(tmp_path / "page.md").read_text()
    for name in ("figure1", "figure3", "figure4", "figure5a"):
        assert f"(page/{name}.svg)" in text
        assert (tmp_path / "page" / f"{name}.svg").read_text().rstrip().endswith("</svg>")
