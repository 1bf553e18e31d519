"""Distributions of waits, as a text names them: quantile functions with checked parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from streamgauge._support.call_parser import build_known
from streamgauge._support.errors import UsageError
from streamgauge._support.rng import poisson_steps
from streamgauge._support.types import Floats

Quantile: TypeAlias = Callable[[Floats], Floats]  # of numbers in [0, 1)

_LARGEST_MEAN = 1e6  # of a Poisson distribution: its quantiles are a table


def parse_distribution(text: str) -> Quantile:
    """The distribution that a text describes, e.g. "geometric(0.1)"."""
    made: Quantile = build_known(
        text, "distribution of waits", tuple(DISTRIBUTIONS), lambda name: DISTRIBUTIONS[name]
    )
    return made


def _check(condition: bool, call: str, expected: str) -> None:
    if not condition:
        raise UsageError(f"{call}: expected {expected}")


def _finite(*values: object) -> bool:
    return all(
        isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in values
    )


def geometric(p: float) -> Quantile:
    """1, 2, 3, …: each row the label comes with probability p."""
    _check(_finite(p) and 0 < p <= 1, f"geometric({p!r})", "a probability, 0 < p <= 1")
    if p == 1:
        return np.ones_like
    return lambda u: np.floor(np.log1p(-u) / math.log1p(-p)) + 1


def poisson(mean: float) -> Quantile:
    """Poisson with this mean."""
    good = _finite(mean) and 0 < mean <= _LARGEST_MEAN
    _check(good, f"poisson({mean!r})", f"a mean above 0, at most {_LARGEST_MEAN:,.0f}")
    steps = poisson_steps(mean)
    return lambda u: np.searchsorted(steps, u, side="right").astype(np.float64)


def uniform(low: float, high: float) -> Quantile:
    """Every number of rows from low to high equally often."""
    whole = _finite(low, high) and int(low) == low and int(high) == high
    _check(
        whole and 1 <= low <= high, f"uniform({low!r}, {high!r})", "whole numbers, 1 <= low <= high"
    )
    return lambda u: low + np.floor(u * (high - low + 1))


def exponential(mean: float) -> Quantile:
    """Exponential with this mean."""
    _check(_finite(mean) and mean > 0, f"exponential({mean!r})", "a mean above 0")
    return lambda u: -mean * np.log1p(-u)


def lognormal(mu: float, sigma: float) -> Quantile:
    """The exponential of a normal variable with mean mu and standard deviation sigma."""
    good = _finite(mu, sigma) and sigma >= 0
    _check(good, f"lognormal({mu!r}, {sigma!r})", "numbers, sigma 0 or more")
    if sigma == 0:
        return lambda u: np.full_like(u, math.exp(min(mu, 700)))
    from scipy.special import ndtri  # slow to import

    with_tail = np.errstate(over="ignore")  # exp of a large number is inf, which is cut off later

    def quantile(u: Floats) -> Floats:
        with with_tail:
            return np.asarray(np.exp(mu + sigma * ndtri(u)))

    return quantile


DISTRIBUTIONS: dict[str, Callable[..., Quantile]] = {
    each.__name__: each for each in (geometric, poisson, uniform, exponential, lognormal)
}
