"""Test of whether errors are independent, as detectors assume (zliobaite2015, Proposition 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge._support.types import Floats

_CLEAR = 2.58  # standard errors: 99 %, two-sided
_SMALL = 0.05  # a smaller autocorrelation adds at most a tenth to a variance: negligible


@dataclass(frozen=True)
class Dependence:
    """Lag-1 dependence of errors: sums of products and squares around the mean of each concept."""

    products: float
    squares: float
    pairs: int

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
        )

    @property
    def autocorrelation(self) -> float:
        """Lag-1 autocorrelation of the errors; NaN if they are all equal or not given."""
        return self.products / self.squares if self.squares > 0 else math.nan

    @property
    def margin(self) -> float:
        """The autocorrelation of independent errors stays within ± this on 99 of 100 streams."""
        return _CLEAR / math.sqrt(self.pairs) if self.pairs else math.nan

    @property
    def fails(self) -> bool:
        """Whether independence is clearly violated."""
        return abs(self.autocorrelation) > max(self.margin, _SMALL)

    def warning(self) -> list[str]:
        """A sentence if independence is violated, else nothing."""
        if not self.fails:
            return []
        r = self.autocorrelation
        how, what = ("more", "false alarms") if r > 0 else ("less", "misses")
        return [
            f"Errors are not independent: one follows another {how} often than by chance "
            f"(autocorrelation {r:+.2f}; by chance within ±{self.margin:.2g}). Detectors assume "
            f"independence: expect more {what} than they promise (zliobaite2015, Proposition 8)."
        ]

    def to_dict(self) -> dict[str, Any]:
        """The dependence as plain values."""
        return {
            "autocorrelation": self.autocorrelation,
            "margin": self.margin,
            "pairs": self.pairs,
            "fails": self.fails,
        }


def dependence_of(errors: Floats, cuts: Sequence[int] = ()) -> Dependence:
    """The dependence of errors in the order they were fed.

    They are cut at drifts, where a change of their mean would look like dependence.
    """
    inner = sorted({cut for cut in cuts if 0 < cut < len(errors)})
    parts = []
    for start, stop in zip([0, *inner], [*inner, len(errors)], strict=True):
        off = errors[start:stop] - errors[start:stop].mean() if stop > start else errors[:0]
        if np.ptp(off) if len(off) else 0:
            parts.append(Dependence(float(off[1:] @ off[:-1]), float(off @ off), len(off) - 1))
    return Dependence.pooled(parts)
