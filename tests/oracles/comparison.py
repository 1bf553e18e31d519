"""Oracle for comparisons: Q, McNemar, the anytime bounds and Nemenyi's groups, semantics §9, §10.

Computed at each row from the weights of all rows so far; the mixture is integrated numerically.
"""

import itertools
import math

from scipy.integrate import quad
from scipy.optimize import brentq


def weights(kind: str, parameter: float, times: list[int]) -> list[float]:
    """The weight of each row so far, oldest first."""
    n = len(times)
    if kind == "time":
        return [1.0 if times[-1] - parameter < time else 0.0 for time in times]
    if kind == "window":
        return [1.0 if n - 1 - i < parameter else 0.0 for i in range(n)]
    if kind == "fading":
        return [parameter ** (n - 1 - i) for i in range(n)]
    return [1.0] * n


def q(losses_a: list[float], losses_b: list[float], weight: list[float], smooth: float) -> float:
    lost_a = math.fsum(w * x for w, x in zip(weight, losses_a, strict=True)) + smooth
    lost_b = math.fsum(w * x for w, x in zip(weight, losses_b, strict=True)) + smooth
    if lost_a == 0 and lost_b == 0:
        return 0.0
    if lost_a <= 0 or lost_b <= 0:
        return math.nan
    return math.log(lost_a / lost_b)


def mcnemar(wrong_a: list[bool], wrong_b: list[bool], weight: list[float], printed: bool) -> float:
    """Signed statistic; `printed` always divides by n01 + n10, as gama2013 prints it."""
    n01 = n10 = variance = 0.0
    for a, b, w in zip(wrong_a, wrong_b, weight, strict=True):
        if a and not b:
            n01 += w
        if b and not a:
            n10 += w
        if a != b:
            variance += w if printed else w * w  # Var(w·d) = w²·d² for d = ±1
    if variance == 0:
        return 0.0
    return math.copysign(1.0, n01 - n10) * (n01 - n10) ** 2 / variance


def mixture(s: float, v: float, rho: float) -> float:
    """The mean of exp(λs - ψ(λ)v) over bets λ whose 1 - λ is Gamma(rho, rho), cut off above 1."""

    def density(bet: float) -> float:
        return float((1 - bet) ** (rho - 1) * math.exp(-rho * (1 - bet)))

    def payoff(bet: float) -> float:
        return density(bet) * math.exp(bet * s + (math.log(1 - bet) + bet) * v)

    whole = quad(density, 0, 1, limit=400)[0]
    peak = s / (s + v) if s + v > 0 else 0.5  # where the payoff is largest
    return float(quad(payoff, 0, 1, limit=400, points=[peak])[0] / whole)


def anytime(
    differences: list[float],
    rows: list[int],
    bound: float,
    wait: int,
    confidence: float,
    together: bool = False,
    restart: int = 0,
    window: int | None = None,
) -> tuple[float, float]:
    """Bounds on the mean after all differences, which end a block; rows in order.

    Late labels: blocks of wait - 1 rows, the even and the odd ones apart; or of `wait` rows that
    come together. `restart`: how often bounds of a window have started again.
    """
    length, sequences = (wait, 1) if together else (max(1, wait - 1), 2 if wait > 1 else 1)
    level = math.log(2 * sequences / (1 - confidence))
    tightest = 1000 if window is None else min(1000, 0.3 * window)
    v_tightest = tightest / 4 / sequences / length
    if length > 1:
        v_tightest = max(10, v_tightest)
    rho = v_tightest / (2 * level + math.log(1 + 2 * level))
    share = 1 if window is None else (restart + 1) * (restart + 2)
    scale = 2 * bound * length
    reach = 0.0
    for sequence in range(sequences):
        blocks: dict[int, list[float]] = {}
        for d, row in zip(differences, rows, strict=True):
            if row // length % sequences == sequence:
                blocks.setdefault(row // length, []).append(d)
        spread, before = 0.0, [0.0]
        for block in blocks.values():
            guess = len(block) * sum(before) / len(before)
            spread += (sum(block) - guess) ** 2
            before += block
        v = spread / scale**2
        limit = share * 2 * sequences / (1 - confidence)
        reach += scale * brentq(
            lambda s, v=v, limit=limit: mixture(s, v, rho) - limit, 0, 200, xtol=1e-12
        )
    n = len(differences)
    mean = math.fsum(differences) / n
    return max(-bound, mean - reach / n), min(bound, mean + reach / n)


def groups(average: list[float], difference: float) -> list[list[int]]:
    """All maximal sets whose ranks span at most the difference."""
    k = len(average)
    sets = [
        set(members)
        for size in range(2, k + 1)
        for members in itertools.combinations(range(k), size)
        if max(average[i] for i in members) - min(average[i] for i in members) <= difference
    ]
    largest = [one for one in sets if not any(one < other for other in sets)]
    return sorted((sorted(one) for one in largest), key=lambda one: min(average[i] for i in one))
