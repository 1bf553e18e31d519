"""Several values in one table: learners × metrics with references, and several per cell."""

from __future__ import annotations

import csv
import io

import pytest

import streamgauge as sg
from tests.experiments.stores import grid
from tests.hostile_text import hostile, problems

VALUES = ["accuracy", "kappa_temporal", "seconds", "model_bytes"]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    made = grid(learners={"NB": "NaiveBayes()", "HT": "HoeffdingTree()"}, seeds=2)
    return sg.run_grid(made, tmp_path_factory.mktemp("store"), workers=0)


def test_lines_are_learners_then_references_of_each_stream(found: sg.Results) -> None:
    tables = found.table(value=VALUES)
    assert list(tables) == VALUES
    assert tables["accuracy"].mean[0, 0] == found.table(value="accuracy").mean[0, 0]
    lines = tables.to_text().splitlines()
    assert lines[0].split() == ["stream", "learner", "against", "references", *VALUES]
    names = ["NB", "HT", "Majority", "Persistent", "Transition", "Seasonal"]
    assert [line[12:].split()[0] for line in lines[1:19]] == names * 3
    assert [line[:12].strip() for line in lines[1:19:6]] == ["SEA(300)", "Sine1(200)", "average"]
    best = max(tables["accuracy"].mean[0])
    assert f"{best:.3f} ± " in next(line for line in lines[1:7] if "*" in line)
    assert " µs" in lines[1]
    assert " kB" in lines[2]
    assert lines[3].split()[1] == "reference"
    assert "* best of its stream. Lower is better: seconds and model_bytes." in tables.to_text()
    assert "open: the errors depend on each other" in tables.details
    assert "against" not in tables.to_text(verdicts=False).splitlines()[0]


def test_one_stream_and_other_orders_of_lines(found: sg.Results) -> None:
    one = found.table(value=VALUES, where={"stream": "SEA(300)"}).to_text().splitlines()
    assert one[0].split()[0] == "learner"
    assert "All runs: SEA(300)." in one
    assert not any(line.startswith("average") for line in one)
    turned = found.table("learner", "metric", ["accuracy"]).to_text().splitlines()
    assert turned[0].split()[:2] == ["learner", "stream"]
    assert [line.split()[0] for line in turned[1:4]] == ["NB", "Sine1(200)", "HT"]
    single = found.table(cols="metric", value=["kappa"])  # one value, as a column
    assert list(single) == ["kappa"]
    without = found.table(value=VALUES, references=False)
    assert "Persistent" not in without.to_text().split("\n\n", maxsplit=1)[0]


def test_several_values_stand_under_each_column(found: sg.Results) -> None:
    tables = found.table(rows="stream", value=["accuracy", "seconds"])
    lines = tables.to_text().splitlines()
    assert lines[0].split() == ["NB", "HT"]
    assert lines[1].split() == ["stream", "accuracy", "seconds", "accuracy", "seconds"]
    assert lines[0].index("HT") <= lines[1].rindex("accuracy")
    assert lines[4].startswith("average")
    assert tables.to_markdown().splitlines()[0] == (
        "| stream | NB accuracy | NB seconds | HT accuracy | HT seconds |"
    )
    latex = tables.to_latex(caption="Mine", label="tab:mine")
    assert "\\caption{Mine}\n\\label{tab:mine}" in latex
    assert "{accuracy}" in latex
    assert "{seconds ($\\mu$s)}" in latex


def test_csv_has_raw_numbers_and_verdicts(found: sg.Results) -> None:
    tables = found.table(value=VALUES)
    head, *lines = csv.reader(io.StringIO(tables.to_csv()))
    assert head[:5] == ["stream", "learner", "accuracy", "accuracy sd", "accuracy runs"]
    assert head[-1] == "verdict"
    assert len(lines) == 12
    assert float(lines[1][8]) == tables["seconds"].mean[0, 1]
    assert {line[-1] for line in lines} <= {"better", "worse", "open", "reference"}
    assert lines[2][8] == ""  # a reference has no cost
    wide = list(csv.reader(io.StringIO(found.table("stream", value=["kappa", "error"]).to_csv())))
    assert wide[0][:4] == ["stream", "NB kappa", "NB kappa sd", "NB kappa runs"]
    assert float(wide[1][4]) == found.table(value="error").mean[0, 0]


def test_hostile_names_stay_in_their_place(tmp_path_factory: pytest.TempPathFactory) -> None:
    learners = {hostile("a"): "NaiveBayes()", hostile("b"): "Majority()"}
    streams = [{"generate": "SEA(100)", "name": hostile("s")}]
    made = grid(streams=streams, learners=learners, seeds=1)
    found = sg.run_grid(made, tmp_path_factory.mktemp("hostile"), workers=0)
    for tables in (found.table(value=["kappa", "seconds"]), found.table("stream", value=["kappa"])):
        for shown in (tables.to_text(), tables.to_markdown(), tables.to_latex()):
            assert problems(shown) == []
        html = tables._repr_html_()
        assert problems(html) == []
        assert "<script" not in html
        assert "</b>" not in html
