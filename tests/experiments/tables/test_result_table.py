"""Tables of an experiment, against values computed from single runs."""

from __future__ import annotations

import csv
import io
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.experiments.stores import grid, write_failure, write_plan

STREAMS = [{"generate": f"SEA(200, noise={noise})", "name": f"SEA_{noise}"} for noise in (0, 0.2)]
LEARNERS = {"NB": "NaiveBayes()", "Maj": "Majority()", "Last": "Persistent()"}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    made = grid(
        streams=[*STREAMS, {"generate": "Sine1(200)"}],
        learners=LEARNERS,
        seeds=3,
        labels=["Immediate()", "Delay(30)"],
    )
    return sg.run_grid(made, tmp_path_factory.mktemp("store"), workers=0)


def kappa(stream: str, learner: str, metric: str = "kappa", forget: int = 0) -> list[float]:
    """Values of three seeds, from new evaluations."""
    makers: dict[str, Callable[[int], sg.Stream]] = {
        "SEA_0": lambda seed: sg.SEA(200, seed=seed),
        "SEA_0.2": lambda seed: sg.SEA(200, seed=seed, noise=0.2),
        "Sine1(200)": lambda seed: sg.Sine1(200, seed=seed),
    }
    runs = [sg.evaluate(makers[stream](s), LEARNERS[learner], seed=s) for s in (1, 2, 3)]
    return [run.curve[metric, run.curve.forgettings[forget]][-1] for run in runs]


def test_table_has_mean_sd_and_ranks(found: sg.Results) -> None:
    table = found.table(where={"labels": "Immediate()"})
    assert table.rows == ("SEA_0", "SEA_0.2", "Sine1(200)")
    assert table.columns == ("NB", "Maj", "Last")
    for i, row in enumerate(table.rows):
        for j, column in enumerate(table.columns):
            values = kappa(row, column)
            assert table.mean[i, j] == pytest.approx(np.mean(values))
            assert table.sd[i, j] == pytest.approx(np.std(values, ddof=1))
    assert (table.runs == 3).all()
    assert table.average == pytest.approx(table.mean.mean(axis=0))
    expected = sg.rank(table.mean, names=table.columns)
    assert list(table.rankings) == [""]
    assert table.rankings[""].average_ranks == expected.average_ranks
    assert table.rankings[""].critical_difference == expected.critical_difference
    np.testing.assert_array_equal(table.ranks, expected.ranks)
    text = table.details
    best = f"{table.mean[0, 0]:.3f} ± {table.sd[0, 0]:.3f}*"
    assert best in text.splitlines()[1]
    assert f"Friedman χ² = {expected.friedman.chi2:.2f}" in text
    assert (
        "kappa under Cumulative() at the end of the stream, mean ± sd over 3 seeds; higher" in text
    )


def test_rows_columns_value_forgetting_and_filter(found: sg.Results) -> None:
    both = found.table(rows="stream", cols="learner")  # labels are added to the rows
    assert both.sides == (("stream", "labels"), ("learner",))
    assert len(both.rows) == 6
    assert both.rows[:2] == ("SEA_0 · Immediate()", "SEA_0 · Delay(30)")
    turned = found.table(rows="learner", cols=["labels", "stream"])
    assert turned.mean[0, 0] == both.mean[0, 0]
    assert turned.rankings == {}  # the rows are not streams
    windowed = found.table(
        value="error", forget="Window(1000)", where={"labels": "Immediate()", "seed": ["1", "3"]}
    )
    values = kappa("SEA_0.2", "NB", "error", 1)
    assert windowed.mean[1, 0] == pytest.approx((values[0] + values[2]) / 2)
    assert windowed.scale.direction == "lower"
    first = int(np.argmin(windowed.mean[0]))
    assert windowed.to_text().splitlines()[1].count("*") >= 1
    assert windowed.ranks[0, first] == windowed.ranks[0].min()
    cost = found.table(value="model_bytes", where={"labels": "Immediate()"})
    assert cost.scale.direction == "lower"
    rates = found.table(value="rows_per_second", cols="learner,labels")
    assert rates.scale.direction == "higher"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    """Runs with a custom loss, and the same without a direction."""
    folder = tmp_path_factory.mktemp("own")
    loss = sg.Metric("own_loss", lambda s: 1 - s.accuracy, direction="lower", unit="fraction")
    silent = sg.Metric("silent", lambda s: 1 - s.accuracy)
    for noise in (0, 0.1, 0.2):
        for learner in (sg.NaiveBayes(), sg.Majority()):
            stream = sg.SEA(400, noise=noise, seed=1)
            sg.evaluate(stream, learner, metrics=["labels", loss, silent]).save(folder)
    return sg.results(folder)


def test_own_loss_has_the_star_on_its_lowest_value(own: sg.Results) -> None:
    table = own.table(value="own_loss")
    bayes = table.columns.index("NaiveBayes")
    assert (table.mean.argmin(axis=1) == bayes).all()
    assert table.average[bayes] < table.average[1 - bayes]
    stars = [[cell.best for cell in line[1:]] for line in table.sheet.groups[0]]
    assert stars == [[j == bayes for j in range(2)]] * 3
    assert (table.ranks[:, bayes] == 1).all()
    assert table.rankings[""].average_ranks["NaiveBayes"] == 1
    assert "; lower is better" in str(table)
    both = sg.table([run for run in own if run.stream.name == own.runs[0].stream.name])
    assert both["own_loss"].scale == table.scale


def test_a_value_without_direction_is_neither_marked_nor_ranked(own: sg.Results) -> None:
    table = own.table(value="silent")
    assert "*" not in str(table)
    assert not any(cell.best for line in table.sheet.lines for cell in line)
    assert np.isnan(table.ranks).all()
    assert not table.rankings
    assert "silent, which declares no direction" in str(table)
    both = own.table(value=["own_loss", "silent"])
    assert "Neither marked nor ranked: silent" in str(both)


def test_a_number_in_the_unit_of_the_target_is_never_in_per_cent() -> None:
    y = np.array([1.0, 4.0] * 50)
    run = sg.evaluate(sg.from_arrays(y[:, None], y, task="regression"), sg.Mean())
    shown = sg.table(run, ["mae", "r2"])
    mae, r2 = shown["mae"], shown["r2"]
    assert f"{mae.mean[0, 0]:.3f}" in mae.to_text(percent=True)
    assert f"{100 * r2.mean[0, 0]:.3f}" in r2.to_text(percent=True)


def test_runs_that_declare_a_metric_differently_are_not_one_table() -> None:
    def run(direction: Any, learner: sg.Learner) -> sg.Run:
        metric = sg.Metric("own", lambda s: s.accuracy, direction=direction)
        return sg.evaluate(sg.SEA(100, seed=1), learner, metrics=[metric])

    with pytest.raises(sg.UsageError, match="own: the runs declare different directions"):
        sg.table([run("lower", sg.NaiveBayes()), run("higher", sg.Majority())], ["own"])


def test_missing_and_failed_cells_are_shown(found: sg.Results, tmp_path: Path) -> None:
    made = grid(streams=STREAMS, learners=LEARNERS, seeds=3)
    sg.run_grid(made, tmp_path, workers=0)
    gone = [c for c in made.cells if c.stream == "SEA_0" and c.learner == "NB" and c.seed > 1]
    gone += [c for c in made.cells if c.stream == "SEA_0" and c.learner == "Maj"]
    for cell in gone:
        (tmp_path / cell.directory).rename(tmp_path / f".{cell.directory}")
    table = sg.results(tmp_path).table()
    assert table.runs.tolist() == [[1, 0, 3], [3, 3, 3]]
    assert table.complete.tolist() == [False, True]
    assert table.average == pytest.approx(table.mean[1])
    assert table.rankings == {}
    lines = str(table).splitlines()
    assert "[1/3]" in lines[1]
    assert "not run" in lines[1]
    assert (
        "Averages, ranks and tests leave out 1 row with missing or undefined values: SEA_0 (NB not "
        "run 2 of 3 seeds; Maj not run)." in lines
    )
    assert "[1/3]: 1 of 3 seeds has a run." in lines
    assert "No tests" in table.details
    for cell in gone:
        (tmp_path / f".{cell.directory}").rename(tmp_path / cell.directory)
    made = grid(streams=STREAMS, learners={**LEARNERS, "Lost": "KNN(n_neighbors=3)"}, seeds=3)
    lost = next(c for c in made.cells if c.learner == "Lost" and c.stream == "SEA_0")
    sg.run_grid(grid(streams=STREAMS, learners=LEARNERS, seeds=3), tmp_path, workers=0)
    write_plan(made, tmp_path)
    write_failure(tmp_path, lost, "timeout", "too slow")
    lines = str(sg.results(tmp_path).table()).splitlines()
    assert "failed" in lines[1]
    assert "Failed: Lost on SEA_0 (1 seed): timeout: too slow." in lines
    assert "No value anywhere, so neither averaged nor ranked: Lost." in lines
    whole = sg.results(tmp_path).table()
    assert whole.complete.tolist() == [True, True]
    place = whole.columns.index("Lost")
    assert np.isnan(whole.average[place])
    assert np.isnan(whole.ranks[:, place]).all()
    others = [name for name in whole.columns if name != "Lost"]
    alone = sg.results(tmp_path).table(where={"learner!": "Lost"})
    assert alone.average.tolist() == [whole.average[whole.columns.index(n)] for n in alone.columns]
    assert sorted(others) == sorted(alone.columns)


def test_undefined_values_are_not_numbers(tmp_path: Path) -> None:
    made = grid(streams=STREAMS, learners=["Majority()", "NaiveBayes()"], seeds=1, warmup=100)
    table = sg.run_grid(made, tmp_path, workers=0).table(value="precision[0]")
    assert math.isnan(table.mean[0, 0])  # never predicted
    assert "undefined" in str(table)
    assert "precision[0] is undefined for Majority on SEA_0; Majority on SEA_0.2." in str(table)
    assert "No value anywhere, so neither averaged nor ranked: Majority." in str(table)
    assert "one seed" in str(table)


def test_latex_markdown_and_csv(found: sg.Results) -> None:
    table = found.table(where={"labels": "Delay(30)"})
    latex = table.to_latex(digits=1, percent=True, ranks=True)
    columns = " & ".join(rf"\multicolumn{{3}}{{c}}{{{name}}}" for name in table.columns)
    assert f"\\toprule\nstream & {columns} \\\\\n" in latex
    mean, sd = 100 * table.mean[0, 0], 100 * table.sd[0, 0]
    assert rf"SEA\_0 & \bfseries {mean:.1f} & $\pm$\,{sd:.1f} & (1)$\bigcirc$ & " in latex
    assert "\\label{tab:kappa}" in latex
    assert "Friedman $\\chi^2$ = " in latex
    assert latex.count("\\midrule") == 2
    markdown = table.to_markdown().splitlines()
    assert markdown[0] == "| stream | NB | Maj | Last |"
    assert markdown[1] == "| --- | ---: | ---: | ---: |"
    assert markdown[2].startswith(
        f"| SEA_0 | **{table.mean[0, 0]:.3f} ± {table.sd[0, 0]:.3f}** ○ |"
    )
    assert markdown[5].startswith("| average | ")
    assert markdown[6].startswith("| average rank | ")
    lines = list(csv.reader(io.StringIO(table.to_csv())))
    assert lines[0] == ["stream", "NB", "NB sd", "NB runs", "Maj", "Maj sd", "Maj runs", "Last",
                        "Last sd", "Last runs"]  # fmt: skip
    assert float(lines[1][1]) == table.mean[0, 0]
    assert float(lines[2][5]) == table.sd[1, 1]
    assert lines[3][3] == "3"
    assert len(lines) == 4  # no averages: every line is a stream
    both = list(csv.reader(io.StringIO(found.table().to_csv())))
    assert both[0][:3] == ["stream", "labels", "NB"]
    assert both[2][:2] == ["SEA_0", "Delay(30)"]


def test_rows_of_one_stream_are_ranked_apart(found: sg.Results) -> None:
    table = found.table()
    assert list(table.rankings) == ["Immediate()", "Delay(30)"]
    for labels, ranking in table.rankings.items():
        alone = found.table(where={"labels": labels}).rankings[""]
        assert ranking.average_ranks == alone.average_ranks
    text = table.to_text(ranks=True, details=True)
    lines = [line.split("  ")[0] for line in text.splitlines()[7:10]]
    assert lines == ["average", "average rank, Immediate()", "average rank, Delay(30)"]
    assert "Rows of one stream are not independent, so they are not ranked together." in text
    assert "Delay(30): 3 columns ranked over 3 streams: Friedman χ² = " in text


def test_invalid_options(found: sg.Results, tmp_path: Path) -> None:
    for options, said in (
        ({"rows": "steam"}, "rows: 'steam'.*did you mean 'stream'"),
        ({"rows": "learner"}, "learner cannot be rows and columns at once"),
        ({"cols": "learner,labels", "value": "kapa"}, "cost 'kapa'.*did you mean 'kappa'"),
        ({"cols": "learner,labels", "forget": "Fading(1)"}, "the runs have Cumulative"),
        ({"where": {"labels": "Delay(3)"}}, r"no such value \(did you mean 'Delay\(30\)'\?\)"),
        ({"rows": "metric"}, "metric can only be the columns"),
        ({"cols": "metric,learner"}, "metric cannot stand beside other columns"),
        ({"cols": "metric"}, r"needs a list of values: value=\['kappa'\]"),
        ({"value": []}, "expected a metric or cost, or a list"),
        ({"value": ["kappa", ""]}, "expected a metric or cost, or a list"),
        ({"value": ["kappa", "kapa"]}, "cost 'kapa'.*did you mean 'kappa'"),
        ({"where": {"label": "Delay(3)"}}, "where label: no such key .did you mean 'labels'"),
    ):
        with pytest.raises(sg.UsageError, match=said):
            found.table(**options)
    with pytest.raises(sg.UsageError, match="no run is complete"):
        sg.results(tmp_path).table()
    sg.run_grid(grid(name="one", seeds=1), tmp_path, workers=0)
    sg.run_grid(grid(name="two", seeds=1), tmp_path, workers=0)
    assert len(list(tmp_path.glob("*-*"))) == 4  # the same cells
    with pytest.raises(sg.UsageError, match="has 2 experiments: name one of one, two"):
        sg.results(tmp_path).table()
    assert sg.results(tmp_path, "two").table().rows == ("SEA(300)", "Sine1(200)")


def test_damaged_and_undefined_values_say_why(tmp_path: Path) -> None:
    made = grid(streams=STREAMS, learners=["Majority()", "NaiveBayes()"], seeds=1, name="d")
    sg.run_grid(made, tmp_path, workers=0)
    (tmp_path / made.cells[0].directory / "run.json").write_text("{}")
    text = str(sg.results(tmp_path).table())
    assert "damaged" in text.splitlines()[1]
    assert "leave out 1 row with missing or undefined values: SEA_0 (Majority damaged)." in text
    assert "Left out: 1 damaged run: Majority on SEA_0, labels" in text


def test_verdicts_are_marked_and_explained(tmp_path: Path) -> None:
    made = grid(streams=["SEA(2000)"], learners=["NaiveBayes()", "Persistent()", "Seasonal()"])
    table = (found := sg.run_grid(made, tmp_path, workers=0)).table()
    for j, column in enumerate(table.columns):
        runs = [found.run(learner=column, seed=seed) for seed in (1, 2)]
        words = {
            a.reference: {run.verdict[a.reference].word for run in runs}
            for a in runs[0].verdict.against
        }
        worse = any(each == {"worse"} for each in words.values())
        better = all(each == {"better"} for each in words.values())
        assert table.marks[0, j].word == ("worse" if worse else "better" if better else "open")
    assert [mark.word for mark in table.marks.values()] == ["better", "worse", "worse"]
    assert str(table.marks[0, 1]) == "worse than Majority and 1 more"
    assert (
        "▲ better than all of them, ▼ worse than at least one; otherwise = equal to one"
        in table.details
    )
    assert not set("▲▼○") & set(table.to_text(verdicts=False))


def test_references_are_columns_that_are_not_ranked(found: sg.Results) -> None:
    where = {"labels": "Immediate()"}
    plain, table = found.table(where=where), found.table(where=where, references=True)
    assert table.columns == (
        "NB",
        "Maj",
        "Last",
        "Majority",
        "Persistent",
        "Transition",
        "Seasonal",
    )
    run = found.run(stream="SEA_0", learner="NB", labels="Immediate()", seed=2)
    values = [
        found.run(stream="SEA_0", learner="NB", labels="Immediate()", seed=seed).references
        for seed in (1, 2, 3)
    ]
    assert run.references == values[1]
    assert table.mean[0, 4] == pytest.approx(np.mean([v["Persistent"]["kappa"] for v in values]))
    np.testing.assert_array_equal(table.mean[:, :3], plain.mean)
    assert table.rankings[""].average_ranks == plain.rankings[""].average_ranks
    np.testing.assert_array_equal(table.ranks[:, :3], plain.ranks)
    assert np.isnan(table.ranks[:, 3:]).all()
    turned = found.table(rows="learner", cols="stream", where=where, references=True)
    assert turned.complete.tolist() == [True] * 3 + [False] * 4
    np.testing.assert_allclose(turned.average, plain.mean.mean(axis=1))
    windowed = found.table(value="accuracy", where=where, references=True, forget="Window(1000)")
    last = [
        found.run(stream="SEA_0", learner="NB", labels="Immediate()", seed=seed).curve[
            "accuracy_persistent", "Window(1000)"
        ][-1]
        for seed in (1, 2, 3)
    ]
    assert windowed.mean[0, 4] == pytest.approx(np.mean(last))


def test_costs_have_units_and_csv_has_every_digit(found: sg.Results) -> None:
    where = {"labels": "Immediate()", "learner": ["NB", "Last"]}
    size = found.table(value="model_bytes", where=where)
    assert f"{size.mean[0, 0]:.0f} ± 0 B" in str(size)
    assert repr(float(size.mean[0, 0])) in size.to_csv()
    seconds = found.table(value="seconds", where=where)
    assert " µs" in str(seconds)
    assert "seconds ($\\mu$s) under" in seconds.to_latex()  # one unit, so that numbers align
    assert seconds.to_text(percent=True) == str(seconds)  # a cost is never in per cent
    assert "e-" in str(found.table(value="ram_hours", where=where))


def test_runs_in_memory_are_a_table_with_their_references() -> None:
    runs = sg.evaluate(sg.SEA(300, seed=1), {"one": "NaiveBayes", "two": "Majority"})
    tables = sg.table(runs)
    assert list(tables) == [
        "accuracy", "kappa", "kappa_temporal", "kappa_plus", "seconds", "model_bytes",
    ]  # fmt: skip
    table = tables["kappa"]
    assert table.columns == ("one", "two", "Majority", "Persistent", "Transition", "Seasonal")
    assert table.mean[0, 0] == runs["one"].summary["kappa"]
    assert table.mean[0, 3] == runs["one"].references["Persistent"]["kappa"]
    assert sg.table([*runs, runs["one"]], "kappa")["kappa"].columns[:3] == (
        "one",
        "two",
        "one #2",
    )
    windowed = sg.table(runs, ["error"], forget="Window(1000)", references=False)["error"]
    assert windowed.mean.tolist() == [[run.curve["error", "Window(1000)"][-1] for run in runs]]
    models = sg.evaluate(sg.SEA(300, seed=1), "NaiveBayes", protocol=sg.PrequentialCV(3))
    over = sg.table(models, ["kappa"])["kappa"]
    assert over.columns[0] == "NaiveBayes"
    assert over.mean[0, 0] == pytest.approx(models.mean["kappa"])
    assert over.sd[0, 0] == pytest.approx(models.sd["kappa"])


def test_table_of_runs_refuses_what_is_none() -> None:
    for wrong, said in (([], "no runs"), ([1], "expected runs, got int")):
        with pytest.raises(sg.UsageError, match=said):
            sg.table(wrong)  # type: ignore[arg-type]
    with pytest.raises(sg.UsageError, match=r"'kapa'.*did you mean 'kappa'"):
        sg.table(sg.evaluate("SEA(50)", "Majority"), ["kapa"])


def test_two_runs_of_one_cell_are_named_with_what_differs(tmp_path: Path) -> None:
    def stream(features: int = 1, rows: int = 40, offset: int = 0) -> sg.Stream:
        columns = np.arange(offset, offset + float(rows * features)).reshape(rows, features)
        return sg.from_arrays(columns, np.arange(rows) % 2, name="odd")

    first = sg.evaluate(stream(), "Persistent").save(tmp_path)
    for other, differs in (
        (sg.evaluate(stream(), "Persistent", warmup=5), r"they differ in warmup \((0|5) and"),
        (sg.evaluate(stream(features=2), "Persistent"), r"number of features \((1|2) and"),
        (sg.evaluate(stream(rows=30), "Persistent"), r"rows of the stream \((30|40) and"),
        (sg.evaluate(stream(offset=1), "Persistent"), "settings are equal, so the streams differ"),
    ):
        second = other.save(tmp_path)
        for value in ("kappa", ["accuracy", "kappa"]):  # the stream is a row, or is not shown
            with pytest.raises(sg.UsageError, match=differs) as error:
                sg.results(tmp_path).table(value=value)
            said = str(error.value)
            assert said.startswith("two runs of Persistent on odd with seed 1: ")
            assert str(first) in said
            assert str(second) in said
        shutil.rmtree(second)
