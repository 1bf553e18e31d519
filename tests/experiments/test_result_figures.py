"""`results.plot`: cost against score, sweeps, grids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks

pytest.importorskip("altair")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    trees = [f"HoeffdingTree(grace_period={n}, delta={d})" for n in (50, 100) for d in (0.1, 0.001)]
    grids = [
        sg.Grid(["SEA(300)"], [*trees, "Majority()"], name="trees"),
        sg.Grid(
            ["SEA(300)", "Sine1(200)"], ["NaiveBayes()", "Persistent()"], seeds=2, name="delays",
            labels=["Immediate()", "Delay(5)", "Delay(20)"],
        ),
        sg.Grid(["SEA(250)"], ["NaiveBayes()", "Majority()", "KNN()"], name="cost"),
    ]  # fmt: skip
    for grid in grids:
        sg.run_grid(grid, folder, workers=0)
    return folder


def test_cost_figure_has_a_point_per_learner(store: Path) -> None:
    results = sg.results(store, "cost")
    chart = results.plot()
    points = marks(chart)["point"]
    by_name = {run.name: run for run in results}
    assert {row["series"]: row["value"] for row in points} == {
        name: run.summary["kappa"] for name, run in by_name.items()
    }
    assert {row["cost"] for row in points} == {run.cost.seconds for run in results}
    assert heading(chart) == "SEA(250): kappa against learner CPU seconds"
    sizes = marks(results.plot("cost", "accuracy", cost="model_bytes"))["point"]
    assert {row["cost"] for row in sizes} == {run.cost.model_bytes for run in results}


def test_two_numbers_that_vary_are_a_grid_by_default(store: Path) -> None:
    results = sg.results(store, "trees")
    chart = results.plot()
    cells = marks(chart)["rect"]
    assert {(cell["x"], cell["y"]) for cell in cells} == {
        (x, y) for x in (50, 100) for y in (0.1, 0.001)
    }
    run = results.run(learner="HoeffdingTree(grace_period=100, delta=0.1)")
    value = next(cell["value"] for cell in cells if (cell["x"], cell["y"]) == (100, 0.1))
    assert value == run.summary["kappa"]
    assert heading(chart) == "SEA(300): kappa against grace_period and delta"
    assert "Left out: 1 cell without grace_period and delta." in caption(chart)
    turned = marks(results.plot("grid", x="delta"))["rect"]
    assert {(cell["x"], cell["y"]) for cell in turned} == {(c["y"], c["x"]) for c in cells}


def test_sweep_of_a_parameter_keeps_other_learners_as_lines(store: Path) -> None:
    results = sg.results(store, "trees")
    chart = results.plot(x="grace_period")
    lines = marks(chart)["line"]
    assert {row["series"] for row in lines} == {
        "HoeffdingTree(grace_period=…, delta=0.1)", "HoeffdingTree(grace_period=…, delta=0.001)",
        "Majority",
    }  # fmt: skip
    majority = [row for row in lines if row["series"] == "Majority"]
    assert sorted(row["x"] for row in majority) == [50, 100]
    assert len({row["value"] for row in majority}) == 1


def test_sweep_of_delays_has_a_panel_per_stream_and_means_over_seeds(store: Path) -> None:
    results = sg.results(store, "delays")
    chart = results.plot(value="accuracy")
    panels = [each["title"]["text"] for each in chart.to_dict()["concat"]]
    assert panels == ["SEA(300)", "Sine1(200)"]
    points = marks(chart)["point"]
    assert {row["x"] for row in points} == {1, 5, 20}
    own = [
        results.run(stream="SEA(300)", learner="NaiveBayes", labels="Delay(5)", seed=seed)
        for seed in (1, 2)
    ]
    mean = sum(run.summary["accuracy"] for run in own) / 2
    point = next(
        row for row in points
        if (row["panel"], row["series"], row["x"]) == ("SEA(300)", "NaiveBayes", 5)
    )  # fmt: skip
    assert point["value"] == pytest.approx(mean)
    assert "Means over 2 seeds" in caption(chart)
    one = results.plot(where={"stream": "Sine1(200)"})
    assert heading(one).startswith("Sine1(200): ")


def test_undefined_scores_say_why_and_holes_are_counted(store: Path, tmp_path: Path) -> None:
    results = sg.results(store, "cost")
    chart = results.plot("cost", "kappa_majority", where={"learner": "Majority"})
    assert marks(chart)
    stream = sg.from_arrays([[0.0]] * 50, ["a"] * 50, classes=["a", "b"])
    path = sg.evaluate(stream, sg.Majority()).save(tmp_path)
    assert path.exists()
    empty = sg.results(tmp_path).plot("cost", "mcc")
    (text,) = marks(empty)["text"]
    assert text["why"] == "mcc or learner CPU seconds is undefined for every learner"


def test_regression_takes_mean_absolute_errors(tmp_path: Path) -> None:
    stream = sg.from_arrays([[0.0]] * 60, [i % 5 + 0.5 for i in range(60)], task="regression")
    for run in sg.evaluate(stream, [sg.Mean(), sg.LastValue()]):
        run.save(tmp_path)
    assert "mae against" in heading(sg.results(tmp_path).plot())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"what": "costs"}, r"plot\('costs'\): unknown figure \(did you mean 'cost'\?\)"),
        ({"cost": "minutes", "what": "cost"}, "cost='minutes': unknown cost; expected one of sec"),
        (
            {"x": "graceperiod"},
            r"x='graceperiod': .*\(did you mean 'grace_period'\?\); expected one of gr",
        ),
        ({"y": "gamma"}, "y='gamma': no number of this name varies"),
        ({"value": "kapa"}, "no metric or cost 'kapa'"),
        ({"where": {"learner": "No"}}, "where learner=No: no such value"),
        ({"forget": "Window(7)"}, "forget: 'Window"),
    ],
)
def test_bad_input_is_named(store: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.results(store, "trees").plot(**options)


def test_sweep_without_numbers_says_what_is_expected(store: Path) -> None:
    results = sg.results(store, "cost")
    with pytest.raises(sg.UsageError, match=r"plot\('sweep'\): 0 numbers .*at least 1, such as"):
        results.plot("sweep")
    with pytest.raises(sg.UsageError, match=r"plot\('grid'\): 1 number .*Delay.*at least 2"):
        sg.results(store, "delays").plot("grid")


def test_many_panels_are_cut_and_it_says_so(tmp_path: Path) -> None:
    for seed in range(14):
        run = sg.evaluate(sg.SEA(60, noise=seed / 100), sg.Majority())
        run.save(tmp_path)
    chart = sg.results(tmp_path).plot("cost")
    assert len(chart.to_dict()["concat"]) == 12
    assert "The first 12 of 14 panels; choose others by where=." in caption(chart)
