"""Every part of zliobaite2015, in miniature: cells, tables, figures, claims."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers.catalog import find_paper
from streamgauge.papers.paper import PaperSection
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.zliobaite2015.paper import parts
from streamgauge.papers.zliobaite2015.plan import FULL, QUICK, plan_of
from tests.papers.zliobaite2015.miniature import MINIATURE, load_small

PARTS = [part.name for part in parts(plan_of)]


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PaperSection]:
    study = PaperStudy("quick", tmp_path_factory.mktemp("store"), workers=0, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_module, "load", load_small)
        found = {part.name: part.show(study) for part in parts(lambda _: MINIATURE)}
    assert study.missing == []
    return found


def test_the_paper_has_every_table_and_figure_with_data() -> None:
    assert [part.name for part in find_paper("zliobaite2015").parts] == PARTS
    figures = [f"figure{n}" for n in range(2, 8)]
    assert ["table2", "table3", "table4", "table5", "propositions", "text", *figures] == PARTS


def test_profiles_differ_in_rows_orders_and_seeds_only(tmp_path: Path) -> None:
    assert plan_of(PaperStudy("full", tmp_path)) is FULL
    assert plan_of(PaperStudy("quick", tmp_path)) is QUICK
    assert QUICK.streams == FULL.streams
    assert QUICK.learners == FULL.learners
    assert "rows" not in FULL.figure6["Cover"]
    assert [seeds for _, seeds in FULL.figure7.values()] == [5, 5, 5]


def test_all_claims_of_complete_runs_are_told(sections: dict[str, PaperSection]) -> None:
    open_claims = [
        claim.statement
        for section in sections.values()
        for claim in section.claims
        if claim.word == "cannot be told"
    ]
    assert open_claims == []


def test_figure2_has_classifiers_and_baselines_in_both_orders(
    sections: dict[str, PaperSection],
) -> None:
    lines = sections["figure2"].tables[0].sheet.lines
    streams = list(dict.fromkeys(line[0].text for line in lines))
    assert streams[:2] == ["Elec2", "Elec2 shuffled"]
    assert len(lines) == 8 * (3 + 2)
    persistent = next(line for line in lines if line[1].text == "Persistent")
    assert [cell.text for cell in persistent[4:]] == ["0.000", "0.000"]


@pytest.mark.long
def test_figures_can_be_drawn(sections: dict[str, PaperSection]) -> None:
    for name, panels in (("figure2", 8), ("figure3", 4), ("figure7", 3)):
        chart = sections[name].figures[0].draw().to_dict(validate=False)
        assert len(chart["concat"]) == panels, name
    assert [figure.name for figure in sections["figure4"].figures] == [
        "figure4-elec2", "figure4-cover", "figure4-kdd99", "figure4-ozone",
    ]  # fmt: skip


def test_figure7_has_every_version_with_its_seeds(sections: dict[str, PaperSection]) -> None:
    names = [line[0].text for line in sections["figure7"].tables[0].sheet.lines]
    assert names == ["Elec2 (1 seed)", "Elec2 temporal (1 seed)", "Elec2 shuffled (1 seed)"]


def test_parts_go_on_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(name: str, variant: str | None = None) -> sg.Stream:
        raise DownloadError(f"{name} cannot be downloaded")

    monkeypatch.setattr(study_module, "load", no_network)
    study = PaperStudy("quick", tmp_path, workers=0, progress=False)
    found = [part.show(study) for part in parts(plan_of)]
    words = {claim.word for section in found for claim in section.claims}
    assert words == {"cannot be told"}
    assert any(each.startswith("covtype is missing") for each in study.missing)
