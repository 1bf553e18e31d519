"""The batch-means test: is a mean difference more than chance, on rows that depend on each other?

Errors on streams come in runs, so a standard error that treats rows as independent is far too
small. The rows are cut into batches of ⌊√n⌋ rows, and the spread of the batch means gives the
standard error. The batches double in length until their means no longer look correlated. If fewer
than 16 batches remain, the slow part of the differences gives the standard error: eight cosines
(EWC, lazarus2018) over the batches of ⌊√n⌋ rows, which allow for dependence over long stretches.
Semantics §4 has the rule; `docs/calibration.md` shows how often it errs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from streamgauge._support.types import Floats, Longs
from streamgauge.measures._student import two_sided_p
from streamgauge.rendering.plain_values import Number
from streamgauge.rendering.words import signed_text

Word = Literal["better", "worse", "equal", "no clear difference", "open", "too few rows to say"]

CONFIDENCE = 0.99
TOO_FEW_ROWS = 300
FIRST_LOOK = 2000  # rows before which a test that is repeated decides nothing
_MIN_BATCHES = 16
FEWEST_ROWS = _MIN_BATCHES**2  # that a caller may ask for
_PARTS = 10
_COSINES = 8
_RECENT = 4  # the last 1 / 4 of the rows may have a sign of their own
_FEW = 50  # effective rows, below which unequal losses decide nothing
# Doubling stops when (r + 1/b)·√b is at most this: r of independent means is −1/b ± 1/√b.
_CORRELATED = 0.524
_LIKELY_CORRELATED = 1.645  # one in twenty
_SURELY_CORRELATED = 3.1  # independent means exceed this in one of a thousand cases
_ROUNDING = 1e-12  # means that differ by less, relative to the largest, count as equal


@dataclass(frozen=True)
class BatchMeansTest:
    """The result of `batch_means_test`; t > 0 if the differences are above 0.

    `batches` and `length` are those that gave t: of ⌊√n⌋ rows if the cosines decide.
    """

    word: Word
    t: Number = math.nan  # mean / standard error; Student's
    p: Number = 1.0  # two-sided
    mean: Number = math.nan  # of the batch means
    standard_error: Number = math.nan
    batches: int = 0
    length: int = 0  # rows per batch
    freedom: int = 0  # degrees of freedom: batches − 1, or 8 if the cosines decide
    dependence: int = 0  # rows of the longest correlated batches; 0: those of ⌊√n⌋ rows are not
    dependent: bool = False  # whether batches are correlated beyond chance, so that it may be said
    parts: tuple[Number, ...] = ()  # mean difference in each tenth of the rows
    effective: Number = math.nan  # (Σd²)²/Σd⁴: the rows that decide, if losses differ in size
    # The last quarter of the rows, if its sign is another than that of the rows before.
    recent: Word | None = None
    recent_mean: Number = math.nan
    recent_rows: int = 0

    @property
    def by_cosines(self) -> bool:
        """Whether eight cosines decide, since batches of every length looked correlated."""
        return self.freedom == _COSINES

    @property
    def by_few_rows(self) -> bool:
        """Whether a few large differences outweigh all others, so that no test is valid."""
        return self.effective < _FEW

    @property
    def undecided(self) -> Word:
        """The word if this test is not to decide, or cannot."""
        if self.word in ("better", "worse"):
            return "open" if self.by_cosines else "no clear difference"
        return self.word

    @property
    def t_text(self) -> str:
        """Student's t, or why it is undefined: the batches do not vary."""
        if not self.batches:
            return "t is undefined"
        if self.standard_error:
            return f"t = {signed_text(self.t)}"
        return "the same difference in every batch" if self.mean else "equal in every batch"

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
        reach = self._quantile(level) * self.standard_error
        return self.mean - reach, self.mean + reach

    def _quantile(self, level: float) -> float:
        """Student's quantile, two-sided."""
        from scipy.special import stdtrit  # slow to import, and a saved run does not need it

        return float(stdtrit(self.freedom, (1 + level) / 2))

    def is_within(self, margin: float, level: float) -> bool:
        """Whether the interval of the mean is within ± margin.

        It is not shown by cosines, nor if there is no difference in three or more of the ten
        parts: then the rows show little of what may come. Differences that are all 0 show it.
        """
        low, high = self.interval(level)
        shown = (
            not (self.by_cosines or self.by_few_rows) and sum(part != 0 for part in self.parts) >= 8
        )
        return -margin < low and high < margin and (shown or self.word == "equal")

    def lasting(self, rows: int, confidence: float = CONFIDENCE) -> Interval:
        """The interval that holds at all looks together, from `FIRST_LOOK` rows on.

        An asymptotic confidence sequence (waudbysmith2024) with the standard error of this look,
        widened as Student's quantile is wider than the normal one.
        """
        if rows < FIRST_LOOK or not self.batches:
            return Interval(math.nan, math.nan)
        from scipy.special import ndtri

        alpha = 1 - confidence
        # The sequence is narrowest, for its number of rows, at ten times FIRST_LOOK: the earlier
        # the look, the less is known of the standard error.
        base = -2 * math.log(alpha)
        spread = (base + math.log(base + 1)) / (10 * FIRST_LOOK)
        scale = rows * spread + 1
        width = math.sqrt(2 * scale / (rows * spread) * math.log(math.sqrt(scale) / alpha))
        heavier = self._quantile(confidence) / float(ndtri((1 + confidence) / 2))
        reach = width * heavier * self.standard_error
        return Interval(self.mean - reach, self.mean + reach)

    def lasting_word(self, rows: int, confidence: float = CONFIDENCE) -> Word:
        """The word for who looks again and again: better or worse only if `lasting` excludes 0."""
        if self.word not in ("better", "worse"):
            return self.word
        if rows < FIRST_LOOK:
            return "too few rows to say"
        low, high = self.lasting(rows, confidence)
        return "better" if low > 0 else "worse" if high < 0 else self.undecided


class Interval(NamedTuple):
    """An interval of the mean difference."""

    low: float
    high: float


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def batch_means_test(
    differences: Floats,
    confidence: float = CONFIDENCE,
    min_rows: int = TOO_FEW_ROWS,
    bound: float | None = None,
) -> BatchMeansTest:
    """Test whether the mean of differences, in the order of the rows, is 0.

    The differences may be of any kind: losses of two learners, or ranks minus their mean. `word`
    is "better" if they are above 0. Fewer than `min_rows` (256 or more) are too few. `bound`: no
    difference is larger.

    >>> rng = np.random.default_rng(1)
    >>> test = batch_means_test(rng.normal(0.2, 1, 2500))
    >>> test.word, round(test.t, 1), test.batches
    ('better', 8.8, 25)
    >>> test = batch_means_test(np.repeat(rng.normal(0.2, 1, 10), 250))  # ten long runs
    >>> test.word, test.freedom, test.dependence
    ('open', 8, 100)
    """
    n = len(differences)
    cuts = cuts_of(n)
    sums = np.empty(0)
    if len(cuts):
        sums = np.add.reduceat(differences[: cuts[-1]], np.r_[0, cuts[:-1]])
    moments = Moments()
    moments.add(differences)
    return decide(sums, n, confidence, min_rows, bound, moments.effective_rows)


def uncorrelated_length(values: Floats, shortest: int) -> int | None:
    """The rows of the shortest batches whose means do not look correlated; None if unknown.

    Batches of `shortest` rows are doubled while the autocorrelation of their means is above that
    of independent ones, beyond chance (one-sided, 5 %). It is unknown with fewer than 16 batches.

    >>> rng = np.random.default_rng(1)
    >>> uncorrelated_length(rng.normal(size=20_000), 100)
    100
    >>> uncorrelated_length(np.repeat(rng.normal(size=100), 200), 100)
    200
    """
    length = shortest
    while (batches := len(values) // length) >= _MIN_BATCHES:
        means = values[: batches * length].reshape(batches, length).mean(axis=1)
        if _correlation(_centred(means)[1]) <= _LIKELY_CORRELATED:
            return length
        length *= 2
    return None


class Moments:
    """Second and fourth moments of differences, added in parts: how many rows decide.

    >>> moments = Moments()
    >>> moments.add(np.array([3.0, 4.0]))
    >>> round(moments.effective_rows, 2)
    1.85
    """

    def __init__(self) -> None:
        self._second = self._fourth = 0.0
        self._sizes: set[float] = set()  # of those that are not 0, up to two

    def add(self, differences: Floats) -> None:
        """Add further rows."""
        sizes = np.abs(differences[differences != 0])
        if not len(sizes):
            return
        self._sizes = set([*self._sizes, float(sizes.min()), float(sizes.max())][:3])
        squares = sizes * sizes
        self._second += float(squares.sum())
        self._fourth += float(squares @ squares)

    @property
    def effective_rows(self) -> float:
        """(Σd²)²/Σd⁴; NaN if it is undefined, or all differences that are not 0 have one size."""
        if len(self._sizes) < 2 or not 0 < self._fourth < math.inf:
            return math.nan
        return self._second**2 / self._fourth


@lru_cache(4)  # every reference of a run asks for the same
def cuts_of(n: int) -> Longs:
    """The rows before which the batches of ⌊√n⌋ rows and the ten parts end, in order."""
    if n < FEWEST_ROWS:
        return np.empty(0, np.int64)
    return np.unique(np.concatenate([_ends(n, math.isqrt(n)), _ends(n, n // _PARTS)]))


def decide(
    sums: Floats,
    n: int,
    confidence: float = CONFIDENCE,
    min_rows: int = TOO_FEW_ROWS,
    bound: float | None = None,
    effective: float = math.nan,
) -> BatchMeansTest:
    """The test, given the sums of the differences between the `cuts_of(n)`.

    `bound`: no difference is larger; None if that is unknown. `effective`: see `Moments`.
    """
    if n < max(min_rows, FEWEST_ROWS):
        return BatchMeansTest("too few rows to say")
    parts = tuple(_means(sums, n, n // _PARTS).tolist())
    if not np.isfinite(sums).all():  # an infinite loss: no spread to test by
        return BatchMeansTest("no clear difference", parts=parts)
    length = math.isqrt(n)
    means = _means(sums, n, length)
    found = _spread(means, length)
    word = _word(found, n, 1 - confidence, bound, effective)
    late = len(means) // _RECENT
    recent: Word | None = None
    recent_mean = math.nan
    if late >= _MIN_BATCHES and means[:-late].sum() * means[-late:].sum() < 0:
        last = _spread(means[-late:], length)
        recent, recent_mean = _word(last, n // _RECENT, 1 - confidence, bound, effective), last.mean
    return BatchMeansTest(
        word, found.t, found.p, found.mean, found.error, found.batches, found.length, found.freedom,
        found.dependence, found.dependent, parts, effective, recent, recent_mean,
        late * length if recent else 0,
    )  # fmt: skip


def test_of_means(means: Floats, length: int) -> BatchMeansTest:
    """The standard error of the mean of consecutive batches of `length` rows.

    Fewer than 16 batches are too few: then it has none.
    """
    if len(means) < _MIN_BATCHES:
        return BatchMeansTest("too few rows to say")
    found = _spread(means, length)
    return BatchMeansTest(
        "open", found.t, found.p, found.mean, found.error, found.batches, found.length,
        found.freedom, found.dependence, found.dependent,
    )  # fmt: skip


class _Spread(NamedTuple):
    """The mean of batch means, and its standard error."""

    mean: float
    error: float
    t: float
    p: float
    batches: int
    length: int
    freedom: int
    dependence: int
    dependent: bool


def _spread(means: Floats, length: int) -> _Spread:
    """Double the batches until they look independent; else take the cosines of the first ones."""
    dependence, dependent, first, first_length = 0, False, means, length
    mean, off = _centred(means)
    while len(means) >= _MIN_BATCHES and (strength := _correlation(off)) > _CORRELATED:
        dependent |= strength > _SURELY_CORRELATED
        dependence, length = length, 2 * length
        pairs = len(means) // 2 * 2
        means = (means[:pairs:2] + means[1:pairs:2]) / 2
        mean, off = _centred(means)
    if len(means) >= _MIN_BATCHES:
        freedom = len(means) - 1
        variance = float(off @ off) / freedom
    else:
        means, length, freedom = first, first_length, _COSINES
        mean, off = _centred(means)
        waves = _cosines(len(means)) @ off
        variance = float(waves @ waves) / _COSINES
    error = math.sqrt(variance / len(means))
    t, p = _t_and_p(mean, error, freedom)
    return _Spread(mean, error, t, p, len(means), length, freedom, dependence, dependent)


def _word(found: _Spread, n: int, alpha: float, bound: float | None, effective: float) -> Word:
    """The outcome in a word.

    What was not seen is allowed for: a loss of the size of the bound may occur in up to
    ln(1/alpha) of n rows without showing. Batches without spread decide only if the mean is the
    bound; a few large differences decide nothing.
    """
    if found.error == 0:
        if found.mean == 0:
            return "equal"
        certain = bound is not None and abs(found.mean) >= bound * (1 - _ROUNDING)
        unclear: Word = "no clear difference"
    else:
        certain = found.p < alpha
        certain &= bound is None or abs(found.mean) > -math.log(alpha) * bound / n
        unclear = "open" if found.freedom == _COSINES else "no clear difference"
    if effective < _FEW:
        return "open"
    if not certain:
        return unclear
    return "better" if found.mean > 0 else "worse"


@lru_cache(8)
def _cosines(b: int) -> Floats:
    """The first eight cosines over b batches, of length 1."""
    place = (np.arange(b) + 0.5) / b
    return np.asarray(
        math.sqrt(2 / b) * np.cos(np.pi * np.outer(np.arange(1, _COSINES + 1), place))
    )


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


def _correlation(off: Floats) -> float:
    """The lag-1 autocorrelation above that of independent means, in their standard deviations."""
    b = len(off)
    spread = float(off @ off)
    if spread == 0:
        return 0.0
    r = float(off[1:] @ off[:-1]) / spread
    return (r + 1 / b) * math.sqrt(b)


def _t_and_p(mean: float, error: float, freedom: int) -> tuple[float, float]:
    if error == 0:
        return (math.nan, 1.0) if mean == 0 else (math.copysign(math.inf, mean), 0.0)
    t = mean / error
    return t, two_sided_p(t, freedom)
