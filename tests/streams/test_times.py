"""Times in memory: every library's, with and without a time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from tests.messages import error_of

ROME = pd.Series(pd.to_datetime(["2013-07-01T12:00", "2013-07-02T12:00"])).dt.tz_localize(
    "Europe/Rome"
)
NAIVE = pd.Series(pd.to_datetime(["2013-07-01T10:00", "2013-07-02T10:00"]))
TEN = 1372672800 * 10**9  # 2013-07-01T10:00Z
DAY = 86_400 * 10**9


def stream_of(arrives: Any, revealed: Any) -> sg.Block:
    stream = sg.from_arrays([[0.0], [1.0]], [0, 1], arrives=arrives, revealed=revealed)
    return next(stream.blocks(2))


@pytest.mark.parametrize(
    ("times", "clock"),
    [
        (ROME, "UTC"),
        (pd.DatetimeIndex(ROME), "UTC"),
        (ROME.tolist(), "UTC"),
        (pl.Series(ROME.tolist()), "UTC"),
        (pa.array(ROME), "UTC"),
        (pa.chunked_array([pa.array(ROME)]), "UTC"),
        (["2013-07-01T12:00+02:00", "2013-07-02T10:00Z"], "UTC"),
        (NAIVE, "local"),
        (NAIVE.to_numpy(), "local"),
        (NAIVE.to_numpy().astype("datetime64[h]"), "local"),
        (pl.Series(NAIVE.tolist()), "local"),
        (["2013-07-01 10:00", "2013-07-02 10:00"], "local"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_timestamps_become_nanoseconds(times: Any, clock: str) -> None:
    stream = sg.from_arrays([[0.0], [1.0]], [0, 1], arrives=times, revealed=times)
    assert stream.schema.clock == clock
    block = next(stream.blocks(2))
    assert block.arrives is not None
    assert block.arrives.tolist() == [TEN, TEN + DAY]
    assert (
        sg.from_frame(
            pa.table({"t": pa.array(ROME), "x": [0, 1], "y": [0, 1]}),
            "y",
            arrives="t",
            revealed="t",
        ).schema.clock
        == "UTC"
    )


def test_integers_and_missing_reveals() -> None:
    assert stream_of([3, 4], pd.Series([5.0, None])).revealed.tolist() == [  # type: ignore[union-attr]
        5, np.iinfo(np.int64).max,
    ]  # fmt: skip
    for some in ([ROME[1], pd.NaT], [ROME[1], None], pd.Series([ROME[1], pd.NaT])):
        late = stream_of(ROME, some)
        assert late.revealed is not None
        assert late.revealed.tolist() == [TEN + DAY, np.iinfo(np.int64).max]


def test_times_with_and_without_a_zone_are_not_mixed() -> None:
    both = error_of(stream_of, ROME, NAIVE)
    assert "arrives holds times with a time zone, but revealed holds times without" in both
    assert "arrives holds integers, but revealed holds times" in error_of(stream_of, [1, 2], NAIVE)
    mixed = [datetime(2013, 7, 1), datetime(2013, 7, 1, tzinfo=UTC)]
    for order in (mixed, mixed[::-1]):  # Arrow takes the kind of the first for both
        assert "revealed mixes numbers, times with a time zone" in error_of(stream_of, NAIVE, order)
    texts = error_of(stream_of, ["2013-07-01", "2013-07-01T10:00Z"], NAIVE)
    assert "row 0: column 'arrives' mixes integers, times with a time zone and times" in texts


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ([1], "arrives: got int64 of shape (1,); expected 2 integers"),
        (3, "arrives: got int64 of shape (); expected 2 integers"),
        ([1.5, 2.0], "row 0: column 'arrives' is '1.5'; expected an integer or an ISO 8601 time"),
        (["noon", "night"], "row 0: column 'arrives' is 'noon'"),
        ([None, 2], "row 0: no arrival time; expected one in every row"),
        ([date(2013, 1, 1), 5], "arrives mixes numbers, times with a time zone or times"),
        ([[1], [2]], "row 0: column 'arrives' has type list<item: int64>"),
        ([object(), 2], "arrives: got object of shape (2,)"),
    ],
)
def test_other_values_are_refused(times: Any, complaint: str) -> None:
    assert complaint in error_of(stream_of, times, times)


def test_errors_show_iso_times() -> None:
    def play(arrives: Any, revealed: Any) -> None:
        stream = sg.from_arrays([[0.0], [1.0]], [0, 1], arrives=arrives, revealed=revealed)
        sg.evaluate(stream, sg.NaiveBayes())

    swapped = error_of(play, ROME + pd.Timedelta("1h"), ROME)
    assert (
        "is revealed at 2013-07-01T10:00Z, before the row arrives at 2013-07-01T11:00Z" in swapped
    )
    back = error_of(play, NAIVE[::-1], NAIVE[::-1])
    assert "arrives at 2013-07-01T10:00, earlier than the row before it (2013-07-02T10:00)" in back
    log = pa.table({"id": [1, 2], "t": pa.array(ROME[::-1]), "x": [1, 2], "y": [None, "a"]})
    events = error_of(sg.from_events, log, "y", id="id", time="t")
    assert "has time 2013-07-01T10:00Z, earlier than the line before" in events
