"""`reproduce`: unknown papers, profiles and parts are refused; a part that fails says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.papers import reproduce as module
from streamgauge.papers.paper import Paper, PaperPart, PaperSection
from streamgauge.papers.study import PaperStudy
from tests.papers.miniature_paper import MINIATURE


def test_unknown_paper_profile_and_part_are_named_with_those_there_are() -> None:
    with pytest.raises(sg.UsageError, match=r"unknown paper 'gama2014' \(did you mean 'gama2013'"):
        sg.reproduce("gama2014")
    with pytest.raises(sg.UsageError, match=r"profile='slow': expected quick or full"):
        sg.reproduce("gama2013", "slow")
    with pytest.raises(sg.UsageError, match=r"gama2013 has no such part .*expected text, figure"):
        sg.reproduce("gama2013", only="table9")


def test_part_that_lacks_a_run_says_so_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(study: PaperStudy) -> PaperSection:
        raise sg.UsageError("run(seed=1): none of the 2 matching cells has a run")

    paper = Paper("mini2000", "", "", [PaperPart("table9", "Table 9", lacking), MINIATURE.parts[1]])
    monkeypatch.setattr(module, "find_paper", lambda key: paper)
    report = sg.reproduce("mini2000", store=tmp_path, workers=0)
    assert report.sections[0][1].notes == ["Not shown: " + report.missing[0].partition(": ")[2]]
    assert report.missing == [
        "Table 9 is missing: run(seed=1): none of the 2 matching cells has a run"
    ]
    assert report.answer == "Claims: 0 hold, 0 do not hold, 1 cannot be told."
