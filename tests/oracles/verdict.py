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


def t_of(means: list[float]) -> float:
    b = len(means)
    mean = math.fsum(means) / b
    if len(set(means)) == 1:  # a standard error of exactly 0
        return math.nan if mean == 0 else math.copysign(math.inf, mean)
    sd = math.sqrt(math.fsum((m - mean) ** 2 for m in means) / (b - 1))
    return mean / (sd / math.sqrt(b))


def batch_means_rule(
    rows: list[float], fewest: int = 300, quantile: float = 0.995
) -> tuple[str, float, int]:
    """(word, t, number of means) of d_i = loss(reference) - loss(learner)."""
    n = len(rows)
    if n < fewest:
        return "too few rows to say", math.nan, 0
    length = math.isqrt(n)
    b = n // length
    while b >= 16:
        r = lag_1(batch_means(rows, length))
        if not (r + 1 / b) * math.sqrt(b) > 0.524:
            break
        length *= 2
        b = n // length
    means = batch_means(rows, length) if b >= 16 else batch_means(rows, n // 10)[:10]
    t = t_of(means)
    if all(m == 0 for m in means):
        return "no clear difference", t, len(means)
    clear = abs(t) > student.ppf(quantile, len(means) - 1)
    if b < 16:
        one_sign = all(m > 0 for m in means) or all(m < 0 for m in means)
        if not (one_sign and clear):
            return "open", t, len(means)
    elif not clear:
        return "no clear difference", t, len(means)
    return ("better" if t > 0 else "worse"), t, len(means)
