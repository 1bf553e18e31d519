"""Scores of cells and of references, over the seeds."""

from __future__ import annotations

import math

import pytest

import streamgauge as sg
from streamgauge.papers.scores import CellScores


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    grid = sg.Grid([{"generate": "SEA(400)", "name": "sea"}], {"NB": "NaiveBayes()"}, seeds=2)
    folder = tmp_path_factory.mktemp("store")
    return sg.run_grid(grid, folder, workers=0, progress=False)


def test_mean_and_spread_are_over_the_seeds(results: sg.Results) -> None:
    scores = CellScores([results])
    ours = [run.overall["accuracy"] for run in results]
    assert scores.values("sea", "NB").tolist() == ours
    assert scores.mean("sea", "NB") == pytest.approx(sum(ours) / 2)
    assert scores.spread("sea", "NB") == pytest.approx(abs(ours[0] - ours[1]) / math.sqrt(2))
    assert scores.mean("sea", "NB", "model_bytes") == results.runs[0].cost.model_bytes


def test_references_are_those_beside_the_cells(results: sg.Results) -> None:
    scores = CellScores([results])
    theirs = [run.references["Persistent"]["kappa"] for run in results]
    assert scores.values("sea", "Persistent", "kappa").tolist() == theirs


def test_what_was_not_run_is_nan(results: sg.Results) -> None:
    scores = CellScores([results])
    assert math.isnan(scores.mean("sea", "HT"))
    assert math.isnan(scores.mean("gone", "NB"))
    assert math.isnan(scores.mean("sea", "NB", "no such metric"))
    assert scores.run("gone", "NB") is None
    assert math.isnan(CellScores([]).mean("sea", "Persistent"))


def test_run_is_that_of_the_first_seed(results: sg.Results) -> None:
    run = CellScores([results]).run("sea", "NB")
    assert run is not None
    assert run.id == results.runs[0].id
    assert CellScores([results]).learners("sea") == ["NB"]
