"""`results.plot("delay")`: which conclusion changes with the delay."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    grid = sg.Grid(
        [{"generate": "STAGGER(1500)", "name": "stagger"}],
        ["NaiveBayes", "HoeffdingTree"],
        labels=["Immediate", "Delay(10)", "Delay(100)"],
        seeds=[1, 2],
    )
    folder = tmp_path_factory.mktemp("delays")
    return sg.run_grid(grid, folder, workers=0, progress=False)


def test_margins_are_those_of_the_verdicts(results: sg.Results) -> None:
    chart = results.plot("delay")
    runs = [results.run(learner="NaiveBayes", labels="Delay(10)", seed=seed) for seed in (1, 2)]
    best = [run.verdict.against[0] for run in runs]
    mean = sum(100 * (each.learner_score - each.reference_score) for each in best) / 2
    (drawn,) = [
        row for row in marks(chart)["line"] if row["series"] == "NaiveBayes" and row["x"] == 10
    ]
    assert drawn["value"] == pytest.approx(mean)
    clear = {each.word for each in best} in ({"better"}, {"worse"})
    assert drawn["clear"] is clear
    assert {row["x"] for row in marks(chart)["line"]} == {1, 10, 100}


def test_words(results: sg.Results) -> None:
    chart = results.plot("delay")
    assert heading(chart) == "stagger: what the delay of labels changes"
    assert "learners with labels at once" in caption(chart)
    assert "Means over 2 seeds; filled where all seeds agree." in caption(chart)


def test_one_delay_is_not_enough(results: sg.Results) -> None:
    with pytest.raises(sg.UsageError, match="expected runs with references under several delays"):
        results.plot("delay", where={"labels": "Delay(10)"})


def test_other_options_are_refused(results: sg.Results, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="expected where= only"):
        results.plot("delay", "kappa")
