"""`rank`: who differs over streams (Friedman, Nemenyi, Wilcoxon), and who is equal."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import streamgauge as sg
from bench.calibration.case import Case, Random
from streamgauge._support.types import Floats
from streamgauge.ranking.ranking import Ranking

_NOMINAL = 5.0  # per cent: alpha is 0.05 unless it is given
_NOISE = 0.02
_MARGIN = 0.02
# The middle of the means of two exponential values: where Wilcoxon's test is about no difference.
_PSEUDO_MEDIAN = 0.8392


def scores(random: Random, kind: str, streams: int, learners: int, ahead: float = 0.0) -> Floats:
    """Scores of equal learners; the first one is ahead, in units of the noise."""
    noise = random.normal(size=(streams, learners))
    if kind == "heavy tails":  # and streams that differ in spread
        noise = random.standard_t(2, (streams, learners)) * random.exponential(1, (streams, 1))
    elif kind == "pairs almost alike":
        noise[:, 1::2] = noise[:, : learners // 2 * 2 : 2] + 0.2 * noise[:, 1::2]
        noise[:, : learners // 2 * 2 : 2] += 0.2 * random.normal(size=(streams, learners // 2))
    elif kind == "one skewed":
        noise[:, 1:] *= 0.01
        noise[:, 0] = random.exponential(1, streams) - _PSEUDO_MEDIAN
    noise[:, 0] += ahead
    table = 0.8 + 0.1 * random.normal(size=(streams, 1)) + _NOISE * noise
    return np.asarray(np.round(table, 2) if kind == "many ties" else table)


def ranked(table: Floats, **options: Any) -> Ranking:
    """The ranking as a user gets it."""
    names = [f"L{i}" for i in range(table.shape[1])]
    found: Ranking = sg.rank(table, names=names, lower_is_better=False, **options)
    return found


def _not_all_equal(random: Random, **given: Any) -> bool:
    return ranked(scores(random, **given)).significant


def _ahead(random: Random, **given: Any) -> bool:
    """Whether Nemenyi's test calls any pair different."""
    ranking = ranked(scores(random, **given))
    return ranking.groups != (tuple(ranking.average_ranks),)


def _ahead_of_equals(random: Random, streams: int, learners: int) -> bool:
    """The last learner is far behind; whether any of the others are called different."""
    table = scores(random, "normal", streams, learners)
    table[:, -1] -= 1
    ranking = ranked(table)
    if not ranking.significant:
        return False
    average = ranking.ranks[:, :-1].mean(axis=0)
    return bool(np.ptp(average) > ranking.critical_difference)


def _pairs(random: Random, **given: Any) -> bool:
    """Holm-Wilcoxon is said only where Friedman's test finds something."""
    ranking = ranked(scores(random, **given))
    return ranking.significant and any(
        pair.p_holm < ranking.alpha for pair in ranking.holm_wilcoxon
    )


def _control(random: Random, **given: Any) -> bool:
    ranking = ranked(scores(random, **given), control="L0")
    return any(pair.p_holm < ranking.alpha for pair in ranking.against_control)


def _equal(random: Random, kind: str, streams: int, learners: int, apart: float) -> bool:
    """The first learner is ahead by `apart` margins: 1 is just not equal."""
    table = scores(random, kind, streams, learners, apart * _MARGIN / _NOISE)
    pairs = ranked(table, equal_within=_MARGIN).equivalence
    return any(pair.p_holm < 0.05 for pair in pairs if apart == 0 or "L0" in (pair.a, pair.b))


def cases() -> list[Case]:
    """Few streams (exact tests), and many; alpha is 0.05."""
    found = []
    # Exact; by permutations; by the F distribution.
    for streams, learners, trials in ((6, 4, 1000), (10, 4, 1000), (25, 4, 100), (60, 6, 300)):
        for kind in ("normal", "heavy tails", "many ties", "pairs almost alike"):
            if streams > 10 and kind in ("heavy tails", "many ties"):  # take long
                continue
            given: dict[str, Any] = {"kind": kind, "streams": streams, "learners": learners}
            data = f"{kind}, {learners} learners on {streams} streams"
            gap = 3 / math.sqrt(streams / 6)
            for claim, trial in (("differ", _not_all_equal), ("ahead", _ahead), ("pairs", _pairs)):
                if (claim, kind) == ("differ", "pairs almost alike"):
                    continue  # their ranks are not in random order
                if (claim, streams) == ("pairs", 6):
                    continue  # too few streams
                some = partial(trial, ahead=gap, **given) if streams != 25 else None
                found.append(Case(f"rank.{claim}", data, partial(trial, **given), some,
                                  trials=trials, most=_NOMINAL, quick=streams == 6))  # fmt: skip
        far = partial(_ahead_of_equals, streams=streams, learners=learners)
        data = f"one far behind, {learners} learners on {streams} streams"
        found.append(Case("rank.ahead", data, far, trials=trials, most=_NOMINAL))
    for streams, learners in ((8, 3), (20, 5), (150, 5)):
        for kind in ("normal", "heavy tails", "many ties", "one skewed"):
            given = {"kind": kind, "streams": streams, "learners": learners}
            none, some = (partial(_control, ahead=x, **given) for x in (0, 5 / math.sqrt(streams)))
            data = f"{kind}, {learners} learners on {streams} streams"
            trials = 300 if streams == 150 else 1000
            found.append(Case("rank.control", data, none, some, trials=trials, most=_NOMINAL))
    for streams, learners in ((8, 2), (20, 2)):
        for kind in ("normal", "heavy tails"):
            given = {"kind": kind, "streams": streams, "learners": learners}
            just, equal = (partial(_equal, apart=x, **given) for x in (1.0, 0.0))
            data = f"{kind}, {learners} learners on {streams} streams"
            found.append(Case("rank.equal", data, just, equal, trials=300, most=_NOMINAL))
    return found
