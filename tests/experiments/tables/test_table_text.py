"""What a table prints: the matrix, two lines on it, what is missing; the rest in its details."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.experiments.tables.result_table import ResultTable
from tests.experiments.stores import grid
from tests.widths import details_fit, fits


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    folder: Path = tmp_path_factory.mktemp("store")
    learners = {
        "a naive learner with a long name": "NaiveBayes()",
        "a majority learner with a long name": "Majority()",
        "tree": "HoeffdingTree()",
    }
    streams = [{"generate": f"{name}(400)"} for name in ("SEA", "Sine1", "LED")]
    made = grid(streams=streams, learners=learners, seeds=2)
    return sg.run_grid(made, folder, workers=0)


def test_the_legend_has_the_marks_that_occur_and_no_other(found: sg.Results) -> None:
    table = found.table(value="accuracy")
    assert isinstance(table, ResultTable)
    notes = str(table).split("\n\n", 1)[1]
    legend = next(line for line in notes.splitlines() if line.startswith("Against"))
    marks = {"better": "▲", "worse": "▼", "equal": "=", "open": "○", "no clear difference": "·"}
    occurring = {marks[mark.word] for mark in table.marks.values()}
    assert {mark for mark in marks.values() if mark in legend} == occurring
    assert len(notes.splitlines()) <= 3


def test_tests_of_the_ranks_are_in_the_details(found: sg.Results) -> None:
    table = found.table(value="accuracy")
    (ranking,) = table.rankings.values()
    for fact in (f"{ranking.friedman.chi2:.2f}", f"{ranking.critical_difference:.2f}", "Nemenyi"):
        assert fact in table.details
    assert "Nemenyi" not in str(table)


def test_tables_fit_the_terminal(found: sg.Results) -> None:
    for table in (found.table(value="accuracy"), found.table(value=["accuracy", "kappa"])):
        fits(table)
        details_fit(table)
