"""Start-up: help, version and the figure of a saved run import no more than they need."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support import registry
from tests.cli.running import Shell, run

HEAVY = ("numba", "numpy", "pyarrow", "pandas", "polars", "river", "scipy", "sklearn", "rich")
MEASURE = f"""
import sys
from streamgauge.cli import main
try:
    main()
except SystemExit as end:
    print("code", end.code)
print("heavy", [name for name in {HEAVY} if name in sys.modules])
"""


def test_help_imports_nothing_heavy_and_names_every_verb(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "--help", code=MEASURE)
    assert (code, err) == (0, "")
    assert out.splitlines()[-2:] == ["code 0", "heavy []"]
    assert [verb for verb in registry.names("verb") if verb not in out] == []


def test_figure_of_a_saved_run_imports_no_kernels(tmp_path: Path) -> None:
    again = sg.Reevaluate(every=10, bins=5)
    run_of_bins = sg.evaluate(sg.SEA(1500), sg.NaiveBayes(), labels=sg.Delay(50), reevaluate=again)
    saved = run_of_bins.save(tmp_path)
    code, out, err = run(tmp_path, "plot", str(saved), "-o", "curve.html", code=MEASURE)
    assert (code, err) == (0, "")
    assert (tmp_path / "curve.html").is_file()
    heavy = out.splitlines()[-1]
    assert heavy == "heavy ['numpy', 'pyarrow']"


@pytest.mark.parametrize("verb", registry.names("verb"))
def test_every_verb_has_help(shell: Shell, verb: str) -> None:
    code, out, _ = shell(verb, "--help")
    assert code == 0
    assert "--debug" in out or "COMMAND" in out  # its commands have it
    assert "Usage: streamgauge" in out


def test_version_and_missing_verb(shell: Shell) -> None:
    assert shell("--version") == (0, f"{sg.__version__}\n", "")
    code, out, err = shell()
    assert code == 2
    assert "Usage: streamgauge" in out + err
