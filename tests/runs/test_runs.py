"""`Runs`: several runs in one container."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.runs.answer import show_answer
from streamgauge.runs.text import show_runs

STREAM = sg.SEA(500, seed=1)


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    return sg.evaluate(STREAM, {"bayes": "NaiveBayes", "guess": "Majority"})


@pytest.fixture(scope="module")
def models() -> sg.Runs:
    return sg.evaluate(STREAM, ["NaiveBayes", "Majority"], protocol=sg.PrequentialCV(3))


def test_types_say_what_evaluate_returns() -> None:
    stream, cv = sg.SEA(50, seed=1), sg.PrequentialCV(2)
    assert_type(sg.evaluate(stream, "Majority"), sg.Run)
    several = assert_type(sg.evaluate(stream, ["Majority"]), sg.Runs)
    assert_type(several[0], sg.Run)
    assert_type(several[:1], sg.Runs)
    assert_type(several["Majority"], sg.Run)
    folded = assert_type(sg.evaluate(stream, "Majority", protocol=cv), sg.Runs)
    assert [type(each) for each in (several, folded)] == [sg.Runs, sg.Runs]


def test_runs_are_found_by_position_and_by_name(runs: sg.Runs) -> None:
    assert len(runs) == 2
    assert runs.names == ("bayes", "guess")
    assert list(runs) == [runs[0], runs[-1]] == [runs["bayes"], runs["guess"]]
    assert "bayes" in runs  # type: ignore[comparison-overlap]
    assert runs[0] in runs
    assert "tree" not in runs  # type: ignore[comparison-overlap]
    assert runs[1:].names == ("guess",)
    with pytest.raises(sg.UsageError, match=r"runs\['bayse'\]: .*did you mean 'bayes'"):
        runs["bayse"]
    with pytest.raises(IndexError):
        runs[2]
    with pytest.raises(sg.UsageError, match="got str; expected runs"):
        sg.Runs(["bayes"])  # type: ignore[list-item]


def test_runs_of_several_learners_print_as_one_table(runs: sg.Runs) -> None:
    assert str(runs) == repr(runs) == show_answer(list(runs))
    assert runs.details == show_runs(list(runs))
    assert str(runs).count("500 rows · 3 features") == 1
    assert "bayes is better than" in runs.details
    assert str(sg.Runs([])) == "no runs"


def test_models_of_a_cross_validation_have_one_name_and_a_number(models: sg.Runs) -> None:
    assert models.names == ("NaiveBayes", "Majority")
    assert [run.settings.model for run in models] == [0, 1, 2, 0, 1, 2]
    own = models.by_learner["NaiveBayes"]
    assert list(own) == list(models[:3])
    with pytest.raises(sg.UsageError, match=r"3 runs; runs\.by_learner\['NaiveBayes'\] has them"):
        models["NaiveBayes"]
    assert own.mean["kappa"] == pytest.approx(np.mean([run.overall["kappa"] for run in own]))
    assert own.sd["kappa"] == pytest.approx(np.std([run.overall["kappa"] for run in own], ddof=1))
    with pytest.raises(sg.UsageError, match="runs of 2 learners"):
        _ = models.mean
    assert str(models) == "\n\n".join(map(str, models.by_learner.values()))
    assert str(models).count("over 3 models") == 2


def test_seeds_of_one_learner_have_a_mean() -> None:
    seeds = sg.Runs(sg.evaluate("SEA(300)", "NaiveBayes", seed=seed) for seed in (1, 2, 3))
    assert seeds.by_stream.keys() == {"SEA(300)"}
    assert seeds.sd["accuracy"] > 0
    assert "over 3 seeds" in str(seeds)
    assert np.isnan(seeds[:1].sd["accuracy"])
    other = sg.evaluate("Sine1(300)", "NaiveBayes")
    mixed = sg.Runs([*seeds, other])
    with pytest.raises(sg.UsageError, match="differ in stream, labels or protocol"):
        _ = mixed.mean
    assert mixed.by_stream["SEA(300)"].mean == seeds.mean
    assert str(mixed) == f"{seeds}\n\n{other}"


def test_different_learners_of_one_name_stay_apart() -> None:
    learners = (sg.HoeffdingTree(grace_period=20), sg.HoeffdingTree())
    both = [sg.evaluate(STREAM, {"tree": each})[0] for each in learners]
    runs = sg.Runs(both)
    assert runs.names == ("tree", "tree #2")
    assert runs["tree #2"] is both[1]
    assert "standard deviation" not in str(runs)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_frame_has_a_line_per_run_and_forgetting(models: sg.Runs, kind: str) -> None:
    pytest.importorskip("pyarrow" if kind == "arrow" else kind)
    frame: Any = models.to_frame(kind)
    table = models.to_arrow()
    assert frame.shape == table.shape
    lines = [(name, i, f) for name in models.names for i in range(3) for f in models[0].summaries]
    columns = (table[name].to_pylist() for name in ("learner", "model", "forgetting"))
    assert list(zip(*columns, strict=True)) == lines
    assert table["accuracy"][0].as_py() == models[0].summary["accuracy"]
    assert sg.Runs([]).to_arrow().num_rows == 0


def test_runs_are_saved_and_given_as_plain_values(
    models: sg.Runs, runs: sg.Runs, tmp_path: Path
) -> None:
    opened = sg.Runs(map(sg.open_run, models.save(tmp_path)))
    assert [run.id for run in opened] == [run.id for run in models]
    assert opened.by_learner["Majority"].mean == pytest.approx(
        models.by_learner["Majority"].mean, nan_ok=True
    )
    first, second = models.to_dict()["learners"]
    assert (first["name"], len(first["runs"])) == ("NaiveBayes", 3)
    assert second["mean"]["accuracy"] == models.by_learner["Majority"].mean["accuracy"]
    assert runs.to_dict()["learners"][0]["runs"] == [runs[0].to_dict()]


def test_runs_are_drawn_and_ranked(runs: sg.Runs) -> None:
    pytest.importorskip("altair")
    assert runs.plot("kappa").to_dict() == sg.plot(runs, "kappa").to_dict()
    over = sg.Runs(
        run for name in ("SEA(300)", "Sine1(300)")
        for run in sg.evaluate(name, ["NaiveBayes", "Majority"])
    )  # fmt: skip
    ranking = over.rank(metric="accuracy")
    assert ranking.average_ranks == sg.rank(list(over), metric="accuracy").average_ranks


def test_notebooks_show_every_table(models: sg.Runs, runs: sg.Runs) -> None:
    assert runs._repr_html_().count("<table") == 1
    assert models._repr_html_().count("<table") == 2
    assert "no runs" in sg.Runs([])._repr_html_()


def test_runs_of_results_have_the_names_of_the_experiment(tmp_path: Path) -> None:
    trees = {"quick": "HoeffdingTree(grace_period=20)", "slow": "HoeffdingTree(grace_period=200)"}
    results = sg.run_grid(sg.Grid(["SEA(300)"], trees, seeds=2), tmp_path, workers=0)
    assert results.runs.names == ("quick", "slow")
    assert len(results.runs.by_learner["quick"]) == 2
    assert results.runs.by_learner["quick"].mean["kappa"] == pytest.approx(
        results.table().mean[0, 0]
    )


def test_runs_of_an_error_are_runs() -> None:
    class Broken:
        def start(self, schema: sg.Schema, seed: int) -> None: ...

        def predict(self, X: Any) -> Any:
            raise ValueError("no")

        def learn(self, X: Any, y: Any, w: Any) -> None: ...

    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(STREAM, {"broken": Broken(), "guess": "Majority"})
    assert isinstance(caught.value.runs, sg.Runs)
    assert caught.value.runs["broken"].failure


def test_runs_are_joined(runs: sg.Runs) -> None:
    both = runs + runs[:1]
    assert isinstance(both, sg.Runs)
    assert list(both) == [*runs, runs[0]]
    with pytest.raises(sg.UsageError, match="Runs: got int"):
        runs.__add__([1])  # type: ignore[list-item]
