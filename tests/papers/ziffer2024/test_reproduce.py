"""A miniature of ziffer2024 from the runs to the report."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.papers.ziffer2024.reproduce import Report, reproduce
from tests.papers.ziffer2024.miniature import NAIVE_BAYES, TINY


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    store = tmp_path_factory.mktemp("store")
    return reproduce(TINY, store=store, workers=0), store


def test_report_has_tables_figures_and_claims(report: tuple[Report, Path]) -> None:
    made, store = report
    headings = [heading for heading, _ in made.sections]
    assert headings[:5] == [
        "Table I",
        "Table II",
        "Table III",
        "Figure 3",
        "Figure 4: STAGGER, abrupt, injected",
    ]
    tables = dict(made.sections)
    stream = sg.inject(sg.tenet_streams("gradual", 600, seed=1)["Sine1"], 2)
    ours = sg.evaluate(stream, sg.NaiveBayes())
    line = next(
        line
        for line in tables["Table II"].partition("injected")[2].splitlines()
        if line.startswith("Sine1 G")
    )
    assert f"{100 * ours.summary['kappa']:.1f} (36.5)" in line
    assert f"{100 * ours.references['Persistent']['kappa']:.1f} (49.3)" in line
    assert "- (60.9)" in tables["Table III"]  # not run
    claims = {claim.statement: claim for claim in made.claims}
    assert claims["Injected: plain HAT and ARF fall below No-Change"].holds is True
    assert (store / "report-tiny" / "report.md").read_text() == made.to_markdown()
    assert {path.name for path in made.files} == {"fig3.svg", "fig4.svg", "fig5-synthetic.svg"}
    assert any("originals and injected ones in one table" in each for each in made.remarks)
    for path in made.files:
        assert path.read_text().rstrip().endswith("</svg>")


def test_second_time_runs_nothing(report: tuple[Report, Path]) -> None:
    made, store = report
    before = {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")}
    again = reproduce(TINY, store=store, workers=0)
    assert str(again) == str(made)
    assert before
    assert {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")} == before


def test_only_some_parts_and_learners(report: tuple[Report, Path]) -> None:
    _, store = report
    some = reproduce(TINY, ["fig4"], store, learners=["HAT", "SWT HAT"], workers=0)
    assert [heading for heading, _ in some.sections] == ["Figure 4: STAGGER, abrupt, injected"]
    assert "SWT HAT, kappa_temporal" in some.sections[0][1]
    assert "cLSTM" not in some.sections[0][1]
    assert some.claims == []


def test_without_altair_the_report_has_numbers_only(
    report: tuple[Report, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, store = report
    monkeypatch.setitem(sys.modules, "altair", None)
    made = reproduce(TINY, ["fig3"], store, workers=0)
    assert made.files == []
    assert "pip install 'streamgauge[plot]'" in str(made)
    assert made.sections[0][1].splitlines()[0].split() == ["past", "labels", "0", "1", "2", "4"]


def test_failed_cell_is_reported(tmp_path: Path) -> None:
    broken = replace(
        TINY,
        streams=("Sine1",),
        learners={"HAT": NAIVE_BAYES, "ARF": "Resetting(Persistent(start_as=9), DDM())"},
    )
    made = reproduce(broken, ["table2"], tmp_path, workers=0)
    assert "table2: ARF on Sine1 abrupt, seed 1, failed: " in str(made)
    assert "- (96.2)" in dict(made.sections)["Table II"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"profile": "fast"}, "profile='fast': expected quick or full"),
        ({"only": ["table4"]}, "only='table4': not in ziffer2024; expected table1, table2"),
        ({"learners": ["KNN"]}, "learner 'KNN': not in ziffer2024; expected HAT, ARF"),
    ],
)
def test_invalid_arguments(arguments: Any, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        reproduce(store=tmp_path, **arguments)
