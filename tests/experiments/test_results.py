"""Results of a store: frames, SQL and single runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.experiments.status import status
from streamgauge.runs.directories import FORMAT


def test_frame_has_one_line_per_cell_and_forgetting(partial: sg.Results) -> None:
    pandas, polars, arrow = (partial.to_frame(kind) for kind in ("pandas", "polars", "arrow"))
    assert len(pandas) == len(polars) == len(arrow) == 6 * 2 + 2
    assert list(pandas["status"].value_counts().items()) == [
        ("complete", 12), ("missing", 1), ("failed", 1),
    ]  # fmt: skip
    assert pandas["experiment"].unique().tolist() == ["small"]
    bad = pandas[pandas["status"] == "failed"].iloc[0]
    assert (bad["failure"], bad["message"]) == ("raised", "zero weight\nagain")
    assert bad["learner"] == "Majority"
    line = pandas[(pandas["learner"] == "NaiveBayes") & (pandas["stream"] == "Sine1(200)")].iloc[0]
    run = sg.evaluate(sg.Sine1(200, seed=1), sg.NaiveBayes(), seed=1)
    assert line["kappa"] == run.summary["kappa"]
    assert line["forgetting"] == "Cumulative()"
    assert line["scored"] == 200
    assert repr(partial) == f"<results in {partial.folder}: 1 missing, 6 complete, 1 failed>"
    assert len(partial) == 6 == len(list(partial))


def test_sql_queries_runs_curves_and_predictions(partial: sg.Results) -> None:
    query = "select learner, count(*) n, avg(kappa) k from runs where kappa is not null group by 1"
    answer = partial.sql(f"{query} order by 1", "arrow").to_pylist()
    assert [line["learner"] for line in answer] == ["Majority", "NaiveBayes"]
    assert [line["n"] for line in answer] == [6, 6]
    shares = partial.sql(
        "select id, avg(cast(y = prediction as int)) share, count(*) n from predictions group by 1",
        "arrow",
    ).to_pylist()
    by_id = {run.id: run for run in partial}
    assert len(shares) == 6
    for line in shares:
        run = by_id[line["id"]]
        assert line["n"] == run.counts.scored == run.predictions.num_rows
        right = run.overall["accuracy"] * line["n"]
        abstained = run.predictions["prediction"].null_count
        assert line["share"] * (line["n"] - abstained) == pytest.approx(right)
    curves = partial.sql("select id, count(*) n from curves group by id", "arrow").to_pylist()
    assert {line["n"] for line in curves} == {2 * 300, 2 * 200}
    for wrong in ("select kapa from runs", "no sql"):
        with pytest.raises(sg.UsageError, match="sql: "):
            partial.sql(wrong)


def documented_queries() -> list[str]:
    docs = Path(__file__).parents[2] / "docs"
    text = "".join(page.read_text() for page in sorted(docs.glob("*.md")))
    return re.findall(r'\.sql\(\s*"+(.*?)"+\s*\)', text, re.DOTALL)


def test_documented_queries_say_which_forgetting_they_mean(partial: sg.Results) -> None:
    queries = documented_queries()
    for query in queries:
        if re.search(r"\b(runs|curves)\b", query):
            assert re.search(r"where (r\.)?forgetting = '\w+\(\d*\)'", query), query
    best, early, rate, bins = queries
    assert " bins " in bins  # the runs of this store have none; another test asks for them
    lines = {line["stream"]: line["best"] for line in partial.sql(best, "arrow").to_pylist()}
    assert lines == {"SEA(300)": "NaiveBayes", "Sine1(200)": "NaiveBayes"}
    means = {line["learner"]: line["kappa"] for line in partial.sql(early, "arrow").to_pylist()}
    points = [run.curve["kappa", "Window(1000)"] for run in partial if run.name == "NaiveBayes"]
    assert means["NaiveBayes"] == pytest.approx(np.nanmean(np.concatenate(points)))
    assert len(partial.sql(rate, "arrow")) == len(partial)
    with pytest.raises(sg.UsageError, match=r"no run in .* has bins"):
        partial.sql(bins)


def test_sql_queries_bins_of_runs_with_re_evaluation(tmp_path: Path) -> None:
    (query,) = [each for each in documented_queries() if " bins " in each]
    again = sg.Reevaluate(every=5, bins=3)
    learners = [sg.Majority(), sg.NaiveBayes()]
    runs = sg.evaluate(
        sg.SEA(400, seed=1), learners, labels=sg.Delay(40), reevaluate=again, save=tmp_path
    )
    sg.evaluate(sg.SEA(400, seed=1), sg.NaiveBayes(), save=tmp_path)  # without bins
    answer = sg.results(tmp_path).sql(query, "arrow").to_pydict()
    assert answer["learner"] == ["Majority"] * 5 + ["NaiveBayes"] * 5
    assert answer["bin"] == [*range(5)] * 2
    assert answer["accuracy"] == [each for run in runs for each in run.bins["accuracy"]]
    edges = np.concatenate([run.bins.band("accuracy") for run in runs])
    assert answer["accuracy_low"] == edges[:, 0].tolist()
    assert answer["accuracy_high"] == edges[:, 1].tolist()


def test_run_of_one_cell(partial: sg.Results) -> None:
    run = partial.run(stream="SEA(300)", learner="NaiveBayes", seed=2)
    assert (run.name, run.stream.name, run.settings.seed) == ("NaiveBayes", "SEA(300, seed=2)", 2)
    assert run.predictions.column_names[:3] == ["row", "y", "prediction"]
    assert len(run.to_frame("arrow")) == 2 * 300
    with pytest.raises(sg.UsageError, match="2 runs match; give more fields"):
        partial.run(stream="Sine1(200)", learner="Majority")
    with pytest.raises(sg.UsageError, match="none of the 1 matching cells has a run: zero weight"):
        partial.run(stream="SEA(300)", learner="Majority", seed=2)
    with pytest.raises(sg.UsageError, match="none of the 0 matching cells has a run"):
        partial.run(stream="SAE(300)")
    with pytest.raises(sg.UsageError, match="expected stream, learner"):
        partial.run(strem="SEA(300)")


def test_results_of_a_name_are_those_of_its_plan(tmp_path: Path) -> None:
    """Neither a later grid of the same name changes them, nor the copy of an earlier plan."""

    def small(rows: int) -> sg.Grid:
        return sg.Grid([{"generate": f"SEA({rows})"}], ["Majority"], name="a, b")

    earlier = sg.run_grid(small(40), tmp_path, workers=0)
    (plan,) = (tmp_path / "grids").iterdir()
    for name in ("!", "~"):  # a name before and one after that of the plan
        shutil.copy(plan, plan.with_name(f"{name}.json"))
    later = sg.run_grid(small(50), tmp_path, workers=0)
    assert [each.cell.stream for each in earlier.cell_results] == ["SEA(40)"]
    assert [each.cell.stream for each in later.cell_results] == ["SEA(50)"]
    assert [run.stream.rows for run in sg.results(tmp_path, "a, b")] == [50]
    assert [run.stream.rows for run in sg.results(tmp_path)] == [50]
    assert [each.cell.stream for each in sg.results(tmp_path).left_out] == ["SEA(40, seed=1)"]


def test_folders_without_experiments(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="no such folder"):
        sg.results(tmp_path / "none")
    assert len(sg.results(tmp_path)) == 0
    assert sg.results(tmp_path).to_frame("arrow").num_rows == 0
    sg.evaluate(sg.SEA(100, seed=1), sg.NaiveBayes(), save=tmp_path)  # outside any experiment
    (result,) = sg.results(tmp_path).cell_results
    assert (result.experiment, result.status, result.cell.learner) == (
        None,
        "complete",
        "NaiveBayes",
    )
    with pytest.raises(sg.UsageError, match="no experiment 'x'; it has: none"):
        len(sg.results(tmp_path, "x"))
    with pytest.raises(sg.UsageError, match="has no experiment; expected a folder written by"):
        status(tmp_path)
    (folder,) = tmp_path.glob("SEA*")
    earlier = (folder / "run.json").read_text().replace(FORMAT, "streamgauge.run/1")
    (folder / "run.json").write_text(earlier)
    ((cell, reason),) = sg.results(tmp_path).damaged
    assert cell.directory == folder.name
    assert "got 'streamgauge.run/1': another version of streamgauge" in reason
    (folder / "run.json").write_text("{")
    ((_, reason),) = sg.results(tmp_path).damaged
    assert "invalid JSON" in reason
    with pytest.raises(sg.UsageError, match=f"no run is complete.*damaged: {folder.name}"):
        sg.results(tmp_path).table()
