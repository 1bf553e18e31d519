"""Durations as numbers, timedeltas and texts."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from streamgauge._support.durations import Duration, duration, duration_text
from streamgauge._support.errors import UsageError

HOUR = 3600 * 10**9


@pytest.mark.parametrize(
    ("given", "length", "text"),
    [
        (7, 7, "7"),
        ("24h", 24 * HOUR, "'24h'"),
        ("1d", 24 * HOUR, "'24h'"),
        ("30min", HOUR // 2, "'30min'"),
        ("7 d", 7 * 24 * HOUR, "'7d'"),
        ("1d12h", 36 * HOUR, "'36h'"),
        ("1h 30min", HOUR * 3 // 2, "'90min'"),
        ("15ms", 15 * 10**6, "'15ms'"),
        (timedelta(days=2), 48 * HOUR, "'2d'"),
        (np.timedelta64(90, "s"), 90 * 10**9, "'90s'"),
    ],
)
def test_duration_and_its_text(given: Duration, length: int, text: str) -> None:
    assert duration("wait", given) == length
    assert duration_text(given) == text


@pytest.mark.parametrize("given", ["", "h", "24", "24x", "1h 3", "24hours", "-3h", "1.5h", "3 hh"])
def test_other_texts_are_refused(given: str) -> None:
    with pytest.raises(UsageError, match=f"wait: '{given}' is not a duration; expected a number"):
        duration("wait", given)


@pytest.mark.parametrize("given", [0, -1, "0h", timedelta(0), 1.5, True, 1 << 62, None])
def test_other_values_are_refused(given: Duration) -> None:
    with pytest.raises(UsageError, match="wait: expected "):
        duration("wait", given)
