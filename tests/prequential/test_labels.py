"""Label policies: time-outs, and options and times that are refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from streamgauge._support.call_parser import build
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER
from streamgauge.prequential.labels import Chunks, Delay, FromStream
from streamgauge.testing import check_label_policy
from tests.prequential.agenda_cases import block_of, write


@pytest.mark.parametrize("make", [lambda: Delay(0), lambda: Chunks(0)])
def test_sizes_below_the_minimum_are_refused(make: Any) -> None:
    with pytest.raises(UsageError):
        make()


def test_reveal_before_arrival_names_the_row() -> None:
    block = block_of(3, None, [1, 5, 6], [2, 4, 9])
    with pytest.raises(InputError, match=r"row 1: its label is revealed at 4.*arrives at 5"):
        write(FromStream(), block, [])


@pytest.mark.parametrize("n", [0, -3])
def test_delay_below_one_row_suggests_immediate(n: int) -> None:
    with pytest.raises(UsageError) as caught:
        Delay(n)
    message = str(caught.value)
    assert message.startswith(f"Delay({n}): a label cannot be revealed before its own row")
    assert "Delay(1) or Immediate()" in message


def test_label_later_than_the_timeout_never_comes() -> None:
    block = block_of(4, None, [0, 10, 20, 30], [5, 31, None, 50])
    assert write(FromStream(timeout=20), block, [2]) == [
        ("P", 0), ("L", 0), ("P", 1), ("P", 2), ("P", 3), ("L", 3),
    ]  # fmt: skip
    times = FromStream(timeout=20).timetable(block)
    assert times.leaves is not None
    assert times.leaves.tolist() == [20, 30, 40, 50]
    forever = FromStream().timetable(block).leaves
    assert forever is not None
    assert (forever == NEVER).all()


def test_timeout_near_the_largest_time_does_not_overflow() -> None:
    block = block_of(2, None, [0, NEVER - 5], [1, NEVER - 2])
    leaves = FromStream(timeout=100).timetable(block).leaves
    assert leaves is not None
    assert leaves.tolist() == [100, NEVER - 1]


@pytest.mark.parametrize("timeout", [None, 30, 1])
def test_from_stream_keeps_every_promise_of_a_label_policy(timeout: int | None) -> None:
    check_label_policy(FromStream(timeout=timeout))
    check_label_policy(FromStream("labels_first", timeout=timeout))


def test_timeout_may_be_a_duration() -> None:
    texts: list[Any] = ["36h", timedelta(hours=36), np.timedelta64(36, "h")]
    assert [repr(FromStream(timeout=each)) for each in texts] == ["FromStream(timeout='36h')"] * 3
    assert repr(FromStream("labels_first", 5)) == "FromStream('labels_first', timeout=5)"
    assert build("FromStream(timeout='36h')", "label policy") == FromStream(timeout="36h")


@pytest.mark.parametrize(
    ("timeout", "match"),
    [
        (0, "expected a duration above 0, got 0"),
        (-3, "above 0"),
        (1.5, "expected an integer, got 1.5"),
        ("36 fortnights", "'36 fortnights' is not a duration; expected a number"),
        (timedelta(0), "above 0"),
    ],
)
def test_invalid_timeout_is_refused(timeout: Any, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        FromStream(timeout=timeout)
