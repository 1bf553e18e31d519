"""The first screen of a page: tiles and matrices say what the runs and the tables say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.rendering.outcomes import MARKS
from streamgauge.reports._overview import changes, headline, matrices, overview, policy_views
from streamgauge.reports.report_data import ReportData, gather

POLICIES = ("Immediate()", "Delay(100)")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    grid = sg.Grid(
        ["SEA(1500)", "inject(Sine1(1500), order=2)", "LED(1500)"],
        ["NaiveBayes", "HoeffdingTree", "Majority"],
        labels=POLICIES, seeds=[1, 2], name="study",
    )  # fmt: skip
    return sg.run_grid(grid, tmp_path_factory.mktemp("store"), workers=0)


@pytest.fixture(scope="module")
def data(results: sg.Results) -> ReportData:
    return gather(results)


def test_each_policy_has_a_view_with_all_streams_and_learners(data: ReportData) -> None:
    views = policy_views(data)
    assert [view.labels for view in views] == list(POLICIES)
    for view in views:
        assert len(view.streams) == 3
        assert sorted(view.learners) == ["HoeffdingTree", "Majority", "NaiveBayes"]


def test_best_learner_is_that_of_the_table(data: ReportData, results: sg.Results) -> None:
    for view in policy_views(data):
        table = results.table(where={"labels": view.labels})
        (ranking,) = table.rankings.values()
        ranks = ranking.average_ranks
        assert view.ranking is not None
        assert view.ranking.average_ranks == ranks
        assert [ranks[name] for name in view.learners] == sorted(ranks.values())


def test_cells_are_the_means_of_the_verdicts(data: ReportData) -> None:
    for view in policy_views(data):
        for (stream, learner), cell in view.cells.items():
            runs = [
                entry.run for entry in data.entries
                if (entry.stream, entry.learner, entry.labels) == (stream, learner, view.labels)
            ]  # fmt: skip
            against = [run.verdict.against[0] for run in runs]
            margins = [each.learner_score - each.reference_score for each in against]
            assert cell.margin == pytest.approx(np.mean(margins))
            words = {each.word for each in against}
            assert cell.word == (words.pop() if len(words) == 1 else "open")
        for learner in view.learners:
            own = [cell.word for (_, who), cell in view.cells.items() if who == learner]
            assert view.count(learner) == own.count("better")


def test_headline_has_at_most_twenty_words_and_tiles_agree(data: ReportData) -> None:
    views = policy_views(data)
    page = str(overview(data, views))
    for view in views:
        assert len(headline(view).split()) <= 20
        assert f"on {view.count(view.learners[0])} of 3 streams" in headline(view)
        assert f">{max(map(view.count, view.learners))} of 3<" in page
    assert f"{len(data.entries)} of {len(data.entries)} runs are there" in page


def test_matrix_has_margin_and_mark_of_each_cell(data: ReportData) -> None:
    views = policy_views(data)
    page = str(matrices(views))
    for view in views:
        for cell in view.cells.values():
            shown = f"{100 * cell.margin:+.1f}".replace("-", "−")
            assert f'<span class="margin">{shown}</span>' in page
            assert f'aria-hidden="true">{MARKS[cell.word]}</span>' in page


def test_changes_are_the_outcomes_that_differ_between_policies(data: ReportData) -> None:
    first, second = policy_views(data)
    differ = [place for place, cell in first.cells.items() if second.cells[place].word != cell.word]
    assert f"{len(differ)} of 9 outcomes change with the label policy." in str(
        changes([first, second])
    )
    assert changes([first]) is None


def test_one_stream_names_those_that_are_better(tmp_path: Path) -> None:
    runs = sg.evaluate(sg.SEA(3000, seed=1), ["NaiveBayes", "Majority"])
    (view,) = policy_views(gather(runs))
    assert headline(view) == "NaiveBayes beats the strongest reference."
    assert view.ahead == ""


def test_regression_margins_are_shares_of_the_error() -> None:
    y = np.sin(np.arange(2000) / 9) + 0.1 * np.arange(2000) % 3
    run = sg.evaluate(sg.from_arrays(np.c_[y], y), sg.HoeffdingTreeRegressor())
    (view,) = policy_views(gather([run]))
    (cell,) = view.cells.values()
    against = run.verdict.against[0]
    assert cell.margin == pytest.approx(1 - against.learner_score / against.reference_score)
