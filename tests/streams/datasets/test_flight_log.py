"""Real flights as an event log give the same stream as one row per flight."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import streamgauge as sg
from tests.conftest import real_data
from tests.streams.logs import assert_same
from tests.streams.tables import write


def flights(path: Path) -> str:
    """The rows of airlines_atl_2008w1 as an event log; at equal minutes arrivals come first."""
    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    roles = ("instanceId", "predict_ts_min", "label_ts_min", "target")
    features = [name for name in rows[0] if name not in roles]
    events: list[tuple[int, list[str]]] = []
    for row in rows:
        cells = [row[name] for name in features]
        events.append((int(row["predict_ts_min"]), [row["instanceId"], "", *cells]))
    for row in rows:
        label = [row["instanceId"], row["target"], *[""] * len(features)]
        events.append((int(row["label_ts_min"]), label))
    events.sort(key=lambda event: event[0])  # stable for equal minutes
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["minute", "flight", "y", *features])
    writer.writerows([time, *cells] for time, cells in events)
    return out.getvalue()


def test_event_log_of_real_flights_equals_their_rows(tmp_path: Path) -> None:
    path = real_data("airlines_atl_2008w1")
    log = write(tmp_path / "flights.csv.gz", flights(path))
    stream = sg.read_events(log, "y", id="flight", time="minute")
    rows = sg.read(
        path, "target", drop=["instanceId"], arrives="predict_ts_min", revealed="label_ts_min"
    )
    assert stream.rows == 7_541
    assert dict(stream.skipped) == {}
    assert_same(stream, rows)
    for source in (stream, rows):
        again = sg.Reevaluate(10, 50)
        run = sg.evaluate(source, sg.NaiveBayes(), labels=sg.FromStream(), reevaluate=again)
        accuracy = run.bins_at(6_227)["accuracy"]
        assert [round(100 * accuracy[b], 2) for b in (0, 45, 51)] == [47.53, 48.84, 49.24]
