"""Seconds, bytes and rates in units that read well: 3.4 s, 1.2 MB, 5.1 M/s."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit and its size in the base unit."""

    name: str
    size: float


_TIME = (
    Unit("µs", 1e-6), Unit("ms", 1e-3), Unit("s", 1.0), Unit("min", 60.0), Unit("h", 3600.0),
    Unit("d", 86400.0),
)  # fmt: skip
_BYTES = (Unit("B", 1.0), Unit("kB", 1e3), Unit("MB", 1e6), Unit("GB", 1e9), Unit("TB", 1e12))
_RATE = (Unit("/s", 1.0), Unit("k/s", 1e3), Unit("M/s", 1e6), Unit("G/s", 1e9))
_UNITS = {"seconds": _TIME, "model_bytes": _BYTES, "rows_per_second": _RATE}
COSTS = (*_UNITS, "ram_hours")  # never in per cent


def unit_for(name: str, values: Iterable[float]) -> Unit | None:
    """The unit for all values of a cost: that of the smallest; None if it is no such cost.

    >>> unit_for("model_bytes", [2_300_000.0, 41_000.0]).name
    'kB'
    """
    units: Sequence[Unit] | None = _UNITS.get(name)
    if units is None:
        return None
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    smallest = min(sizes, default=units[0].size)
    fitting = [unit for unit in units if _rounded(smallest / unit.size) >= 1]
    return fitting[-1] if fitting else units[0]


def decimals(value: float, unit: Unit) -> int:
    """How many decimals show two digits of a value in a unit; bytes have none.

    >>> decimals(0.0123, Unit("ms", 1e-3)), decimals(1_240_000, Unit("MB", 1e6))
    (0, 1)
    """
    return int(abs(_rounded(value / unit.size)) < 10 and unit.name != "B")


def readable(name: str, value: float) -> str:
    """A cost in the unit that fits it, or another number with three digits.

    >>> readable("seconds", 3.4), readable("model_bytes", 1_240_000.0), readable("ram_hours", 2e-9)
    ('3.4 s', '1.2 MB', '2e-09')
    """
    unit = unit_for(name, [value])
    if unit is None or not math.isfinite(value):
        return "-" if math.isnan(value) else f"{value:.3g}"
    return f"{value / unit.size:.{decimals(value, unit)}f} {unit.name}"


def _rounded(value: float) -> float:
    """To two digits, so that 999.9 kB is 1.0 MB."""
    return float(f"{value:.2g}")
