"""LaTeX of result tables: own captions keep the notes; tables fit a width."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    folder: Path = tmp_path_factory.mktemp("captions")
    learners = ["NaiveBayes", "HoeffdingTree", "HoeffdingAdaptiveTree", "Majority"]
    grid = sg.Grid(["SEA(400)", "Sine1(400)"], learners, seeds=[1, 2])
    return sg.run_grid(grid, folder, workers=0, progress=False)


def test_own_caption_keeps_the_note_on_spread_and_bold(table: sg.Results) -> None:
    own = table.table().to_latex(caption="Mine.")
    automatic = table.table().to_latex()
    assert r"\caption{Mine.}" in own
    (said,) = [line for line in automatic.splitlines() if line.startswith(r"\caption")]
    note = said.removeprefix(r"\caption{").removesuffix("}")
    assert "Bold" in note
    assert note in own


@pytest.mark.parametrize("value", ["kappa", ["kappa", "seconds"]])
def test_table_fits_a_column(table: sg.Results, value: str | list[str]) -> None:
    latex = table.table(value=value).to_latex(width="column")
    assert r"\footnotesize" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") >= 1
