"""Oracle for the verdict against a reference: batch means, z and the word, semantics §4."""

import math


def batch_means_z(differences: list[float]) -> tuple[float, int]:
    """(z, number of batches) of d_i = loss(reference) - loss(learner); z > 0: learner better."""
    n = len(differences)
    if n == 0:
        return math.nan, 0
    length = math.isqrt(n)
    batches = n // length  # the remainder is not used
    means = [math.fsum(differences[b * length : (b + 1) * length]) / length for b in range(batches)]
    if batches == 1:  # one batch has no spread
        return math.nan, 1
    if len(set(means)) == 1:  # a standard error of exactly 0
        return (math.copysign(math.inf, means[0]) if means[0] != 0 else math.nan), batches
    mean = math.fsum(means) / batches
    sd = math.sqrt(math.fsum((m - mean) ** 2 for m in means) / (batches - 1))
    return mean / (sd / math.sqrt(batches)), batches


def word(z: float, batches: int) -> str:
    """The verdict on the learner, in words."""
    if batches < 10:
        return "too few rows to say"
    if z > 2.58:
        return "better"
    if z < -2.58:
        return "worse"
    return "no clear difference"
