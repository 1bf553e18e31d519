"""Detection delays: the printed ones are read, ours follow from alarms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamgauge.papers.gama2013.delays import (
    COLUMNS,
    Delays,
    DetectionDelay,
    our_delay,
    parse_delay,
    printed_delays,
)
from streamgauge.papers.gama2013.plan import DETECTORS, LONG, plain
from streamgauge.papers.printed import printed
from tests.papers.gama2013.synthetic import RUNS, TABLE_2, TABLE_3


def test_printed_tables_are_copied_correctly() -> None:
    """A few cells, above all those garbled in print."""
    assert (len(TABLE_2), len(TABLE_3)) == (11, 6)
    assert list(TABLE_3) == list(LONG)
    assert str(TABLE_2["Cumulative()"]["Waveform", "NBa"]) == "19698±3935"
    missed = [column for column in COLUMNS if math.isnan(TABLE_2["Cumulative()"][column].mean)]
    assert missed == list(COLUMNS[:-1])
    assert str(TABLE_2["Window(5000)"]["LED", "MC"]) == "6419±860"
    assert str(TABLE_3["Window(5000)"]["Waveform", "MC"]) == "662±60 (0;5)"


@pytest.mark.parametrize("table", ["table2", "table3"])
def test_printed_columns_are_ours(table: str) -> None:
    found = printed("gama2013")[table]
    assert found.columns == [f"{stream} {leaf}" for stream, leaf in COLUMNS]
    for name, cells in printed_delays(found).items():
        assert [str(cell) for cell in cells.values()] == found.rows[name]


def test_text_that_is_no_delay_is_refused() -> None:
    with pytest.raises(ValueError, match="'12' is not a delay"):
        parse_delay("12")


def test_near_is_within_two_printed_deviations() -> None:
    theirs, miss = DetectionDelay(1000, 100, 0, 0), parse_delay("miss")
    assert DetectionDelay(1200, 5, 0, 0).is_near(theirs)
    assert not DetectionDelay(1201, 500, 0, 0).is_near(theirs)
    assert not miss.is_near(theirs)
    assert miss.is_near(miss)
    assert not theirs.is_near(miss)


def test_our_delays_follow_from_the_alarms_after_the_drift() -> None:
    drift = RUNS.drift("RBF")
    rows = [[drift + 100], [], [drift - 5, drift + 300, drift + 400], [drift + 200]]
    alarms = {name: [np.array(each, np.int64) for each in rows] for name in DETECTORS}
    delays = Delays({("RBF", "MC"): alarms}, RUNS)
    name = plain("Window(1000)")
    assert str(our_delay(delays.score(("RBF", "MC"), name))) == "200±100 (1;1)"
    assert delays.by_run(("RBF", "MC"), name) == pytest.approx([100, np.nan, 300, 200], nan_ok=True)
    other = plain("Window(2000)")
    alarms[other][0] = alarms[other][0][:0]
    assert list(delays.pairs(name, other)) == [(250, 250)]
    assert delays.both((("RBF", "MC"), name), (("RBF", "NBa"), name)) is None
