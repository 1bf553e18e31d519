"""Markdown tables."""

from __future__ import annotations

from streamgauge.rendering.markdown import markdown_table


def test_header_rule_and_escaped_pipes() -> None:
    lines = [["stream", "NB", "HT"], ["a|b", "**0.4**", "0.3"]]
    assert markdown_table(lines).splitlines() == [
        "| stream | NB | HT |",
        "| --- | ---: | ---: |",
        r"| a\|b | **0.4** | 0.3 |",
    ]
