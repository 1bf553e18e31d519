"""A ranking as text: which learners differ, then the ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.ranking._friedman import PERMUTATIONS, smallest_p
from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import join_words, p_text, plural

if TYPE_CHECKING:
    from streamgauge.ranking._wilcoxon import WilcoxonPair
    from streamgauge.ranking.ranking import Ranking

_SHOWN_PAIRS = 6
_SHOWN_PROBABILITIES = 15  # pairs


def show_ranking(ranking: Ranking) -> str:
    """The answer, the tests, the learners."""
    words = "\n".join(map(printable, ranking_sentences(ranking)))
    parts = [printable(ranking_header(ranking)), words, align(learner_lines(ranking))]
    if ranking.equal_within is not None:
        parts.append(_probabilities(ranking))
    return "\n\n".join(parts)


def friedman_text(ranking: Ranking) -> str:
    """Friedman's χ², Iman and Davenport's F and their p-value, and how it was found."""
    friedman, f = ranking.friedman, ranking.iman_davenport
    p = f"p {p_text(friedman.p)}"
    how = {
        "exact": f"exact {p}",
        "permutations": f"{p} by {PERMUTATIONS:,} random permutations",
        "F distribution": f"{p} by the F distribution",
    }[friedman.method]
    f_text = "∞" if math.isinf(f.f) else f"{f.f:.2f}"
    return f"Friedman χ² = {friedman.chi2:.2f}, Iman–Davenport F = {f_text}, {how}"


def ranking_header(ranking: Ranking) -> str:
    """What is ranked, in one line."""
    n, k = ranking.ranks.shape
    parts = [ranking.variant] if ranking.variant else []
    parts += [plural(k, "learner"), plural(n, "stream")]
    what = f"{ranking.metric} is" if ranking.metric else "scores are"
    parts.append(f"{'lower' if ranking.lower_is_better else 'higher'} {what} better")
    return " · ".join(parts)


def ranking_sentences(ranking: Ranking) -> list[str]:
    """What the tests say, in words."""
    lines = score_details(ranking)
    if math.isnan(ranking.friedman.p):
        return [*lines, "All learners tie on every stream: no test can find a difference."]
    if ranking.control is None:
        lines += _all_pairs(ranking)
    else:
        lines += [*_friedman(ranking), *_control(ranking, ranking.control)]
    if ranking.equal_within is not None:
        lines.append(_equivalent(ranking, ranking.equal_within))
    return lines


def score_details(ranking: Ranking) -> list[str]:
    """What the scores are means of, and which are missing."""
    return [*_seeds(ranking), *missing_scores(ranking)]


def _seeds(ranking: Ranking) -> list[str]:
    runs, sd = ranking.table.runs, ranking.table.sd
    if runs is None or sd is None or runs.max() < 2:
        return []
    fewest, most = int(runs.min()), int(runs.max())
    count = plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
    spread = ""
    if not np.isnan(sd).all():
        mean, largest = float(np.nanmean(sd)), float(np.nanmax(sd))
        spread = f"; their sd is {mean:.2g} on average, {largest:.2g} at most"
    return [f"Each score is the mean of {count}{spread}."]


def missing_scores(ranking: Ranking) -> list[str]:
    """What was left out, or ranked last, for want of a score."""
    lines = [
        f"Left out: {stream}, without a score of {join_words(learners)}."
        for stream, learners in ranking.dropped.items()
    ]
    for row, column in np.argwhere(np.isnan(ranking.table.scores)).tolist():
        stream, learner = ranking.table.streams[row], ranking.learners[column]
        lines.append(f"No score of {learner} on {stream}: ranked last there.")
    return lines


def _all_pairs(ranking: Ranking) -> list[str]:
    """Who is ahead by Nemenyi's test; no pair differs unless Friedman's test finds something."""
    ranks = ranking.average_ranks
    lowest = min(ranks.values())
    first = [name for name, rank in ranks.items() if math.isclose(rank, lowest)]
    beaten = [name for name, rank in ranks.items() if rank - lowest > ranking.critical_difference]
    ahead = "not clearly ahead of any other"
    if ranking.significant and beaten:
        rest = len(ranks) - len(first)
        ahead = f"clearly ahead of {'all others' if len(beaten) == rest else join_words(beaten)}"
    place = "ranks first" if len(first) == 1 else "share the first rank"
    gap = f"critical difference {ranking.critical_difference:.2f} at alpha {ranking.alpha:g}"
    nemenyi = f" (Nemenyi, {gap})" if ranking.significant else ""
    lines = [f"{join_words(first)} {place}, {ahead}{nemenyi}."]
    if ranking.significant:
        lines += [_alike(group) for group in ranking.groups]
    lines += _friedman(ranking)
    if ranking.significant and not np.isnan(ranking.table.scores).any():
        lines.append(_wilcoxon(ranking))
    return lines


def _alike(group: Sequence[str]) -> str:
    between = "between" if len(group) == 2 else "among"
    return f"No significant difference {between} {join_words(group)}."


def _friedman(ranking: Ranking) -> list[str]:
    lines = [f"Are the ranks in random order? {friedman_text(ranking)}."]
    n, k = ranking.ranks.shape
    if smallest_p(n, k) >= ranking.alpha:
        lines.append(f"Too few streams: if all {n} agreed, p would be {smallest_p(n, k):.4f}.")
    elif not ranking.significant and ranking.control is None:
        lines.append("The learners are not shown to differ: no pair is called different.")
    elif ranking.control is None and ranking.groups == (tuple(ranking.average_ranks),):
        lines.append(
            "They are not, but no pair stands out: both can be so, as Nemenyi's test has less "
            "power than Friedman's."
        )
    return lines


def _wilcoxon(ranking: Ranking) -> str:
    pairs = ranking.holm_wilcoxon
    clear = [pair for pair in pairs if pair.p_holm < ranking.alpha]
    if _too_few(ranking, pairs):
        return (
            "Holm–Wilcoxon: too few streams for a significant difference in any of "
            f"{plural(len(pairs), 'pair')}."
        )
    if not clear:
        text = "Holm–Wilcoxon: no pair differs significantly."
    elif len(clear) > _SHOWN_PAIRS:
        text = (
            f"Holm–Wilcoxon: {len(clear)} of {len(pairs)} pairs differ significantly; see "
            'ranking.to_frame("pairs").'
        )
    else:
        named = "; ".join(f"{pair.a} and {pair.b} (p {p_text(pair.p_holm)})" for pair in clear)
        text = f"Holm–Wilcoxon: significant difference between {named}."
    return text + _tied(pairs)


def _too_few(ranking: Ranking, pairs: Sequence[WilcoxonPair]) -> bool:
    """Whether no pair could differ, even if all its differences had one sign."""
    most = max(len(ranking.ranks) - pair.tied for pair in pairs)
    return 2 * 0.5**most * len(pairs) >= ranking.alpha


def _tied(pairs: Sequence[WilcoxonPair]) -> str:
    """What was left out of Wilcoxon's tests."""
    tied = [pair for pair in pairs if pair.tied]
    if not tied:
        return ""
    if len(tied) > _SHOWN_PAIRS:
        return f" Streams with equal scores are left out ({len(tied)} pairs have such)."
    named = "; ".join(f"{plural(p.tied, 'stream')} of {p.a} and {p.b}" for p in tied)
    return f" Left out, for equal scores: {named}."


def _control(ranking: Ranking, control: str) -> list[str]:
    pairs = ranking.against_control
    tests = f"Wilcoxon, Holm's correction over {plural(len(pairs), 'comparison')}"
    if _too_few(ranking, pairs):
        return [f"Against {control}: too few streams for a significant difference ({tests})."]
    lines = []
    for word, wanted in (("better than", True), ("worse than", False)):
        named = [
            f"{pair.a} (p {p_text(pair.p_holm)})"
            for pair in pairs
            if pair.p_holm < ranking.alpha and (pair.better == pair.a) is wanted
        ]
        if named:
            verb = "is" if len(named) == 1 else "are"
            lines.append(f"{join_words(named)} {verb} {word} {control} ({tests}).")
    unclear = [pair.a for pair in pairs if pair.p_holm >= ranking.alpha]
    if unclear:
        how = "" if lines else f" ({tests})"
        lines.append(f"No significant difference from {control}: {join_words(unclear)}{how}.")
    lines[-1] += _tied(pairs)
    return lines


def _equivalent(ranking: Ranking, margin: float) -> str:
    pairs = ranking.equivalence
    equal = [pair for pair in pairs if pair.p_holm < ranking.alpha]
    tests = f"two one-sided Wilcoxon tests, Holm's correction over {plural(len(pairs), 'pair')}"
    head = f"Equal within ±{margin:g} ({tests})?"
    if 0.5 ** len(ranking.ranks) * len(pairs) >= ranking.alpha:
        return f"{head} Too few streams to show it for any pair."
    if not equal:
        return f"{head} Not shown for any pair."
    if len(equal) > _SHOWN_PAIRS:
        return f'{head} {len(equal)} pairs are; see ranking.to_frame("equivalence").'
    named = "; ".join(f"{pair.a} and {pair.b} (p {p_text(pair.p_holm)})" for pair in equal)
    return f"{head} Yes: {named}."


def _probabilities(ranking: Ranking) -> str:
    """The Bayesian signed-rank test as a table."""
    head = "posterior probability (Bayesian signed-rank test)"
    lines = [[head, "first better", "equivalent", "second better"]]
    pairs = ranking.equivalence
    for pair in pairs[:_SHOWN_PROBABILITIES]:
        lines.append([f"{pair.a}, {pair.b}", *(f"{p:.3f}" for p in pair.bayesian)])
    left = plural(len(pairs) - _SHOWN_PROBABILITIES, "more pair")
    hidden = len(pairs) > _SHOWN_PROBABILITIES
    return align(lines) + (f'\n{left}: ranking.to_frame("equivalence")' if hidden else "")


def learner_lines(ranking: Ranking) -> list[list[str]]:
    """The learners by rank, below a header."""
    scores = dict(zip(ranking.learners, ranking.table.scores.T, strict=True))
    ranks = dict(zip(ranking.learners, ranking.ranks.T, strict=True))
    best = ranking.ranks.min(axis=1)
    shared = (ranking.ranks == best[:, None]).sum(axis=1) > 1
    lines = [["", "average rank", "first on", f"mean {ranking.metric or 'score'}"]]
    for name, average in ranking.average_ranks.items():
        first = ranks[name] == best
        alone, tied = int((first & ~shared).sum()), int((first & shared).sum())
        lines.append(
            [
                name,
                f"{average:.2f}",
                plural(alone, "stream") + (f", tied on {tied}" if tied else ""),
                f"{scores[name].mean():.4g}".replace("nan", "undefined"),
            ]
        )
    return lines
