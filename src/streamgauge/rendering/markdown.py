"""Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(lines: Sequence[Sequence[str]]) -> str:
    """Format a Markdown table: the first line is the header, only the first column is left-aligned.

    Pipes in cells are escaped; other Markdown is kept.

    >>> print(markdown_table([["stream", "kappa"], ["a|b", "**0.4**"]]))
    | stream | kappa |
    | --- | ---: |
    | a\\|b | **0.4** |
    """
    header, *body = [[cell.replace("|", r"\|") for cell in line] for line in lines]
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (header, rule, *body))
