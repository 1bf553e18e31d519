"""Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from streamgauge._support.printable import printable
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell

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


def sheet_markdown(sheet: Sheet) -> str:
    """A sheet as a Markdown table: the best cells are bold, the marks of verdicts behind them."""
    lines = [
        list(map(escape, _full_header(sheet))),
        *([_cell(cell) for cell in line] for line in sheet.lines),
    ]
    left = [i for i in range(len(sheet.header)) if sheet.is_text(i)]
    notes = [f"\n{escape(note)}" for note in sheet.notes]
    return "\n".join([markdown_table(lines, left), *notes])


def _full_header(sheet: Sheet) -> list[str]:
    """The header with the texts above it, since Markdown has one line for both."""
    above = [text for text, count in sheet.spans for _ in range(count)] or [""] * len(sheet.header)
    return [f"{over} {text}".strip() for over, text in zip(above, sheet.header, strict=True)]


def _cell(cell: SheetCell) -> str:
    text = bold(cell.plain) if cell.best else escape(cell.plain)
    return f"{text} {MARKS[cell.mark]}" if cell.mark else text


def markdown_table(lines: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Format a Markdown table: a header, then lines; the columns in `left` are left-aligned.

    Cells must already be escaped.

    >>> print(markdown_table([["stream", "kappa"], [escape("a|b"), bold("0.4")]]))
    | stream | kappa |
    | --- | ---: |
    | a\\|b | **0.4** |
    """
    header, *body = lines
    rule = ["---" if i in left else "---:" for i in range(len(header))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (header, rule, *body))
