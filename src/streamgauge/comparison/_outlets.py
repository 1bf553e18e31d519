"""Comparisons as LaTeX tables and in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from streamgauge.comparison._text import (
    comparison_header,
    comparison_sentences,
    number_lines,
    number_notes,
)
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.latex import escape, sheet_latex
from streamgauge.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from streamgauge.comparison.result import Comparison


def comparisons_latex(pairs: Sequence[Comparison], caption: str | None, label: str) -> str:
    """Losses and statistics of all pairs; the answers in words below."""
    sheet = sheet_of(number_lines(pairs), [*_answers(pairs), *number_notes(pairs)])
    about = escape(comparison_header(pairs[0]))
    return sheet_latex(sheet, about if caption is None else caption, label)


def comparisons_html(pairs: Sequence[Comparison], shown: Any) -> str:
    """The answers, the numbers, the figure of `shown`; of one pair every test in words."""
    words = comparison_sentences(pairs[0]) if len(pairs) == 1 else _answers(pairs)
    sheet = sheet_of(number_lines(pairs), [comparison_header(pairs[0]), *number_notes(pairs)])
    return notebook_html(words, sheet, shown, answers=len(pairs))


def _answers(pairs: Sequence[Comparison]) -> list[str]:
    return [comparison_sentences(pair)[0] for pair in pairs]
