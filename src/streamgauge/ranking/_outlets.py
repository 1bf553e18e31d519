"""Rankings as LaTeX tables and in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamgauge.ranking._text import (
    learner_lines,
    ranking_header,
    ranking_sentences,
    score_details,
)
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.latex import escape, sheet_latex
from streamgauge.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from streamgauge.ranking.ranking import Ranking


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
