"""Readable seconds, bytes and rates."""

from __future__ import annotations

import math

import pytest

from streamgauge.rendering.units import Unit, readable, unit_for


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("seconds", 3.4, "3.4 s"), ("seconds", 0.0004, "400 µs"), ("seconds", 0.0123, "12 ms"),
        ("seconds", 0.9996, "1.0 s"), ("seconds", 59.0, "59 s"), ("seconds", 90.0, "1.5 min"),
        ("seconds", 5400.0, "1.5 h"), ("seconds", 1e6, "12 d"), ("seconds", 0.0, "0.0 µs"),
        ("bytes", 8.0, "8 B"), ("bytes", 999.9, "1.0 kB"),
        ("bytes", 1_240_000.0, "1.2 MB"), ("bytes", 3e13, "30 TB"),
        ("rows/s", 5_100_000.0, "5.1 M/s"), ("rows/s", 87.0, "87 /s"),
        ("seconds", math.nan, "undefined"), ("seconds", math.inf, "inf"),
        ("RAM-hours", 2e-9, "2e-09"),
        ("fraction", 0.7363, "73.6 %"), ("number", 0.4281, "0.428"), ("number", -0.0001, "0.000"),
        ("target", 123456.0, "1.235e+05"), ("number", math.nan, "undefined"),
    ],
)  # fmt: skip
def test_numbers_read_by_their_unit(name: Unit, value: float, shown: str) -> None:
    assert readable(name, value) == shown


def test_common_unit_is_that_of_the_smallest() -> None:
    unit = unit_for("seconds", [math.nan, 0.0, 0.002, 9.0])
    assert unit is not None
    assert unit.name == "ms"
    assert unit_for("number", [0.5]) is None


@pytest.mark.parametrize(
    ("large", "name"), [(9.99, "ms"), (10.0, "s"), (9999.0, "s"), (1e5, "min")]
)
def test_no_number_in_a_common_unit_has_more_than_four_digits(large: float, name: str) -> None:
    unit = unit_for("seconds", [0.002, large])
    assert unit is not None
    assert unit.name == name
    assert large / unit.size < 1e4
