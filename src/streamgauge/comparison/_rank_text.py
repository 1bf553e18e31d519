"""A ranking as text: who is told apart from whom, then the ranks."""

from __future__ import annotations

import math

import numpy as np

from streamgauge.comparison.ranking import Ranking
from streamgauge.comparison.text import p_text
from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import plural

_SHOWN_PAIRS = 6


def show_ranking(ranking: Ranking) -> str:
    """The answer, the tests, the learners."""
    return "\n\n".join([_header(ranking), "\n".join(_sentences(ranking)), _learners(ranking)])


def _header(ranking: Ranking) -> str:
    n, k = ranking.ranks.shape
    parts = [plural(k, "learner"), plural(n, "stream")]
    parts.append(f"{'lower' if ranking.lower_is_better else 'higher'} scores are better")
    if ranking.dropped:
        parts.append(f"{plural(len(ranking.dropped), 'stream')} left out, a score was missing")
    return " · ".join(parts)


def _sentences(ranking: Ranking) -> list[str]:
    best, *others = ranking.average_ranks
    ranks = ranking.average_ranks
    beaten = [name for name in others if ranks[name] - ranks[best] > ranking.critical_difference]
    gap = f"critical difference {ranking.critical_difference:.2f} at {ranking.alpha:g}"
    if math.isnan(ranking.friedman.p):
        return ["Every stream ranks all learners alike: nothing tells them apart."]
    if len(beaten) == len(others):
        lines = [f"{best} ranks first, clearly before all others (Nemenyi, {gap})."]
    elif beaten:
        lines = [f"{best} ranks first, clearly before {_list(beaten)} (Nemenyi, {gap})."]
    else:
        lines = [f"{best} ranks first, clearly before nobody (Nemenyi, {gap})."]
    for group in ranking.groups:
        lines.append(f"Not told apart: {_list(group)}.")
    friedman, f = ranking.friedman, ranking.iman_davenport
    lines.append(
        f"Are all alike? Friedman: χ² = {friedman.chi2:.2f}, p {p_text(friedman.p)}; "
        f"Iman–Davenport: F = {f.f:.2f}, p {p_text(f.p)}."
    )
    if friedman.p >= ranking.alpha and f.p >= ranking.alpha:
        lines.append("They may well be: then no pair should be called different.")
    if not np.isnan(ranking.table.scores).any():
        lines.append(_wilcoxon(ranking))
    return lines


def _wilcoxon(ranking: Ranking) -> str:
    pairs = ranking.holm_wilcoxon
    clear = [pair for pair in pairs if pair.p_holm < ranking.alpha]
    if 2 * 0.5 ** len(ranking.ranks) * len(pairs) >= ranking.alpha:
        return f"Holm–Wilcoxon: too few streams to tell any of {plural(len(pairs), 'pair')} apart."
    if len(clear) > _SHOWN_PAIRS:
        return (
            f"Holm–Wilcoxon tells {len(clear)} of {len(pairs)} pairs apart: "
            'ranking.to_frame("pairs").'
        )
    named = "; ".join(f"{pair.a} and {pair.b} (p {p_text(pair.p_holm)})" for pair in clear)
    return f"Holm–Wilcoxon tells apart: {named or 'nobody'}."


def _list(names: list[str] | tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


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
