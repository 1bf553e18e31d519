"""Sheets: what is a number, what is text, and how a cell reads."""

from __future__ import annotations

import pytest

from streamgauge.rendering.sheet import Sheet, SheetCell, sheet_of, words


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.428", True), ("-1", True), ("−0.5", True), ("+3", True), ("73.6 %", False), ("", False),
        ("1,234", False), ("5.1M", False), ("nan", False), ("inf", False), ("< 0.0001", False),
        ("undefined", False), ("1_0", False), ("1e5", False), ("٣", False),
    ],
)  # fmt: skip
def test_only_plain_numbers_are_numbers(text: str, number: bool) -> None:
    assert sheet_of([["", "x"], ["a", text]]).lines[0][1].number is number


def test_columns_of_words_are_text_and_columns_of_figures_are_not() -> None:
    sheet = sheet_of([["", "a", "b", "c"], ["x", "73.6 %", "better", "-"], ["y", "-", "", "> 9"]])
    assert [sheet.is_text(i) for i in range(4)] == [True, False, True, False]


def test_cell_in_one_string() -> None:
    assert SheetCell("1.2", "0.1", "ms", " [1/2]").plain == "1.2 ± 0.1 ms [1/2]"
    sheet = Sheet(
        ["", "a"], [[[words("x"), SheetCell("1")]], [[words("y"), SheetCell("2", mark="open")]]]
    )
    assert (len(sheet.lines), sheet.has_best, sheet.has_marks) == (2, False, True)
