"""Text fits the width: sentences wrap at words, numbers stay whole, tables fold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from streamgauge.rendering.layout import folded, text_width, wide, wrap
from streamgauge.rendering.text_table import align

words = st.lists(st.text("abc.,%", min_size=1, max_size=12), max_size=40).map(" ".join)


@given(words, st.integers(20, 100))
def test_wrapping_loses_nothing_and_fits(text: str, width: int) -> None:
    shown = wrap(text, width)
    assert shown.split() == text.split()
    assert all(len(line) <= width for line in shown.split("\n"))


def test_numbers_are_not_torn_apart() -> None:
    text = "It is right in 85.3 % of 1,700 rows, 0.5 ± 0.1, from −0.4 to 5.0, p = 0.01, ○ open."
    pieces = ("85.3 %", "0.5 ± 0.1", "−0.4 to 5.0", "p = 0.01", "○ open", "1,700 rows")
    for width in range(20, 60):
        lines = wrap(text, width).split("\n")
        for piece in pieces:
            assert any(piece in line for line in lines)


def test_wrapped_lines_keep_their_indent() -> None:
    assert wrap("  one two three", 9) == "  one two\n  three"


def test_tables_fold_their_columns_below_each_other() -> None:
    lines = [["", *"abcdefgh"], ["learner", *["0.123456"] * 8]]
    whole = align(lines)
    with wide(40):
        text = align(lines)
        assert text_width() == 40
    assert max(map(len, text.split("\n"))) <= 40 < max(map(len, whole.split("\n")))
    assert text.count("learner") > 1
    assert text.count("0.123456") == 8


def test_long_names_stand_above_their_lines() -> None:
    lines = [["", "kappa", "rows"], ["a_very_long_name_of_a_learner_indeed", "0.428", "12"]]
    with wide(44):
        assert align(lines).split("\n") == [
            "  kappa  rows",
            "a_very_long_name_of_a_learner_indeed",
            "  0.428    12",
        ]


@given(st.lists(st.integers(1, 15), min_size=2, max_size=12), st.integers(40, 60))
def test_each_column_is_in_one_part(widths: list[int], limit: int) -> None:
    parts = folded(widths, 1, limit)
    assert sorted(i for part in parts for i in part[1:]) == list(range(1, len(widths)))
    assert all(part[0] == 0 for part in parts)
    assert all(sum(widths[i] + 2 for i in part) - 2 <= limit for part in parts)
