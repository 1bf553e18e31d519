"""Plain-text tables."""

from __future__ import annotations

import math

from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.rendering.text_table import align, rate, sheet_text


def test_first_column_is_left_aligned_and_others_right() -> None:
    assert align([["", "kappa"], ["NaiveBayes", "0.4"]]).splitlines() == [
        "            kappa",
        "NaiveBayes    0.4",
    ]


def test_chosen_columns_are_left_aligned_without_trailing_spaces() -> None:
    lines = [["a", "1", "long words"], ["bb", "22", "x"]]
    assert align(lines, left=(0, 2)).splitlines() == ["a    1  long words", "bb  22  x"]


def test_rate_uses_units() -> None:
    shown = [rate(each) for each in (5_100_000.0, 12_000.0, 87.4, math.nan)]
    assert shown == ["5.1M", "12.0k", "87", "-"]


def test_sheet_has_stars_marks_and_texts_above() -> None:
    sheet = Sheet(
        ["s", "k", "t", "k", "t"],
        [
            [
                [
                    words("a"),
                    SheetCell("1.0", best=True, mark="better"),
                    SheetCell("20"),
                    SheetCell("0.5"),
                    SheetCell("3"),
                ]
            ]
        ],
        ["note\x1b"],
        spans=[("", 1), ("NB", 2), ("HT", 2)],
    )
    assert sheet_text(sheet).splitlines() == [
        "   NB         HT",
        "s    k     t    k    t",
        "a  1.0*▲  20  0.5    3",
        "",
        "note\\x1b",
    ]
    assert sheet_text(Sheet(["s", "k"], [[[words("a"), SheetCell("1")]]])) == "s  k\na  1"
