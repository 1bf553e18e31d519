"""Readable seconds, bytes and rates."""

from __future__ import annotations

import math

import pytest

from streamgauge.rendering.units import readable, unit_for


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("seconds", 3.4, "3.4 s"), ("seconds", 0.0004, "400 µs"), ("seconds", 0.0123, "12 ms"),
        ("seconds", 0.9996, "1.0 s"), ("seconds", 59.0, "59 s"), ("seconds", 90.0, "1.5 min"),
        ("seconds", 5400.0, "1.5 h"), ("seconds", 1e6, "12 d"), ("seconds", 0.0, "0.0 µs"),
        ("model_bytes", 8.0, "8 B"), ("model_bytes", 999.9, "1.0 kB"),
        ("model_bytes", 1_240_000.0, "1.2 MB"), ("model_bytes", 3e13, "30 TB"),
        ("rows_per_second", 5_100_000.0, "5.1 M/s"), ("rows_per_second", 87.0, "87 /s"),
        ("seconds", math.nan, "-"), ("seconds", math.inf, "inf"), ("ram_hours", 2e-9, "2e-09"),
        ("kappa", 0.5, "0.5"),
    ],
)  # fmt: skip
def test_costs_have_two_digits_and_a_unit(name: str, value: float, shown: str) -> None:
    assert readable(name, value) == shown


def test_common_unit_is_that_of_the_smallest() -> None:
    unit = unit_for("seconds", [math.nan, 0.0, 0.002, 90.0])
    assert unit is not None
    assert unit.name == "ms"
    assert unit_for("kappa", [0.5]) is None
