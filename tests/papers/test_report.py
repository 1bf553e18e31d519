"""A reproduced paper as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers.report import Report
from streamgauge.papers.study import PaperStudy
from tests.papers.miniature_paper import MINIATURE


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    def no_network(name: str, variant: str | None) -> sg.Stream:
        raise DownloadError(f"{name} cannot be downloaded")

    study = PaperStudy("quick", tmp_path_factory.mktemp("store"), workers=0, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_module, "load", no_network)
        sections = [(part, part.show(study)) for part in MINIATURE.parts]
    return Report(MINIATURE, "quick", sections, study.missing)


def test_text_begins_with_the_answer_and_names_what_is_missing(report: Report) -> None:
    lines = str(report).splitlines()
    assert lines[2] == "Claims: 1 hold, 0 do not hold, 1 cannot be told."
    assert "Table 1: accuracy" in lines
    assert lines[-1] == "- insects is missing: insects cannot be downloaded"


def test_cells_of_missing_data_are_left_out_and_the_rest_is_run(report: Report) -> None:
    accuracy = report.sections[0][1].tables[0].sheet.lines[0][1]
    assert 0.5 < float(accuracy.text) < 1


def test_markdown_has_tables_figures_and_claims(report: Report, tmp_path: Path) -> None:
    text = report.save(tmp_path / "mini.md").read_text()
    assert "| SEA |" in text
    assert "(mini/curve.svg)" in text
    assert (tmp_path / "mini" / "curve.svg").stat().st_size > 1000
    assert "| It learns. | holds | Accuracy is above 0.5. |" in text


def test_latex_includes_figures_and_tables(report: Report, tmp_path: Path) -> None:
    text = report.save(tmp_path / "mini.tex").read_text()
    assert r"\includegraphics[width=\linewidth]{mini/curve.pdf}" in text
    assert r"\label{tab:mini2000-table1-1}" in text
    assert text.rstrip().endswith(r"\end{document}")
    assert (tmp_path / "mini" / "curve.pdf").read_bytes().startswith(b"%PDF")


def test_page_has_every_part_and_loads_nothing(report: Report, tmp_path: Path) -> None:
    text = report.save(tmp_path / "mini.html").read_text()
    assert 'id="table1"' in text
    assert "Nobody knows." in text
    assert "src=" not in text.split("<script", 1)[0]


def test_other_endings_are_refused(report: Report, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match=r"mini\.doc: expected a name that ends in \.html"):
        report.save(tmp_path / "mini.doc")


def test_unknown_parts_are_named_with_those_there_are() -> None:
    with pytest.raises(sg.UsageError, match=r"only='table9': mini2000 has no such part"):
        MINIATURE.choose(["table9"])
    assert [part.name for part in MINIATURE.choose(["text"])] == ["text"]


def test_markdown_names_the_command_that_wrote_it(report: Report, tmp_path: Path) -> None:
    whole = report.save(tmp_path / "mini.md").read_text()
    assert "`streamgauge reproduce mini2000 --profile quick --output mini.md` writes" in whole
    part = Report(report.paper, "quick", report.sections[:1]).save(tmp_path / "a b.md").read_text()
    assert "mini2000 --profile quick --only table1 --output 'a b.md'` writes" in part
