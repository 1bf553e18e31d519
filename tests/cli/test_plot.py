"""streamgauge plot, and --plot of other verbs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import streamgauge as sg
from tests.cli.running import Shell


@pytest.fixture
def saved(shell: Shell, tmp_path: Path) -> list[str]:
    learners = [sg.NaiveBayes(), sg.HoeffdingTree()]
    runs = sg.evaluate(sg.SEA(1500, seed=1), learners, every=100)
    return [str(run.save(tmp_path / "results").relative_to(tmp_path)) for run in runs]


def test_curves_of_saved_runs(shell: Shell, saved: list[str]) -> None:
    code, out, err = shell("plot", *saved, "--metric", "kappa", "-o", "new/curve.svg")
    assert (code, err) == (0, "")
    assert "SEA(1500, seed=1): kappa, Window(1000)" in out
    assert "NaiveBayes against Majority: better" in out
    assert "Figure saved to new/curve.svg" in out
    text = Path("new/curve.svg").read_text(encoding="utf-8")
    assert "NaiveBayes" in text
    assert "HoeffdingTree" in text


def test_store_is_drawn_by_the_names_of_the_experiment(shell: Shell) -> None:
    learners = {"bayes": "NaiveBayes", "tree": "HoeffdingTree", "other": "Majority"}
    grid = sg.Grid(["SEA(600)", "LED(600)"], learners, seeds=2)
    sg.run_grid(grid, "store", workers=0)
    asked = ("plot", "store", "--where", "stream=SEA(600)", "-o", "curve.svg")
    code, _, err = shell(*asked, "--where", "learner!=other")
    assert (code, err) == (0, "")
    text = Path("curve.svg").read_text(encoding="utf-8")
    assert "bayes" in text
    assert "tree" in text
    assert "other" not in text
    code, _, err = shell(*asked[:-2], "-o", "curve.svg", "--where", "learner=oter")
    assert code == 2
    assert "did you mean 'other'?" in err


def test_forgettings_zoom_and_page(shell: Shell, saved: list[str]) -> None:
    options = ["--forget", "Cumulative()", "--forget", "Window(1000)", "--zoom", "--no-references"]
    code, _, err = shell("plot", saved[0], *options, "--output", "curve.html")
    assert (code, err) == (0, "")
    page = Path("curve.html").read_text(encoding="utf-8")
    assert "drag to zoom" in page
    assert "Persistent" not in page


def test_damaged_run_is_named_and_left_out(shell: Shell, saved: list[str]) -> None:
    (Path(saved[0]) / "curve.parquet").write_bytes(b"PAR1")
    code, out, err = shell("plot", *saved, "-o", "curve.svg")
    assert code == 0
    assert err.startswith(f"streamgauge: left out: {Path(saved[0]).absolute() / 'curve.parquet'}")
    assert "HoeffdingTree is better than" in out
    code, _, err = shell("plot", saved[0], "-o", "curve.svg")
    assert code == 2
    assert "no run is left to draw" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "curve.tiff"], "cannot save a figure as .tiff; expected one of .pdf, .svg, .png"),
        (["-o", "curve.svg", "--metric", "kapa"], "no metric 'kapa' (did you mean 'kappa'?)"),
        (["-o", "curve.svg", "--forget", "Window(7)"], "did not keep Window(7); it has"),
        (["nothing", "-o", "curve.svg"], "nothing: not a saved run; expected a directory with"),
        (["-o", "table.csv/curve.svg"], "cannot write the figure"),
        ([], "Missing option '--output'"),
    ],
)
def test_wrong_arguments(
    shell: Shell, saved: list[str], arguments: list[str], message: str
) -> None:
    code, _, err = shell("plot", saved[0], *arguments)
    assert code == 2
    assert message in err


def test_without_altair_the_pip_line_comes_before_the_work(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    code, out, err = shell("evaluate", "table.csv", "--target", "y", "--plot", "curve.svg")
    assert (code, out) == (2, "")
    assert "pip install 'streamgauge[plot]'" in err


def test_evaluate_draws_its_runs(shell: Shell) -> None:
    code, out, err = shell("evaluate", "table.csv", "--target", "y", "--plot", "curve.pdf")
    assert code == 0, err
    assert out.rstrip().endswith("curve.pdf")
    assert Path("curve.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.long
def test_compare_and_rank_draw(shell: Shell, saved: list[str]) -> None:
    code, out, err = shell("compare", *saved, "Persistent", "--plot", "pair.svg")
    assert code == 0, err
    assert "Figure saved to pair.svg" in out
    assert "McNemar" in Path("pair.svg").read_text(encoding="utf-8")
    Path("scores.csv").write_text("stream,A,B\nx,1,2\ny,2,3\nz,1,3\n")
    code, out, err = shell("rank", "scores.csv", "--plot", "ranks.svg")
    assert code == 0, err
    assert "CD = " in Path("ranks.svg").read_text(encoding="utf-8")


def test_drift_draws_its_detectors(shell: Shell) -> None:
    arguments = ["detect", "table.csv", "--target", "y", "--detector", "DDM"]
    code, out, err = shell(*arguments, "--plot", "alarms.svg")
    assert code == 0, err
    assert "Figure saved to alarms.svg" in out
    assert "DDM()" in Path("alarms.svg").read_text(encoding="utf-8")


def test_inspect_draws_the_profile(shell: Shell) -> None:
    code, out, err = shell("inspect", "table.csv", "--target", "y", "--plot", "labels.svg")
    assert code == 0, err
    assert "Figure saved to labels.svg" in out
    assert "the order of the labels" in Path("labels.svg").read_text(encoding="utf-8")
    code, _, err = shell("inspect", "table.csv", "--target", "y", "--plot", "labels.txt")
    assert code == 2
    assert "labels.txt" in err
