"""`compare`, and what a monitor says of two models: equal, better at every look, stretches."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import ndtri
from scipy.stats import pareto

from bench.calibration.case import MOST_FALSE_LONG, Case, Random
from bench.calibration.streams import DISAGREE
from bench.calibration.verdict import draw, given_of, named, spread, tested
from streamgauge._support.types import Floats
from streamgauge.comparison._pairs import mcnemar_p, mcnemar_statistic
from streamgauge.comparison._stretches import find_stretches, segment_rows
from streamgauge.measures.batch_means import FIRST_LOOK, batch_means_test

_LEVEL = 0.99
_LOOKS = 40
_DECIDED = ("better", "worse")
# Dependence counts by the rows of the first look: at a tenth of them it is as far as it goes.
_LOOKED_AT = (
    ("independent rows", 1),
    ("geometric runs", 20),
    ("geometric runs", 100),
    ("geometric runs", 200),
    ("sign regimes", 20),
    ("sign regimes", 100),
    ("sign regimes", 200),
    ("AR .99", 100),
)
_REACH = float(ndtri(0.99)) + float(ndtri(0.9))


def _margin(kind: str, run: int, rows: int) -> float:
    """A margin that the oracle's interval of equally good learners is within in 80 %."""
    return min(_REACH * spread(kind, run, rows), 0.5 * DISAGREE)


def _equal(random: Random, kind: str, run: int, rows: int, share: float) -> bool:
    """The mean difference is `share` of the margin; 1: just not equal."""
    margin = _margin(kind, run, rows)
    test = tested(draw(random, kind, run, rows, share * margin))
    return test.word != "equal" and test.is_within(margin, _LEVEL)  # never different: no claim


def _looks(random: Random, kind: str, run: int, rows: int, mean: float) -> bool:
    """Whether one of many looks says "better"; none may if the mean is 0."""
    d = draw(random, kind, run, rows, mean)
    ends = np.unique(np.geomspace(FIRST_LOOK, rows, _LOOKS).astype(int))
    words = (tested(d[:end]).lasting_word(int(end)) for end in ends)
    return any(word in _DECIDED if mean == 0 else word == "better" for word in words)


def _stretches(random: Random, kind: str, run: int, rows: int, mean: float) -> bool:
    d = draw(random, kind, run, rows, mean)
    losses = np.stack([np.maximum(d, 0), np.maximum(-d, 0)])
    return any(each.better for each in find_stretches(losses, None, 0.99, 1.0))


def _costs(random: Random, rows: int, mean: float, cost: float) -> bool:
    """A costs 1 a little more often than B costs `cost`: few rows carry half of the loss."""
    draws = random.random(rows)
    d = np.where(draws < 0.05, 1.0, 0.0)
    d[draws > 1 - 0.05 / cost * (1 - 20 * mean)] = -cost
    word = batch_means_test(d, bound=cost).word
    return word in _DECIDED if mean == 0 else word == "better"


def _pareto(random: Random, rows: int, shape: float, mean: float) -> bool:
    """Losses with a heavy tail against their constant mean."""
    losses: Floats = pareto.rvs(shape, size=rows, random_state=random)
    word = batch_means_test(losses - shape / (shape - 1) + mean).word
    return word in _DECIDED if mean == 0 else word == "better"


def _mcnemar(random: Random, rows: int, share: float, ahead: float) -> bool:
    """McNemar's test at the end, of rows that are independent; `share` differ."""
    differ = random.binomial(rows, share)
    only_a = random.binomial(differ, 0.5 + ahead)
    counts = np.array([[only_a], [differ - only_a], [differ]], float)
    return bool(mcnemar_p(mcnemar_statistic(*counts), *counts[:2])[0] < 0.01)


def cases() -> list[Case]:
    """The claims of comparisons."""
    found = []
    for rows in (50_000, 10_000, 2_500):
        for kind, run in _kinds(rows):
            given = given_of(kind, run, rows)
            said, holds = partial(_equal, share=1.0, **given), partial(_equal, share=0.0, **given)
            found.append(Case("compare.equal", named(kind, run, rows), said, holds, most=1.0))
        # A regime of a tenth of a segment is a fact of its rows; what is said is about these.
        for kind, run in _kinds(segment_rows(rows, None))[:-1]:
            given = given_of(kind, run, rows)
            none, some = (partial(_stretches, mean=mean, **given) for mean in (0.0, 0.1))
            found.append(Case("compare.stretch", named(kind, run, rows), none, some))
    for rows in (50_000, 10_000):
        for kind, run in _LOOKED_AT:
            given = given_of(kind, run, rows)
            found.append(
                Case(
                    "compare.lasting",
                    f"{named(kind, run, rows)}, {_LOOKS} looks",
                    partial(_looks, mean=0.0, **given),
                    partial(_looks, mean=0.1, **given),
                    trials=1000,
                    most=3.5 if run <= FIRST_LOOK // 20 else MOST_FALSE_LONG,
                )
            )
    for rows in (2_500, 10_000, 50_000):
        for cost in (5.0, 20.0):
            none, some = (partial(_costs, rows=rows, mean=mean, cost=cost) for mean in (0.0, 0.02))
            found.append(Case("compare.costs", f"costs 1 and {cost:g}, {rows:,} rows", none, some))
        for shape in (1.5, 2.5):
            none, some = (partial(_pareto, rows=rows, shape=shape, mean=m) for m in (0.0, 0.5))
            name = f"Pareto losses of shape {shape:g}, {rows:,} rows"
            found.append(Case("compare.costs", name, none, some))
        for share in (0.001, 0.005, 0.1):
            none, some = (partial(_mcnemar, rows=rows, share=share, ahead=x) for x in (0.0, 0.3))
            name = f"independent rows, {share:.1%} differ, {rows:,} rows"
            found.append(Case("compare.mcnemar", name, none, some, most=1.2))
    return found


def _kinds(rows: int) -> list[tuple[str, int]]:
    return [
        ("independent rows", 1),
        ("geometric runs", 20),
        *(("geometric runs", rows // part) for part in (50, 20) if rows // part > 20),
        ("sign regimes", rows // 50),
        ("sign regimes", rows // 10),
    ]
