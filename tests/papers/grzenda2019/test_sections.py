"""Every part of grzenda2019 on small streams: tables, figures that can be drawn, claims."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers.grzenda2019.paper import PAPER
from streamgauge.papers.report import Report
from streamgauge.papers.study import PaperStudy
from tests.papers.grzenda2019.small import make_small


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    def gone(name: str, variant: str | None) -> sg.Stream:
        raise DownloadError(f"{name} cannot be downloaded")

    study = PaperStudy("quick", tmp_path_factory.mktemp("store"), workers=0, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        patch.setattr(study_module, "load", gone)
        sections = [(part, part.show(study)) for part in PAPER.parts if part.name != "table2"]
    return Report(PAPER, "quick", sections, study.missing)


def test_parts_are_the_papers_tables_and_figures_in_their_order() -> None:
    names = [part.name for part in PAPER.parts]
    figures = [f"figure{n}" for n in range(3, 14)]
    assert names == ["table1", *figures, "table2", "beyond"]


def test_every_figure_of_data_that_were_had_is_drawn(report: Report) -> None:
    figures = {figure.name: figure for _, section in report.sections for figure in section.figures}
    assert {*figures} == {
        *(f"figure{n}" for n in (3, 4, 5, 6, 7, 9, 10, 11, 12, 13)),
        "heatmap-electricity", "heatmap-cover-type",
    }  # fmt: skip
    for figure in figures.values():
        assert figure.draw().to_dict()["title"]["text"]


def test_missing_data_are_named_and_their_claims_cannot_be_told(report: Report) -> None:
    assert report.missing == ["gone is missing: gone cannot be downloaded"]
    by_name = {part.name: section for part, section in report.sections}
    assert {claim.word for claim in by_name["figure8"].claims} == {"cannot be told"}
    assert "cannot be told" not in {claim.word for claim in by_name["figure12"].claims}


def test_table_1_has_three_lines_for_each_data_set(report: Report) -> None:
    section = report.sections[0][1]
    sheet = section.tables[0].sheet
    assert len(sheet.lines) == 18
    led = next(line for line in sheet.lines if line[0].text == "LED")
    assert led[2].plain == "– (53.74)"


def test_coverage_rises_where_first_rows_have_no_prediction(report: Report) -> None:
    section = report.sections[-1][1]
    line = section.tables[0].sheet.lines[0]
    first, _, final = (float(cell.text) for cell in line[1:4])
    assert first == 80.0  # 60 of 300 rows arrive before the first label
    assert final == pytest.approx(99.67, abs=0.01)


@pytest.mark.long
def test_report_is_written_as_markdown(report: Report, tmp_path: Path) -> None:
    text = report.save(tmp_path / "grzenda2019.md").read_text(encoding="utf-8")
    assert "![Figure 5: Electricity: figure5](grzenda2019/figure5.svg)" in text
    assert "In brackets: printed." in text
