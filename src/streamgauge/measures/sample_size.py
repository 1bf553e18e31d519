"""The precision of an estimate from n rows, and the rows a precision needs (gama2013 §3.4)."""

from __future__ import annotations

import math

_ROUNDING = 1 - 1e-12  # 10,000.000000000002 rows are 10,000


def half_width(rows: float) -> float:
    """The half-width of a proportion's 95 % interval over n independent rows, at worst 2·√(0.25/n).

    >>> f"{half_width(1000):.4f}"
    '0.0316'
    """
    return 2 * math.sqrt(0.25 / rows) if rows > 0 else math.nan


def rows_for(width: float) -> int:
    """The rows needed to know any proportion to ± `width` at 95 %: the inverse of `half_width`.

    >>> rows_for(0.01)
    10000
    """
    return math.ceil(0.25 * (2 / width) ** 2 * _ROUNDING)


def hoeffding_rows(width: float, confidence: float = 0.95) -> int:
    """The rows needed to know a proportion by Hoeffding's bound, which also holds for few rows.

    Parameters
    ----------
    width
        The half-width of the proportion's interval: 0.01 is ± 1 %.
    confidence
        The probability that the interval covers the proportion.

    Returns
    -------
    int
        Rows, if they are independent.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> sg.hoeffding_rows(0.01), sg.hoeffding_rows(0.01, confidence=0.99)
    (18445, 26492)
    """
    return math.ceil(math.log(2 / (1 - confidence)) / (2 * width**2) * _ROUNDING)


def fading_for(rows: float) -> float:
    """The fading factor whose effective sample size, (1+a)/(1−a), is `rows`.

    >>> f"{fading_for(1999):.3f}"
    '0.999'
    """
    return (rows - 1) / (rows + 1)


def important_rows(fading: float, weight: float) -> float:
    """The number of latest rows with a weight of at least `weight` under fading: log ε / log a.

    >>> f"{important_rows(0.995, 0.995**3000):.0f}"
    '3000'
    """
    return math.log(weight) / math.log(fading)
