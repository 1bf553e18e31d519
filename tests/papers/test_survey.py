"""Published accuracies beside repeating the last label."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers._survey import survey
from streamgauge.papers.printed import PrintedTable
from streamgauge.papers.study import PaperStudy

TABLE = PrintedTable(
    7, "Published", ["accuracy"], {"A": [90.0], "Repeat": [66.7], "B": [50.0]}, "A note."
)


def same_label_twice(name: str, variant: str | None) -> sg.Stream:
    return sg.from_arrays([[0]] * 4, list("aaab"))  # 2 of 4 are as the label before


def test_ours_is_beside_the_printed_one_and_decides_who_is_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(study_module, "load", same_label_twice)
    section = survey(PaperStudy("quick", Path("unused"), progress=False), TABLE, "Repeat")
    lines = [[cell.text for cell in line] for line in section.tables[0].sheet.lines]
    assert lines == [
        ["A", "90.0", "", "yes"],
        ["Repeat", "66.7", "50.00", ""],
        ["B", "50.0", "", "no"],
    ]
    assert [claim.word for claim in section.claims] == ["does not hold", "does not hold"]
    assert section.claims[1].reason == "above 1."


def test_nothing_can_be_told_without_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(name: str, variant: str | None) -> sg.Stream:
        raise DownloadError("no network")

    monkeypatch.setattr(study_module, "load", no_network)
    study = PaperStudy("quick", Path("unused"), progress=False)
    section = survey(study, TABLE, "Repeat")
    assert [claim.word for claim in section.claims] == ["cannot be told"] * 2
    assert [line[2].text for line in section.tables[0].sheet.lines] == ["", "-", ""]
    assert study.missing == ["elec2 is missing: no network"]
