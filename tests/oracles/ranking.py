"""Oracle for rankings, semantics §10: every permutation, every sign, every pair, one by one."""

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction


def ranks(scores: list[float]) -> list[Fraction]:
    """Rank 1 is the highest score; tied scores share their mean rank."""
    return [
        1 + sum(other > one for other in scores) + Fraction(sum(o == one for o in scores) - 1, 2)
        for one in scores
    ]


def friedman_p(rows: list[list[Fraction]]) -> Fraction:
    """The share of all permutations within rows whose rank sums are at least as unequal."""
    whole = [[int(2 * rank) for rank in row] for row in rows]  # integers are faster
    center = sum(map(sum, whole))

    def unequal(table: Iterable[Sequence[int]]) -> int:
        sums = [sum(column) for column in zip(*table, strict=True)]
        return sum((len(sums) * each - center) ** 2 for each in sums)

    observed = unequal(whole)
    tables = itertools.product(*(list(itertools.permutations(row)) for row in whole))
    extreme = [unequal(table) >= observed for table in tables]
    return Fraction(sum(extreme), len(extreme))


def signed_rank_p(differences: list[Fraction]) -> tuple[Fraction, Fraction]:
    """One-sided p-values (above, below) over all signs of the differences that are not zero."""
    nonzero = [d for d in differences if d]
    if not nonzero:
        return Fraction(1), Fraction(1)
    size = [len(nonzero) + 1 - rank for rank in ranks([float(abs(d)) for d in nonzero])]
    observed = sum(s for s, d in zip(size, nonzero, strict=True) if d > 0)
    sums = [
        sum(s for s, sign in zip(size, signs, strict=True) if sign)
        for signs in itertools.product((False, True), repeat=len(nonzero))
    ]
    above = Fraction(sum(s >= observed for s in sums), len(sums))
    below = Fraction(sum(s <= observed for s in sums), len(sums))
    return above, below


def equivalence_p(differences: list[Fraction], margin: Fraction) -> Fraction:
    """The larger p-value of the two one-sided tests against -margin and +margin."""
    return max(
        signed_rank_p([d + margin for d in differences])[0],
        signed_rank_p([d - margin for d in differences])[1],
    )


def bayesian(differences: list[float], margin: float, draws: int, seed: int) -> list[float]:
    """How often A better, equivalent, B better has the largest mass, over Dirichlet weights."""
    luck = random.Random(seed)
    values = [0.0, *differences]
    wins = [0, 0, 0]
    for _ in range(draws):
        weights = [luck.gammavariate(0.5 if i == 0 else 1.0, 1.0) for i in range(len(values))]
        total = math.fsum(weights)
        mass = [0.0, 0.0, 0.0]
        for a, w in zip(values, weights, strict=True):
            for b, v in zip(values, weights, strict=True):
                region = 0 if a + b > 2 * margin else 2 if a + b < -2 * margin else 1
                mass[region] += w * v / total**2
        wins[mass.index(max(mass))] += 1
    return [win / draws for win in wins]
