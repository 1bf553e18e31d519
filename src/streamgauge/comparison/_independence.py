"""Are errors independent of each other, as detectors assume (zliobaite2015, Proposition 8)?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge._support.types import Floats

_CLEAR = 2.58  # standard errors: 99 %, two-sided
_SMALL = 0.05  # below this it adds a tenth to a variance at most: it matters to no detector


@dataclass(frozen=True)
class Dependence:
    """Lag-1 products and squares of errors around their mean, each within its concept."""

    products: float
    squares: float
    pairs: int

    @staticmethod
    def unknown() -> Dependence:
        """Without errors."""
        return Dependence(0.0, 0.0, 0)

    @staticmethod
    def pooled(parts: Sequence[Dependence]) -> Dependence:
        """Of several runs."""
        return Dependence(
            sum(part.products for part in parts),
            sum(part.squares for part in parts),
            sum(part.pairs for part in parts),
        )

    @property
    def autocorrelation(self) -> float:
        """Of each error with the next; NaN where all errors are equal, or none are known."""
        return self.products / self.squares if self.squares > 0 else math.nan

    @property
    def margin(self) -> float:
        """Independent errors stay within this, in 99 of 100 streams."""
        return _CLEAR / math.sqrt(self.pairs) if self.pairs else math.nan

    @property
    def fails(self) -> bool:
        """Is independence clearly violated?"""
        return abs(self.autocorrelation) > max(self.margin, _SMALL)

    def warning(self) -> list[str]:
        """In words, if independence fails."""
        if not self.fails:
            return []
        r = self.autocorrelation
        how, what = ("more", "false alarms") if r > 0 else ("less", "misses")
        return [
            f"Errors are not independent: one follows another {how} often than by chance "
            f"(autocorrelation {r:+.2f}; chance: within ±{self.margin:.2g}). Detectors test as if "
            f"they were: expect more {what} than they promise (zliobaite2015, Proposition 8)."
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "autocorrelation": self.autocorrelation,
            "margin": self.margin,
            "pairs": self.pairs,
            "fails": self.fails,
        }


def dependence_of(errors: Floats, cuts: Sequence[int] = ()) -> Dependence:
    """Of errors in the order they were fed. A drift changes their mean, which is no dependence:
    they are cut there."""
    inner = sorted({cut for cut in cuts if 0 < cut < len(errors)})
    parts = []
    for start, stop in zip([0, *inner], [*inner, len(errors)], strict=True):
        off = errors[start:stop] - errors[start:stop].mean() if stop > start else errors[:0]
        if np.ptp(off) if len(off) else 0:
            parts.append(Dependence(float(off[1:] @ off[:-1]), float(off @ off), len(off) - 1))
    return Dependence.pooled(parts)
