"""Curves carry the times at which their points were reached."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import streamgauge as sg
from tests.messages import usage_error

ROWS = 50
HOURS = pd.date_range("2024-01-01", periods=ROWS, freq="h")
Y = np.arange(ROWS) % 2
X = np.zeros((ROWS, 1))


def run_of(
    arrives: object, wait: object, labels: sg.LabelPolicy | None = None, **options: object
) -> sg.Run:
    revealed = None if wait is None else arrives + wait  # type: ignore[operator]
    stream = sg.from_arrays(X, Y, arrives=arrives, revealed=revealed)  # type: ignore[arg-type]
    run: sg.Run = sg.evaluate(stream, sg.NaiveBayes(), labels=labels, every=20, **options)  # type: ignore[call-overload]
    return run


def test_times_are_those_of_the_last_row_of_each_point(tmp_path: Path) -> None:
    for zone, kind in ((None, "timestamp[ns]"), ("Asia/Tokyo", "timestamp[ns, tz=UTC]")):
        hours = HOURS.tz_localize(zone)
        run = run_of(hours, pd.Timedelta("90min"))
        expected = (hours + pd.Timedelta("90min"))[[19, 39, 49]]
        if zone:
            expected = expected.tz_convert("UTC").tz_localize(None)
        for each in (run, sg.open_run(run.save(tmp_path))):
            assert each.curve.times is not None
            assert each.curve.rows.tolist() == [20, 40, 50]
            assert each.curve.times.tolist() == expected.to_numpy("datetime64[ns]").tolist()
            table = each.to_frame("arrow")
            assert str(table.schema.field("time").type) == kind
            assert len(table["time"]) == 2 * 3  # Cumulative() and Window(1000)
        shown = run.to_dict()["times"]
        assert shown["first"].startswith(str(expected[0].isoformat()[:16]))
        assert shown["first"].endswith("Z") == (zone is not None)


def test_integer_times_and_row_numbers() -> None:
    run = run_of(np.arange(ROWS) * 10, 5)
    assert run.curve.times is not None
    assert run.curve.times.tolist() == [195, 395, 495]
    assert run.to_dict()["times"] == {"first": 195, "last": 495}
    at_once = run_of(np.arange(ROWS) * 10, None)  # Immediate(): the label comes on arrival
    assert at_once.curve.times is not None
    assert at_once.curve.times.tolist() == [190, 390, 490]
    for untimed in (
        run_of(np.arange(ROWS), 5, sg.Delay(3)),
        sg.evaluate(sg.SEA(100), sg.NaiveBayes()),
    ):
        assert untimed.curve.times is None
        assert "time" not in untimed.to_frame("arrow").column_names
        assert untimed.to_dict()["times"] is None


def test_time_window_of_hours_counts_the_rows_of_those_hours() -> None:
    right = (np.arange(ROWS) % 3 > 0).astype(int)
    guess = np.where(right, Y, 1 - Y)
    known = HOURS + pd.Timedelta("2h")
    day = sg.TimeWindow("24h")
    run = sg.score(Y, guess, arrives=HOURS, revealed=known, forget=[day], every=1)
    for i in (0, 10, 23, 24, 49):
        within = (known > known[i] - pd.Timedelta("24h")) & (known <= known[i])
        assert run.curve["accuracy", "TimeWindow('24h')"][i] == pytest.approx(right[within].mean())
    at_once = run_of(HOURS, None, forget=[sg.TimeWindow(timedelta(hours=3))])
    assert at_once.curve.forgettings == ("TimeWindow('3h')",)


def test_hours_need_timestamps() -> None:
    hours = [sg.TimeWindow("3h")]
    counted = usage_error(run_of, HOURS, pd.Timedelta("1h"), sg.Delay(3), forget=hours)
    assert "TimeWindow('3h'): Delay(3) counts rows, so labels have no times" in counted
    units = usage_error(run_of, np.arange(ROWS), 5, forget=hours)
    assert "TimeWindow('3h'): the times of this stream are integers; expected a number" in units
    runs = [run_of(HOURS, None), run_of(HOURS, None)]
    assert "TimeWindow('3h'): a comparison counts rows" in usage_error(
        sg.compare, *runs, forget=hours
    )


def test_sql_over_curves_with_different_times(tmp_path: Path) -> None:
    run_of(HOURS, None).save(tmp_path)
    query = "select max(time) as last from curves group by id order by last"
    assert sg.results(tmp_path).sql(query, "arrow")["last"].to_pylist()[0] == HOURS[-1]
    sg.evaluate(sg.SEA(100), sg.NaiveBayes()).save(tmp_path)
    run_of(np.arange(ROWS), 5).save(tmp_path)
    shown = sg.results(tmp_path).sql(query, "arrow")["last"].to_pylist()
    assert shown == ["2024-01-03 01:00:00", "54", None]
