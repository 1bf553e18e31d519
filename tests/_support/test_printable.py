"""Text that is safe to show."""

from __future__ import annotations

import pytest

from streamgauge._support.printable import printable, printable_lines, printed
from tests.hostile_text import HOSTILE, problems


@pytest.mark.parametrize(
    "text",
    ["", "plain", "naïve Bayes ± 5 % · χ²", "流れ　データ", "العربية", "emoji 🌊", "no\u00a0break",
     "back\\slash", "$x$ [red] <b>"],
)  # fmt: skip
def test_usual_text_stays(text: str) -> None:
    assert printable(text) == printable_lines(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\r\tb\0", r"a\r\tb\x00"),
        ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
        ("\x9b2J\x7f\x85", r"\x9b2J\x7f\x85"),
        ("a\u2028b\u2029c", r"a\u2028b\u2029c"),
        ("file\udcff", r"file\udcff"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_is_not_shown_as_itself_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable_lines(text) == shown.replace(r"\t", "\t")


def test_lines_are_kept_only_where_asked_for() -> None:
    assert printable("a\nb") == r"a\nb"
    assert printable_lines("a\nb\x07\n\n") == "a\nb\\x07\n\n"
    assert problems(printable(HOSTILE)) == []


def test_printed_makes_a_string_method_safe() -> None:
    class Thing:
        @printed
        def __str__(self) -> str:
            return "one\ntwo\x1b"

    assert str(Thing()) == "one\ntwo\\x1b"
