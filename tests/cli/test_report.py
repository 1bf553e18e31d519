"""streamgauge report."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Shell


def test_writes_a_page_of_saved_runs(shell: Shell) -> None:
    shell("evaluate", "table.csv", "--rows", "300", "--save", "results")
    code, out, err = shell("report")
    assert (code, err) == (0, "")
    size = Path("report.html").stat().st_size
    assert out == f"Page with 1 run written to report.html ({size / 1e6:.1f} MB)\n"
    assert size < 1_200_000
    page = Path("report.html").read_text(encoding="utf-8")
    assert "<h2" in page


def test_names_runs_that_cannot_be_used(shell: Shell) -> None:
    shell("evaluate", "table.csv", "--rows", "300", "--save", "results")
    shell("evaluate", "table.csv", "--rows", "200", "--save", "results")
    victim = sorted(Path("results").glob("*/run.json"))[0]
    victim.write_text("{}")
    code, out, _ = shell("report", "results", "-o", "pages/x.html", "--metric", "kappa")
    assert code == 0
    assert f"damaged: {victim.parent.name}" in out
    code, _, err = shell("report", str(victim.parent))
    assert code == 2
    assert "no run can be used" in err


def test_errors_are_in_words(shell: Shell) -> None:
    code, _, err = shell("report", "nowhere")
    assert code == 2
    assert "nowhere: no such folder" in err
    Path("empty").mkdir()
    code, _, err = shell("report", "empty")
    assert code == 2
    assert "has no runs and no experiment" in err
    shell("evaluate", "table.csv", "--rows", "300", "--save", "results")
    run = str(next(iter(Path("results").iterdir())))
    code, _, err = shell("report", run, "results")
    assert code == 2
    assert "results: not a saved run; give a folder of results by itself" in err
    code, _, err = shell("report", run, "--experiment", "x")
    assert code == 2
    assert "only a folder of results has experiments" in err
    code, _, err = shell("report", run, "--metric", "kapa", "-o", "kapa.html")
    assert code == 2
    assert "this run has no metric 'kapa'" in err
