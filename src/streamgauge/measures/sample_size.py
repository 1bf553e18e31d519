"""How many rows an estimate needs, and how precise one of so many rows is (gama2013 §3.4)."""

from __future__ import annotations

import math

_NEARLY = 1 - 1e-12  # 10,000.000000000002 rows are 10,000


def half_width(rows: float) -> float:
    """A share over so many independent rows is known to ± this at 95 %, at worst: 2·√(0.25/n).

    >>> f"{half_width(1000):.4f}"
    '0.0316'
    """
    return 2 * math.sqrt(0.25 / rows) if rows > 0 else math.nan


def rows_for(width: float) -> int:
    """The rows it takes to know any share to ± `width` at 95 %: `half_width` turned round.

    >>> rows_for(0.01)
    10000
    """
    return math.ceil(0.25 * (2 / width) ** 2 * _NEARLY)


def hoeffding_rows(width: float, confidence: float = 0.95) -> int:
    """The same by Hoeffding's bound, which holds for any number of rows, not just for many.

    >>> hoeffding_rows(0.01)
    18445
    """
    return math.ceil(math.log(2 / (1 - confidence)) / (2 * width**2) * _NEARLY)


def fading_for(rows: float) -> float:
    """The fading factor whose effective sample size, (1+a)/(1−a), is so many rows.

    >>> f"{fading_for(1999):.3f}"
    '0.999'
    """
    return (rows - 1) / (rows + 1)


def important_rows(fading: float, weight: float) -> float:
    """How many of the last rows weigh `weight` or more under a fading factor: log ε / log a.

    >>> f"{important_rows(0.995, 0.995**3000):.0f}"
    '3000'
    """
    return math.log(weight) / math.log(fading)
