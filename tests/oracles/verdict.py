"""Oracle for the verdict against a reference: the batch-means rule, from semantics §4 alone."""

import math

from scipy.stats import t as student


def batch_means(rows: list[float], length: int) -> list[float]:
    """The mean of every whole batch; leftover rows are not used."""
    count = len(rows) // length
    return [math.fsum(rows[j * length : (j + 1) * length]) / length for j in range(count)]


def lag_1(means: list[float]) -> float:
    """r of the centred means; 0 if they do not vary."""
    mean = math.fsum(means) / len(means)
    c = [m - mean for m in means]
    spread = math.fsum(x * x for x in c)
    if len(set(means)) == 1:
        return 0.0
    return math.fsum(c[j] * c[j + 1] for j in range(len(c) - 1)) / spread


def cosine_error(means: list[float]) -> float:
    """The standard error by eight cosines."""
    b = len(means)
    mean = math.fsum(means) / b
    waves = [
        math.sqrt(2 / b)
        * math.fsum((m - mean) * math.cos(math.pi * k * (j + 0.5) / b) for j, m in enumerate(means))
        for k in range(1, 9)
    ]
    return math.sqrt(math.fsum(w * w for w in waves) / 8 / b)


def standard_error(means: list[float]) -> float:
    b = len(means)
    mean = math.fsum(means) / b
    return math.sqrt(math.fsum((m - mean) ** 2 for m in means) / (b - 1) / b)


def few_rows_decide(rows: list[float]) -> bool:
    sizes = {abs(d) for d in rows if d}
    if len(sizes) < 2:
        return False
    return math.fsum(d**2 for d in rows) ** 2 / math.fsum(d**4 for d in rows) < 50


def batch_means_rule(
    rows: list[float], fewest: int = 300, alpha: float = 0.01, bound: float | None = None
) -> tuple[str, float, int]:
    """(word, t, degrees of freedom) of d_i = loss(reference) - loss(learner)."""
    n = len(rows)
    if n < fewest:
        return "too few rows to say", math.nan, 0
    first = math.isqrt(n)
    length, b = first, n // first
    while b >= 16:
        r = lag_1(batch_means(rows, length))
        if not (r + 1 / b) * math.sqrt(b) > 0.524:
            break
        length *= 2
        b = n // length
    by_cosines = b < 16
    means = batch_means(rows, first if by_cosines else length)
    freedom = 8 if by_cosines else len(means) - 1
    mean = math.fsum(means) / len(means)
    if len(set(means)) == 1:
        if mean == 0:
            return "equal", math.nan, freedom
        decided, t = mean in (bound, -(bound or 0)), math.copysign(math.inf, mean)
    else:
        t = mean / (cosine_error(means) if by_cosines else standard_error(means))
        decided = 2 * student.sf(abs(t), freedom) < alpha
        if bound is not None:
            decided &= abs(mean) > bound * math.log(1 / alpha) / n
    if few_rows_decide(rows):
        return "open", t, freedom
    if not decided:
        return ("open" if by_cosines else "no clear difference"), t, freedom
    return ("better" if t > 0 else "worse"), t, freedom
