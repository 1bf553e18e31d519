"""A ranking as text: which learners differ, then the ranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import join_words, p_text, plural

if TYPE_CHECKING:
    from streamgauge.comparison.ranking import Ranking

_SHOWN_PAIRS = 6


def show_ranking(ranking: Ranking) -> str:
    """The answer, the tests, the learners."""
    return "\n\n".join([_header(ranking), "\n".join(_sentences(ranking)), _learners(ranking)])


def _header(ranking: Ranking) -> str:
    n, k = ranking.ranks.shape
    parts = [plural(k, "learner"), plural(n, "stream")]
    parts.append(f"{'lower' if ranking.lower_is_better else 'higher'} scores are better")
    if ranking.dropped:
        parts.append(f"{plural(len(ranking.dropped), 'stream')} left out, scores were missing")
    return " · ".join(parts)


def _sentences(ranking: Ranking) -> list[str]:
    best, *others = ranking.average_ranks
    ranks = ranking.average_ranks
    beaten = [name for name in others if ranks[name] - ranks[best] > ranking.critical_difference]
    if math.isnan(ranking.friedman.p):
        return ["All learners tie on every stream: no test can find a difference."]
    if len(beaten) == len(others):
        ahead = "clearly ahead of all others"
    elif beaten:
        ahead = f"clearly ahead of {join_words(beaten)}"
    else:
        ahead = "not clearly ahead of any other"
    gap = f"critical difference {ranking.critical_difference:.2f} at alpha {ranking.alpha:g}"
    lines = [f"{best} ranks first, {ahead} (Nemenyi, {gap})."]
    for group in ranking.groups:
        between = "between" if len(group) == 2 else "among"
        lines.append(f"No significant difference {between} {join_words(group)}.")
    friedman, f = ranking.friedman, ranking.iman_davenport
    lines.append(
        f"Are all learners equal? Friedman: χ² = {friedman.chi2:.2f}, p {p_text(friedman.p)}; "
        f"Iman–Davenport: F = {f.f:.2f}, p {p_text(f.p)}."
    )
    if friedman.p >= ranking.alpha and f.p >= ranking.alpha:
        lines.append("They may well be equal: do not call any pair different.")
    if not np.isnan(ranking.table.scores).any():
        lines.append(_wilcoxon(ranking))
    return lines


def _wilcoxon(ranking: Ranking) -> str:
    pairs = ranking.holm_wilcoxon
    clear = [pair for pair in pairs if pair.p_holm < ranking.alpha]
    if 2 * 0.5 ** len(ranking.ranks) * len(pairs) >= ranking.alpha:
        return (
            "Holm–Wilcoxon: too few streams for a significant difference in any of "
            f"{plural(len(pairs), 'pair')}."
        )
    if not clear:
        return "Holm–Wilcoxon: no pair differs significantly."
    if len(clear) > _SHOWN_PAIRS:
        return (
            f"Holm–Wilcoxon: {len(clear)} of {len(pairs)} pairs differ significantly; see "
            'ranking.to_frame("pairs").'
        )
    named = "; ".join(f"{pair.a} and {pair.b} (p {p_text(pair.p_holm)})" for pair in clear)
    return f"Holm–Wilcoxon: significant difference between {named}."


def _learners(ranking: Ranking) -> str:
    scores = dict(zip(ranking.learners, ranking.table.scores.T, strict=True))
    ranks = dict(zip(ranking.learners, ranking.ranks.T, strict=True))
    lines = [["", "average rank", "first on", "mean score"]]
    for name, average in ranking.average_ranks.items():
        lines.append(
            [
                name,
                f"{average:.2f}",
                plural(int((ranks[name] == ranking.ranks.min(axis=1)).sum()), "stream"),
                f"{scores[name].mean():.4g}".replace("nan", "undefined"),
            ]
        )
    return align(lines)
