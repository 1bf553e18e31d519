"""The batch-means test: is a mean difference more than chance, on rows that depend on each other?

Errors on streams come in runs, so a standard error that treats rows as independent is far too
small. The rows are cut into batches of ⌊√n⌋ rows, and the spread of the batch means gives the
standard error. The batches double in length until their means no longer look correlated. If fewer
than 16 batches remain, the rows are cut into ten equal parts, and the test decides only if all ten
agree (semantics §4). `docs/compare.md` shows how often it errs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from streamgauge._support.types import Floats, Longs
from streamgauge.measures._student import two_sided_p
from streamgauge.rendering.plain_values import Number
from streamgauge.rendering.words import signed_text

Word = Literal["better", "worse", "no clear difference", "open", "too few rows to say"]

CONFIDENCE = 0.99
TOO_FEW_ROWS = 300
_MIN_BATCHES = 16
FEWEST_ROWS = _MIN_BATCHES**2  # that a caller may ask for
_PARTS = 10
# Doubling stops when (r + 1/b)·√b is at most this: r of independent means is −1/b ± 1/√b.
_CORRELATED = 0.524
_ROUNDING = 1e-12  # means that differ by less, relative to the largest, count as equal


@dataclass(frozen=True)
class BatchMeansTest:
    """The result of `batch_means_test`; t > 0 if the differences are above 0.

    `batches` and `length` are those that gave t: 10 parts if the batches stayed correlated.
    """

    word: Word
    t: Number = math.nan  # mean / standard error; Student's, batches − 1 degrees of freedom
    p: Number = 1.0  # two-sided; 1 if the ten parts disagree
    mean: Number = math.nan  # of the batch means
    standard_error: Number = math.nan
    batches: int = 0
    length: int = 0  # rows per batch
    dependence: int = 0  # rows of the longest correlated batches; 0: those of ⌊√n⌋ rows are not
    parts: tuple[Number, ...] = ()  # mean difference in each tenth of the rows

    @property
    def by_parts(self) -> bool:
        """Whether the ten parts decide, since batches of every length looked correlated."""
        return self.batches == _PARTS

    @property
    def t_text(self) -> str:
        """Student's t, or why it is undefined: the batches do not vary."""
        if not self.batches:
            return "t is undefined"
        if self.standard_error:
            return f"t = {signed_text(self.t)}"
        what = "part" if self.by_parts else "batch"
        return f"the same difference in every {what}" if self.mean else f"equal in every {what}"

    def parts_text(self, sign: int) -> str:
        """In how many of the ten parts the mean difference has this sign, and in how many it is 0.

        >>> BatchMeansTest("open", parts=(0.1, 0.2, -0.1, *[0.0] * 7)).parts_text(1)
        'in 2 of 10 parts of the stream, equal in 7'
        """
        ahead, equal = (sum(np.sign(self.parts) == each) for each in (sign, 0))
        tied = f", equal in {equal}" if equal else ""
        return f"in {ahead} of {len(self.parts)} parts of the stream{tied}"

    def interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of the mean difference; NaN if there are too few rows."""
        if not self.batches:
            return math.nan, math.nan
        from scipy.special import stdtrit  # slow to import, and a saved run does not need it

        reach = float(stdtrit(self.batches - 1, (1 + level) / 2)) * self.standard_error
        return self.mean - reach, self.mean + reach

    def is_within(self, margin: float, level: float) -> bool:
        """Whether the mean is within ± margin: the test, shifted to each end, decides so."""
        low, high = self.interval(level)
        agree = not self.by_parts or max(map(abs, self.parts)) < margin
        return -margin < low and high < margin and agree


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def batch_means_test(
    differences: Floats, confidence: float = CONFIDENCE, min_rows: int = TOO_FEW_ROWS
) -> BatchMeansTest:
    """Test whether the mean of differences, in the order of the rows, is 0.

    The differences may be of any kind: losses of two learners, or ranks minus their mean. `word`
    is "better" if they are above 0. Fewer than `min_rows` (256 or more) are too few.

    >>> rng = np.random.default_rng(1)
    >>> test = batch_means_test(rng.normal(0.2, 1, 2500))
    >>> test.word, round(test.t, 1), test.batches
    ('better', 8.8, 25)
    >>> test = batch_means_test(np.repeat(rng.normal(0.2, 1, 10), 250))  # ten long runs
    >>> test.word, test.batches, test.dependence
    ('open', 10, 100)
    """
    n = len(differences)
    cuts = cuts_of(n)
    sums = np.empty(0)
    if len(cuts):
        sums = np.add.reduceat(differences[: cuts[-1]], np.r_[0, cuts[:-1]])
    return decide(sums, n, confidence, min_rows)


@lru_cache(4)  # every reference of a run asks for the same
def cuts_of(n: int) -> Longs:
    """The rows before which the batches of ⌊√n⌋ rows and the ten parts end, in order."""
    if n < FEWEST_ROWS:
        return np.empty(0, np.int64)
    return np.unique(np.concatenate([_ends(n, math.isqrt(n)), _ends(n, n // _PARTS)]))


def decide(
    sums: Floats, n: int, confidence: float = CONFIDENCE, min_rows: int = TOO_FEW_ROWS
) -> BatchMeansTest:
    """The test, given the sums of the differences between the `cuts_of(n)`."""
    if n < max(min_rows, FEWEST_ROWS):
        return BatchMeansTest("too few rows to say")
    parts = _means(sums, n, n // _PARTS)
    if not np.isfinite(sums).all():  # an infinite loss: no spread to test by
        return BatchMeansTest("no clear difference", parts=tuple(parts.tolist()))
    length, dependence = math.isqrt(n), 0
    means = _means(sums, n, length)
    mean, off = _centred(means)
    while len(means) >= _MIN_BATCHES and _correlated(off):
        dependence, length = length, 2 * length
        pairs = len(means) // 2 * 2
        means = (means[:pairs:2] + means[1:pairs:2]) / 2
        mean, off = _centred(means)
    by_parts = len(means) < _MIN_BATCHES
    if by_parts:
        means, length = parts, n // _PARTS
        mean, off = _centred(means)
    b = len(means)
    error = math.sqrt(float(off @ off) / (b - 1) / b)
    t, p = _t_and_p(mean, error, b - 1)
    if by_parts and not ((means > 0).all() or (means < 0).all()):
        p = 1.0
    word: Word = "open" if by_parts and means.any() else "no clear difference"
    if p < 1 - confidence:
        word = "better" if t > 0 else "worse"
    return BatchMeansTest(word, t, p, mean, error, b, length, dependence, tuple(parts.tolist()))


def _ends(n: int, length: int) -> Longs:
    return np.arange(length, n + 1, length)


def _means(sums: Floats, n: int, length: int) -> Floats:
    """The means of whole batches of `length` rows, from the sums between all cuts."""
    starts, end = _places(n, length)
    return np.asarray(np.add.reduceat(sums[:end], starts) / length)


@lru_cache(8)
def _places(n: int, length: int) -> tuple[Longs, int]:
    """Between which cuts each batch begins, and the last one ends."""
    ends = np.searchsorted(cuts_of(n), _ends(n, length)) + 1
    return np.concatenate([[0], ends[:-1]]), int(ends[-1])


def _centred(means: Floats) -> tuple[float, Floats]:
    """The mean of the means, and how far each is from it."""
    mean = float(np.add.reduce(means)) / len(means)
    off: Floats = means - mean
    off[np.abs(off) <= _ROUNDING * np.maximum.reduce(np.abs(means))] = 0.0
    return mean, off


def _correlated(off: Floats) -> bool:
    """Whether the lag-1 autocorrelation is above what independent means would have."""
    b = len(off)
    spread = float(off @ off)
    if spread == 0:
        return False
    r = float(off[1:] @ off[:-1]) / spread
    return (r + 1 / b) * math.sqrt(b) > _CORRELATED


def _t_and_p(mean: float, error: float, freedom: int) -> tuple[float, float]:
    if error == 0:
        return (math.nan, 1.0) if mean == 0 else (math.copysign(math.inf, mean), 0.0)
    t = mean / error
    return t, two_sided_p(t, freedom)
