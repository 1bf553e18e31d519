"""The answer of rankings, for people: who is first and clearly ahead of whom, one table.

`_text.py` has everything else that there is to say of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.ranking._friedman import smallest_p
from streamgauge.ranking._text import learner_lines, missing_scores, ranking_header
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.outcomes import outcome_text
from streamgauge.rendering.text_table import fitted
from streamgauge.rendering.words import join_words, plural

if TYPE_CHECKING:
    from streamgauge.ranking.ranking import Ranking

_UNDECIDED = "no clear difference"
_POLICY = re.compile(r"[A-Z]\w*\([^()]*\)")


def show_answer(ranking: Ranking) -> str:
    """What is ranked, the answer, the learners by rank."""
    words = [ranking_header(ranking), ranking_answer(ranking), *_equal(ranking)]
    return _shown(words, _table(ranking), missing_scores(ranking))


def show_answers(rankings: Mapping[str, Ranking], left_out: Sequence[str]) -> str:
    """The answer within each label policy or change, and one table of average ranks."""
    first = next(iter(rankings.values()))
    streams = {stream for each in rankings.values() for stream in each.table.streams}
    learners = {learner for each in rankings.values() for learner in each.learners}
    policies = all(map(_POLICY.fullmatch, rankings))
    kinds = "label policies" if policies else "conditions"
    over = f"{plural(len(streams), 'stream')} under {len(rankings)} {kinds}"
    what = ranking_header(first).split(" · ")[-1]
    head = f"{plural(len(learners), 'learner')} · {over} · {what}"
    words = [head, *(f"{name}: {ranking_answer(each)}" for name, each in rankings.items())]
    below = [f"Ranked within each of the {kinds}: the rows of one stream are not independent."]
    if left_out:
        below.append(f"Left out, with fewer than two streams: {join_words(left_out)}.")
    for name, each in rankings.items():
        below += [f"{name}: {line}" for line in missing_scores(each)]
    ranks = {name: each.average_ranks for name, each in rankings.items()}
    means = {
        name: float(np.mean([each.get(name, math.inf) for each in ranks.values()]))
        for name in learners
    }
    lines = [["average rank", *ranks]]
    for learner in sorted(learners, key=lambda name: (means[name], name)):
        shown = [f"{each[learner]:.2f}" if learner in each else "-" for each in ranks.values()]
        lines.append([learner, *shown])
    return _shown(words, fitted(lines), below)


def _shown(words: Sequence[str], table: str, below: Sequence[str]) -> str:
    parts = [wrap("\n".join(map(printable, words))), table]
    if below:
        parts.append(wrap("\n".join(map(printable, below))))
    return "\n\n".join(parts)


def ranking_answer(ranking: Ranking) -> str:
    """Who is first, and clearly ahead of whom."""
    if math.isnan(ranking.friedman.p):
        return f"{outcome_text('equal')}: all learners tie on every stream."
    n, k = ranking.ranks.shape
    if smallest_p(n, k) >= ranking.alpha:
        return f"too few streams to say: {_first(ranking)} on these {plural(n, 'stream')}."
    if ranking.control is not None and _too_few(ranking):
        return f"too few streams to say: no difference from {ranking.control} could be significant."
    if ranking.control is not None:
        return _against_control(ranking, ranking.control)
    beaten = _beaten(ranking)
    if not beaten:
        return f"{outcome_text(_UNDECIDED)}: {_first(ranking)}, not clearly ahead of any other."
    rest = len(ranking.learners) - len(_leaders(ranking))
    whom = "all others" if len(beaten) == rest else join_words(beaten)
    return f"{outcome_text('better')}: {_first(ranking)}, clearly ahead of {whom}."


def _leaders(ranking: Ranking) -> list[str]:
    ranks = ranking.average_ranks
    return [name for name, rank in ranks.items() if math.isclose(rank, min(ranks.values()))]


def _first(ranking: Ranking) -> str:
    leaders = _leaders(ranking)
    return f"{join_words(leaders)} {'ranks first' if len(leaders) == 1 else 'share the first rank'}"


def _beaten(ranking: Ranking) -> list[str]:
    """The learners that are clearly behind the first, by Nemenyi's test."""
    ranks = ranking.average_ranks
    lowest = min(ranks.values())
    if not ranking.significant:
        return []
    return [name for name, rank in ranks.items() if rank - lowest > ranking.critical_difference]


def _against_control(ranking: Ranking, control: str) -> str:
    outcomes = _control_outcomes(ranking)
    parts = []
    for word, link in (("better", " than "), ("worse", " than "), (_UNDECIDED, " from ")):
        if names := [name for name, found in outcomes.items() if found == word]:
            parts.append(f"{outcome_text(word)}{link}{control}: {join_words(names)}")
    return f"{'; '.join(parts)}."


def _too_few(ranking: Ranking) -> bool:
    """Whether no learner could differ from the control, even if all its differences agreed."""
    pairs = ranking.against_control
    most = max(len(ranking.ranks) - pair.tied for pair in pairs)
    return 2 * 0.5**most * len(pairs) >= ranking.alpha


def _control_outcomes(ranking: Ranking) -> dict[str, str]:
    """The outcome of every other learner against the control, by Wilcoxon's test."""
    return {
        pair.a: _UNDECIDED
        if pair.p_holm >= ranking.alpha
        else "better"
        if pair.better == pair.a
        else "worse"
        for pair in ranking.against_control
    }


def _equal(ranking: Ranking) -> list[str]:
    """Which pairs are equal within the margin, if that was asked."""
    if ranking.equal_within is None:
        return []
    equal = [pair for pair in ranking.equivalence if pair.p_holm < ranking.alpha]
    within = f"within ± {ranking.equal_within:g}"
    if not equal:
        return [f"No pair is shown to be equal {within}."]
    shown = "; ".join(f"{pair.a} and {pair.b}" for pair in equal[:3])
    more = f"; and {plural(len(equal) - 3, 'more pair')}" if len(equal) > 3 else ""
    return [f"{outcome_text('equal')} {within}: {shown}{more}."]


def _table(ranking: Ranking) -> str:
    """The learners by rank, each with its outcome against the first, or the control."""
    head, *body = learner_lines(ranking)
    n, k = ranking.ranks.shape
    control = ranking.control is not None
    nothing = math.isnan(ranking.friedman.p) or smallest_p(n, k) >= ranking.alpha
    if nothing or (control and _too_few(ranking)):
        return fitted([head, *body], (0,), [2])
    if ranking.control is not None:
        against, outcomes = ranking.control, _control_outcomes(ranking)
    else:
        against = join_words(_leaders(ranking)[:1])
        beaten = _beaten(ranking)
        outcomes = {
            name: "worse" if name in beaten else _UNDECIDED
            for name in ranking.learners
            if name != against
        }
    lines = [[*head, f"against {against}"]]
    for line in body:
        word = outcomes.get(line[0])
        lines.append([*line, outcome_text(word) if word else ""])
    return fitted(lines, (0, len(head)), [2])
