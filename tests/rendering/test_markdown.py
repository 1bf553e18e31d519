"""Markdown tables."""

from __future__ import annotations

import pytest

from streamgauge.rendering.markdown import bold, escape, markdown_table, sheet_markdown
from streamgauge.rendering.sheet import Sheet, SheetCell, words


def test_header_rule_and_escaped_pipes() -> None:
    lines = [["stream", "NB", "HT"], [escape("a|b"), bold("0.4"), "0.3"]]
    assert markdown_table(lines).splitlines() == [
        "| stream | NB | HT |",
        "| --- | ---: | ---: |",
        r"| a\|b | **0.4** | 0.3 |",
    ]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("table[:300] · SEA(5, x_y=1)", "table[:300] · SEA(5, x_y=1)"),
        ("<script>", r"\<script>"),
        ("[a](javascript:x)", r"[a\](javascript:x)"),
        ("![a](x)", r"![a\](x)"),
        ("`code` *a* **b** ~~c~~", r"\`code\` \*a\* \*\*b\*\* \~\~c\~\~"),
        ("_a_ __b__ a_b", r"\_a\_ \_\_b\_\_ a_b"),
        ("&lt; &#60; a & b", r"\&lt; \&#60; a & b"),
        ("https://x.y www.x.y", r"https:\//x.y www\.x.y"),
        ("a\\|b", r"a\\\|b"),
        ("a\n\n# b\r\x1b[31m\u202e", r"a\\n\\n# b\\r\\x1b[31m\\u202e"),
    ],
)
def test_text_stays_text(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_sheet_is_a_table_with_bold_cells_and_marks() -> None:
    sheet = Sheet(
        ["s", "k", "why"],
        [[[words("a|b"), SheetCell("1.0", "0.1", best=True, mark="worse"), words("<b>")]]],
        ["a *note*"],
        spans=[("", 1), ("N_B", 1), ("", 1)],
    )
    assert sheet_markdown(sheet).splitlines() == [
        "| s | N_B k | why |",
        "| --- | ---: | --- |",
        r"| a\|b | **1.0 ± 0.1** ▼ | \<b> |",
        "",
        r"a \*note\*",
    ]
