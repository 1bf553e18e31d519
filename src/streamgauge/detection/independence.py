"""Test of whether errors are independent, as detectors assume (zliobaite2015, Proposition 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.rendering.words import p_text

_SIGNIFICANCE = 0.01  # two-sided
_SMALL = 0.05  # a smaller autocorrelation adds at most a tenth to a variance: negligible
_STRETCHES, _FEWEST_ROWS = 20, 100  # of equal length, and rows of each, if drifts are unknown
_EXACT = 2000  # rows of the rarer kind, up to which the exact distribution is computed


class ConceptRuns(NamedTuple):
    """One concept: its rows, how many of them have a high error (1 or more), in how many runs."""

    rows: int
    high: int
    runs: int  # of successive high errors

    @property
    def rarer(self) -> int:
        """Rows of the rarer kind."""
        return min(self.high, self.rows - self.high)

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the number of runs, if every order of the rows is as likely."""
        n, k, gaps = self.rows, self.high, self.rows - self.high + 1
        mean = k * gaps / n
        return mean, mean * (k - 1) * (gaps - 1) / (n * (n - 1)) if n > 1 else 0.0

    def distribution(self) -> Floats:
        """Probabilities of 1, 2, … runs: hypergeometric, as in Fisher's test."""
        from scipy.special import gammaln  # slow to import, and most runs do not need it

        gaps = self.rows - self.high + 1  # places between the low errors, each takes a run or none
        runs = np.arange(1, min(self.high, gaps) + 1)

        def log_choose(n: Any, k: Any) -> Any:
            return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)

        ways = log_choose(gaps, runs) + log_choose(self.high - 1, self.high - runs)
        found: Floats = np.exp(ways - log_choose(self.rows, self.high))
        return np.asarray(found / found.sum())


@dataclass(frozen=True)
class Dependence:
    """Lag-1 dependence of errors: sums of products and squares around the mean of each concept."""

    products: float
    squares: float
    pairs: int
    concepts: tuple[ConceptRuns, ...] = ()

    @staticmethod
    def unknown() -> Dependence:
        """The dependence when no errors are given."""
        return Dependence(0.0, 0.0, 0)

    @staticmethod
    def pooled(parts: Sequence[Dependence]) -> Dependence:
        """The dependence over several runs."""
        return Dependence(
            sum(part.products for part in parts),
            sum(part.squares for part in parts),
            sum(part.pairs for part in parts),
            tuple(concept for part in parts for concept in part.concepts),
        )

    @property
    def autocorrelation(self) -> float:
        """Lag-1 autocorrelation of the errors; NaN if they are all equal or not given."""
        return self.products / self.squares if self.squares > 0 else math.nan

    @cached_property
    def p(self) -> float:
        """Two-sided p-value: high errors come in fewer or in more runs than in random order.

        Exact for 2,000 rows of the rarer kind and fewer, else normal; NaN without errors.
        """
        if not self.pairs:
            return math.nan
        runs = sum(concept.runs for concept in self.concepts)
        if sum(concept.rarer for concept in self.concepts) <= _EXACT:
            probabilities = np.ones(1)
            for concept in self.concepts:
                probabilities = np.convolve(probabilities, concept.distribution())
            place = runs - len(self.concepts)  # each has a run
            tails = probabilities[: place + 1].sum(), probabilities[place:].sum()
            return min(1.0, 2 * float(min(tails)))
        moments = [concept.moments for concept in self.concepts]
        mean, variance = (sum(each) for each in zip(*moments, strict=True))
        return math.erfc(max(0.0, abs(runs - mean) - 0.5) / math.sqrt(2 * variance))

    @property
    def fails(self) -> bool:
        """Whether independence is clearly violated, by the runs and by the autocorrelation."""
        if not (self.p < _SIGNIFICANCE and abs(self.autocorrelation) > _SMALL):
            return False
        expected = sum(concept.moments[0] for concept in self.concepts)
        fewer = sum(concept.runs for concept in self.concepts) < expected
        return fewer == (self.autocorrelation > 0)

    @property
    def fact(self) -> str:
        """The autocorrelation and the p-value of its test, in words."""
        return f"autocorrelation {self.autocorrelation:+.2f}, p {p_text(self.p)}"

    def warning(self) -> list[str]:
        """A sentence if independence is violated, else nothing."""
        if not self.fails:
            return []
        more = self.autocorrelation > 0
        how, what = ("more", "false alarms") if more else ("less", "misses")
        return [
            f"Errors are not independent: one follows another {how} often than by chance "
            f"({self.fact}). Detectors assume independence: expect more {what} than they promise "
            "(zliobaite2015, Proposition 8)."
        ]

    def to_dict(self) -> dict[str, Any]:
        """The dependence as plain values."""
        return {
            "autocorrelation": self.autocorrelation,
            "p": self.p,
            "pairs": self.pairs,
            "fails": self.fails,
        }


def dependence_of(errors: Floats, cuts: Sequence[int] | None = ()) -> Dependence:
    """The dependence of errors in the order they were fed.

    They are cut at drifts, where a change of their mean would look like dependence; into stretches
    of equal length if drifts are unknown (None).
    """
    if cuts is None:
        stretches = int(np.clip(len(errors) // _FEWEST_ROWS, 1, _STRETCHES))
        cuts = [len(errors) * i // stretches for i in range(1, stretches)]
    inner = sorted({cut for cut in cuts if 0 < cut < len(errors)})
    parts = []
    for start, stop in zip([0, *inner], [*inner, len(errors)], strict=True):
        own = errors[start:stop]
        if len(own) and np.ptp(own):
            off = own - own.mean()
            products, squares = float(off[1:] @ off[:-1]), float(off @ off)
            parts.append(Dependence(products, squares, len(off) - 1, (_runs_of(own),)))
    return Dependence.pooled(parts)


def _runs_of(errors: Floats) -> ConceptRuns:
    """High errors are those above the median, or the larger ones if all are one of two numbers."""
    low, top = errors.min(), errors.max()
    two = bool(((errors == low) | (errors == top)).all())
    middle = np.median(errors)
    high = errors == top if two or middle == top else errors > middle
    runs = int(high[0]) + int((high[1:] & ~high[:-1]).sum())
    return ConceptRuns(len(high), int(high.sum()), runs)
