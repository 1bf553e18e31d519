"""Tables of an experiment, against values computed from single runs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.experiments._store import Failure, Store
from tests.experiments.stores import grid

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
    return sg.run(made, tmp_path_factory.mktemp("store"), workers=0)


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
    text = str(table)
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
    assert windowed.lower_is_better
    first = int(np.argmin(windowed.mean[0]))
    assert windowed.to_text().splitlines()[1].count("*") >= 1
    assert windowed.ranks[0, first] == windowed.ranks[0].min()
    cost = found.table(value="model_bytes", where={"labels": "Immediate()"})
    assert cost.lower_is_better
    assert not found.table(value="rows_per_second", cols="learner,labels").lower_is_better


def test_missing_and_failed_cells_are_shown(found: sg.Results, tmp_path: Path) -> None:
    made = grid(streams=STREAMS, learners=LEARNERS, seeds=3)
    sg.run(made, tmp_path, workers=0)
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
    assert " - " in lines[1]
    assert "Averages, ranks and tests leave out 1 row with missing or undefined values" in str(
        table
    )
    assert "No tests" in str(table)
    for cell in gone:
        (tmp_path / f".{cell.directory}").rename(tmp_path / cell.directory)
    made = grid(streams=STREAMS, learners={**LEARNERS, "Lost": "KNN(n_neighbors=3)"}, seeds=3)
    lost = next(c for c in made.cells if c.learner == "Lost" and c.stream == "SEA_0")
    sg.run(grid(streams=STREAMS, learners=LEARNERS, seeds=3), tmp_path, workers=0)
    Store(tmp_path).write_plan(made.spec, made.cells)
    Store(tmp_path).keep_failure(lost, Failure(lost.id, "timeout", "too slow"))
    assert "failed" in str(sg.results(tmp_path).table()).splitlines()[1]


def test_undefined_values_are_not_numbers(tmp_path: Path) -> None:
    made = grid(streams=STREAMS, learners=["Majority()", "NaiveBayes()"], seeds=1, warmup=100)
    table = sg.run(made, tmp_path, workers=0).table(value="precision[0]")
    assert math.isnan(table.mean[0, 0])  # never predicted
    assert "undefined" in str(table)
    assert "one seed" in str(table)


def test_latex_markdown_and_csv(found: sg.Results) -> None:
    table = found.table(where={"labels": "Delay(30)"})
    latex = table.to_latex(digits=1, percent=True, ranks=True)
    assert latex.startswith("\\begin{tabular}{lrrr}\n\\toprule\nstream & NB & Maj & Last \\\\\n")
    assert "SEA\\_0 & \\textbf{" in latex
    assert (
        f"\\textbf{{{100 * table.mean[0, 0]:.1f} $\\pm$ {100 * table.sd[0, 0]:.1f} (1)}}" in latex
    )
    assert "Friedman $\\chi^2$ = " in latex
    assert latex.count("\\midrule") == 2
    markdown = table.to_markdown().splitlines()
    assert markdown[0] == "| stream | NB | Maj | Last |"
    assert markdown[1] == "| --- | ---: | ---: | ---: |"
    assert markdown[2].startswith(f"| SEA_0 | **{table.mean[0, 0]:.3f} ± {table.sd[0, 0]:.3f}** |")
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
    text = table.to_text(ranks=True)
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
        ({"where": {"label": "Delay(3)"}}, "where label.*: expected one of stream"),
    ):
        with pytest.raises(sg.UsageError, match=said):
            found.table(**options)
    with pytest.raises(sg.UsageError, match="no run is complete"):
        sg.results(tmp_path).table()
    sg.run(grid(name="one", seeds=1), tmp_path, workers=0)
    sg.run(grid(name="two", seeds=1), tmp_path, workers=0)
    assert len(list(tmp_path.glob("*-*"))) == 4  # the same cells
    with pytest.raises(sg.UsageError, match="has 2 experiments: name one of one, two"):
        sg.results(tmp_path).table()
    assert sg.results(tmp_path, "two").table().rows == ("SEA(300)", "Sine1(200)")
