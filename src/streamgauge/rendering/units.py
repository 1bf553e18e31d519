"""Units: how a number in each of them reads: 93.4 %, 3.4 s, 1.2 MB, 5.1 M/s."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

# A number without a unit; a fraction, shown in per cent; the unit of the stream's target; ...
Unit = Literal["number", "fraction", "target", "seconds", "bytes", "rows/s", "RAM-hours"]
UNITS: tuple[Unit, ...] = get_args(Unit)


class ShownUnit(NamedTuple):
    """A multiple of a unit, and its size in that unit."""

    name: str
    size: float


_MOST = 1e4  # numbers in one unit are smaller
_TIME = (
    ShownUnit("µs", 1e-6), ShownUnit("ms", 1e-3), ShownUnit("s", 1.0), ShownUnit("min", 60.0),
    ShownUnit("h", 3600.0), ShownUnit("d", 86400.0),
)  # fmt: skip
_BYTES = (
    ShownUnit("B", 1.0), ShownUnit("kB", 1e3), ShownUnit("MB", 1e6), ShownUnit("GB", 1e9),
    ShownUnit("TB", 1e12),
)  # fmt: skip
_RATE = (
    ShownUnit("/s", 1.0), ShownUnit("k/s", 1e3), ShownUnit("M/s", 1e6), ShownUnit("G/s", 1e9),
)  # fmt: skip
_MULTIPLES: dict[Unit, tuple[ShownUnit, ...]] = {
    "seconds": _TIME, "bytes": _BYTES, "rows/s": _RATE,
}  # fmt: skip


def unit_for(unit: Unit, values: Iterable[float]) -> ShownUnit | None:
    """The multiple of a unit for all values; None if it has no multiples.

    It is that of the smallest value, or a larger one, so that no number has more than four digits
    before the point.

    >>> unit_for("bytes", [2_300_000.0, 41_000.0]).name
    'kB'
    >>> unit_for("seconds", [0.002, 340.0]).name
    's'
    """
    multiples = _MULTIPLES.get(unit)
    if multiples is None:
        return None
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    smallest = min(sizes, default=multiples[0].size)
    fitting = [each for each in multiples if _rounded(smallest / each.size) >= 1]
    short = [each for each in multiples if max(sizes, default=0.0) / each.size < _MOST]
    chosen = fitting[-1] if fitting else multiples[0]
    # Where sizes are far apart, the largest decides: the smallest may have decimals.
    return max(chosen, short[0] if short else multiples[-1], key=lambda each: each.size)


def decimals(value: float, shown: ShownUnit) -> int:
    """How many decimals show two digits of a value in a unit; bytes have none.

    >>> decimals(0.0123, ShownUnit("ms", 1e-3)), decimals(1_240_000, ShownUnit("MB", 1e6))
    (0, 1)
    """
    return int(abs(_rounded(value / shown.size)) < 10 and shown.name != "B")


def percent(fraction: float) -> str:
    """A fraction in per cent; more digits only where it would round to 100 %.

    >>> percent(0.9336), percent(0.99996), percent(1.0)
    ('93.4 %', '99.996 %', '100.0 %')
    """
    if math.isnan(fraction):
        return "undefined"
    digits = 1
    while fraction < 1 and f"{fraction:.{digits}%}".startswith("100") and digits < 6:
        digits += 1  # 99.99 % is not 100 %
    text = f"{fraction:.{digits}%}".replace("%", " %")
    return text.removeprefix("-") if not text.strip("-0. %") else text  # no minus zero


def readable(unit: Unit, value: float) -> str:
    """A number with its unit, in the multiple that fits it; undefined or "undefined".

    >>> readable("fraction", 0.9336), readable("number", 0.5), readable("target", 12345.6)
    ('93.4 %', '0.500', '1.235e+04')
    >>> readable("seconds", 3.4), readable("bytes", 1_240_000.0), readable("RAM-hours", 2e-9)
    ('3.4 s', '1.2 MB', '2e-09')
    """
    if math.isnan(value):
        return "undefined"
    if unit == "fraction":
        return percent(value)
    if unit == "RAM-hours":  # too small for decimals
        return f"{value:.3g}"
    if math.isfinite(value) and (shown := unit_for(unit, [value])):
        return f"{value / shown.size:.{decimals(value, shown)}f} {shown.name}"
    text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"
    return "0.000" if text == "-0.000" else text


def _rounded(value: float) -> float:
    """To two digits, so that 999.9 kB is 1.0 MB."""
    return float(f"{value:.2g}")
