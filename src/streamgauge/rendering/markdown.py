"""Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamgauge._support.printable import printable

# What has a meaning inside a line: code, emphasis, links, HTML, entities, cells of a table.
_SPECIAL = re.compile(
    r"[\\`*<|~]|\](?=\()|(?<![^\W_])_|_(?![^\W_])|&(?=#|\w)|(?<=:)//|(?<=www)\.", re.IGNORECASE
)


def escape(text: str) -> str:
    r"""Escape plain text for Markdown: no link, no HTML, nothing but text.

    >>> print(escape("<b> snake_case, *x* | [y](https://z)"))
    \<b> snake_case, \*x\* \| [y\](https:\//z)
    """
    return _SPECIAL.sub(r"\\\g<0>", printable(text))


def bold(text: str) -> str:
    """Escape plain text and set it in bold."""
    return f"**{escape(text)}**"


def markdown_table(lines: Sequence[Sequence[str]]) -> str:
    """Format a Markdown table: the first line is the header, only the first column is left-aligned.

    Cells must already be escaped.

    >>> print(markdown_table([["stream", "kappa"], [escape("a|b"), bold("0.4")]]))
    | stream | kappa |
    | --- | ---: |
    | a\\|b | **0.4** |
    """
    header, *body = lines
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (header, rule, *body))
