"""Comparisons and rankings as LaTeX tables and in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from streamgauge.comparison._rank_text import (
    learner_lines,
    ranking_header,
    ranking_sentences,
    score_details,
)
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
    from streamgauge.comparison.ranking import Ranking
    from streamgauge.comparison.result import Comparison


def ranking_latex(ranking: Ranking, caption: str | None, label: str) -> str:
    """The learners by rank; the tests in words below."""
    sheet = sheet_of(learner_lines(ranking), ranking_sentences(ranking))
    about = escape(ranking_header(ranking))
    return sheet_latex(sheet, about if caption is None else caption, label)


def ranking_html(ranking: Ranking) -> str:
    """What the tests say, the learners by rank, the diagram."""
    details = score_details(ranking)
    answer = ranking_sentences(ranking)[len(details) :]
    sheet = sheet_of(learner_lines(ranking), [ranking_header(ranking), *details])
    return notebook_html(answer, sheet, ranking)


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
