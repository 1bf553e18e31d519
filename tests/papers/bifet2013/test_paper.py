"""Every part of bifet2013, in miniature: cells, tables, figures, claims."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers.bifet2013.paper import parts
from streamgauge.papers.bifet2013.plan import FULL, QUICK, plan_of
from streamgauge.papers.catalog import find_paper
from streamgauge.papers.paper import PaperSection
from streamgauge.papers.study import PaperStudy
from tests.papers.bifet2013.miniature import MINIATURE, load_small

PARTS = [part.name for part in parts(plan_of)]


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PaperSection]:
    study = PaperStudy("quick", tmp_path_factory.mktemp("store"), workers=0, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_module, "load", load_small)
        found = {part.name: part.show(study) for part in parts(lambda _: MINIATURE)}
    assert study.missing == []
    return found


def test_the_paper_has_every_table_and_figure() -> None:
    assert [part.name for part in find_paper("bifet2013").parts] == PARTS
    assert ["table1", "table2", "text", *(f"figure{n}" for n in range(1, 12))] == PARTS


def test_profiles_differ_in_the_orders_only(tmp_path: Path) -> None:
    assert plan_of(PaperStudy("full", tmp_path)) is FULL
    assert plan_of(PaperStudy("quick", tmp_path)) is QUICK
    assert (QUICK.electricity, QUICK.cover, QUICK.learners) == (
        FULL.electricity, FULL.cover, FULL.learners,
    )  # fmt: skip
    assert set(QUICK.orders) < set(FULL.orders)


def test_claims_on_electricity_name_both_variants(sections: dict[str, PaperSection]) -> None:
    for name in ("text", "figure2", "figure5", "figure6", "figure9"):
        for claim in sections[name].claims:
            assert "6 features: " in claim.reason, claim
            assert "8 features: " in claim.reason, claim


def test_no_change_scores_zero_against_itself(sections: dict[str, PaperSection]) -> None:
    for name in ("figure3", "figure4", "figure7"):
        lines = [[c.text for c in line] for line in sections[name].tables[0].sheet.lines]
        (own,) = [line for line in lines if line[0] == "No-Change on Cover"]
        assert own[3] in ("0.000", "-0.000")


def test_figures_can_be_drawn(sections: dict[str, PaperSection]) -> None:
    drawn = [figure for section in sections.values() for figure in section.figures]
    assert len(drawn) == 2 + (2 + 1 + 1 + 2 + 2 + 1 + 3) + 3 * 2
    chart = sections["figure2"].figures[1].draw().to_dict(validate=False)
    assert chart["title"]["text"] == ["bifet2013, figure 2: Electricity, 8 features; Window(1000)"]
    assert [panel["title"]["text"] for panel in chart["vconcat"]] == ["accuracy", "κ"]


def test_sweeps_have_panels_for_scores_time_and_memory(sections: dict[str, PaperSection]) -> None:
    chart = sections["figure11"].figures[0].draw().to_dict(validate=False)
    assert [panel["title"]["text"] for panel in chart["concat"]] == [
        "accuracy", "κ", "κ⁺", "time, seconds", "memory, kB",
    ]  # fmt: skip


def test_parts_go_on_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(name: str, variant: str | None = None) -> sg.Stream:
        raise DownloadError(f"{name} cannot be downloaded")

    monkeypatch.setattr(study_module, "load", no_network)
    study = PaperStudy("quick", tmp_path, workers=0, progress=False)
    found = [part.show(study) for part in parts(plan_of)]
    words = {claim.word for section in found for claim in section.claims}
    assert words == {"cannot be told"}
    assert any(each.startswith("airlines is missing") for each in study.missing)
