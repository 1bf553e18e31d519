"""LaTeX tables that fit the width of a column or a page."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge._support.print_widths import INCHES
from streamgauge.rendering.latex import sheet_latex, sheet_points
from streamgauge.rendering.sheet import Sheet, SheetCell, words


def sheet(columns: int, lines: int, name: str = "HoeffdingAdaptiveTree", names: int = 1) -> Sheet:
    header = [*("stream" for _ in range(names)), *(f"{name}{i}" for i in range(columns))]
    cells = [SheetCell("0.512", "0.013", mark="better") for _ in range(columns)]
    body = [[*(words(f"s{i}") for _ in range(names)), *cells] for i in range(lines)]
    return Sheet(header, [body], ["Bold: best of a stream."], names)


def tabulars(latex: str) -> list[list[str]]:
    """The header of each tabular, by its names."""
    lines = latex.splitlines()
    return [
        lines[i + 2].removesuffix(r" \\").split(" & ")
        for i, line in enumerate(lines)
        if line.startswith(r"\begin{tabular}")
    ]


@pytest.mark.parametrize("columns", [2, 8, 30])
def test_without_a_width_a_table_stays_as_it_is(columns: int) -> None:
    (header,) = tabulars(sheet_latex(sheet(columns, 3), "c", "tab:a"))
    assert len(header) == 1 + columns


def test_a_table_that_fits_is_not_changed() -> None:
    small = sheet(2, 3, name="NB")
    assert sheet_latex(small, "c", "tab:a", "column") == sheet_latex(small, "c", "tab:a")


def test_many_learners_on_few_streams_are_turned_over() -> None:
    latex = sheet_latex(sheet(8, 2), "c", "tab:a", "column")
    (header,) = tabulars(latex)
    assert len(header) == 3
    assert latex.count("HoeffdingAdaptiveTree") == 8
    assert "Rows and columns are exchanged" in latex


def test_a_wide_and_short_table_of_a_page_is_set_sideways() -> None:
    wide = sheet(8, 12, name="Tree")
    assert INCHES["page"] * 72.27 < sheet_points(wide)
    latex = sheet_latex(wide, "c", "tab:a", "page")
    assert r"\begin{sidewaystable}" in latex
    assert r"\usepackage{rotating}" in latex


@pytest.mark.parametrize("width", sorted(INCHES))
def test_what_fits_in_no_other_way_is_split_into_parts_that_fit(width: str) -> None:
    whole = sheet(20, 30, names=2)
    latex = sheet_latex(whole, "c", "tab:a", width)
    found = tabulars(latex)
    assert len(found) > 1
    assert all(header[:2] == ["stream", "stream"] for header in found)
    assert sum(len(header) - 2 for header in found) == 20
    assert latex.count(r"\caption{c}") == latex.count("Bold: best") == 1
    for i in range(20):
        assert f"HoeffdingAdaptiveTree{i}}}" in latex


def test_a_long_table_goes_over_pages_and_repeats_its_head() -> None:
    latex = sheet_latex(sheet(2, 80, name="NB"), "c", "tab:a", "page")
    assert r"\begin{longtable}" in latex
    assert latex.count("NB0") == 2
    assert latex.index(r"\endfirsthead") < latex.index(r"\endhead")
    assert "Bold: best" in latex
    assert latex.count(r"\begin") == latex.count(r"\end{") + latex.count(r"\endgroup")


def test_unknown_width() -> None:
    with pytest.raises(sg.UsageError, match="did you mean 'column'"):
        sheet_latex(sheet(2, 2), "c", "tab:a", "colum")


def test_transposed_sheet_has_the_same_cells() -> None:
    before = sheet(3, 2)
    after = before.transposed()
    assert after is not None
    assert [line[1] for line in after.lines] == list(before.lines[0][1:])
    assert after.header == ["stream", "s0", "s1"]
    assert sheet(3, 2, names=2).transposed() is None
