"""Feeds: what a cell means does not depend on the lines around it or on when they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.prequential.reasons import UNREADABLE
from tests.monitoring.logs import make_monitor

ONE_FEED = {
    "predictions": {
        "path": "log.csv", "prediction": "prediction", "label": "label", "label_time": "label_time",
    },
    "labels": None,
}  # fmt: skip

_ids = st.sampled_from(["1", "2", "7", "", '"8"', '"9', '"x""y"', "é", "1e17", "\t3"])
_times = st.sampled_from(
    [
        "0", "3", "9", "20", "-4", "soon", "", "9223372036854775807", "-9223372036854775808", "1.5",
        "9000000000000000000", "2026-01-01", '"5"', '"6', "0x10",
    ]
)  # fmt: skip
_labels = st.sampled_from(
    ["a", "b", "c", "", '"a"', '"b', "z", "\u00a0a", '"\u00a0"', "a\r", "a,b"]
)
_line = st.tuples(_ids, _times, _labels).map(",".join)
_anything = st.one_of(_line, st.sampled_from(["", "  ", '"', '"""', ",,", "\x00", "{}"]))
hostile = st.lists(_anything, max_size=25)


def summary(monitor: sg.Monitor) -> Any:
    """All that must not depend on when lines were read: examples are the first ones to be seen."""
    status = monitor.status()
    del status["examples"]
    for model in status["models"].values():
        del model["bytes"]
    return status


@given(predictions=hostile, labels=hostile, cuts=st.lists(st.floats(0, 1), max_size=4))
def test_figures_and_counts_do_not_depend_on_how_reads_cut_the_files(
    tmp_path_factory: pytest.TempPathFactory,
    predictions: list[str],
    labels: list[str],
    cuts: list[float],
) -> None:
    folder = tmp_path_factory.mktemp("log")
    texts = {
        "p.csv": "".join(f"{line}\n" for line in ["id,time,prediction", *predictions]).encode(),
        "l.csv": "".join(f"{line}\n" for line in ["id,time,label", *labels]).encode(),
    }
    rules = {"join": {"timeout": 50, "remember": 20, "lateness": 5}}
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    whole = make_monitor(folder, state="whole", **rules)
    whole.finish()
    expected = summary(whole)
    whole.close()
    for name in texts:
        (folder / name).write_bytes(b"")
    for part in [*sorted(cuts), 1.0]:
        monitor = make_monitor(folder, state="cut", **rules)
        for name, text in texts.items():
            with (folder / name).open("r+b") as file:
                done = file.seek(0, 2)
                file.write(text[done : max(done, round(part * len(text)))])
            monitor.catch_up()
        monitor.save()
        monitor.close()
    cut = make_monitor(folder, state="cut", **rules)
    cut.finish()
    assert summary(cut) == expected
    cut.close()


def one_feed(folder: Path, lines: list[str]) -> sg.Monitor:
    header = "id,time,prediction,label,label_time"
    (folder / "log.csv").write_text("\n".join([header, *lines, ""]))
    monitor = make_monitor(folder, **ONE_FEED)
    monitor.finish()
    return monitor


def test_label_whose_time_is_garbage_is_counted_and_its_prediction_used(tmp_path: Path) -> None:
    monitor = one_feed(
        tmp_path,
        ["1,0,a,,", "2,1,a,a,", "3,2,b,a,soon", "4,3,a,a,9", "1,4,,a,never", "4,5,a,,soon"],
    )
    status = monitor.status()
    assert status["counts"] == {UNREADABLE: 2}
    assert "log.csv, line 4: 'label_time' is 'soon'; expected an integer" in status["examples"][0]
    model = status["models"]["monitor"]
    assert (model["arrived"], model["scored"]) == (4, 2)
    assert model["counts"] == {"a second prediction of an id; the first one counts": 1}


@pytest.mark.parametrize("far", [2**63 - 1, -(2**63), 9 * 10**18, -9 * 10**18, 2**62, -(2**62)])
def test_integer_times_that_sums_cannot_hold_are_counted(tmp_path: Path, far: int) -> None:
    monitor = one_feed(tmp_path, ["1,0,a,a,5", f"2,{far},a,a,5", f"3,3,a,a,{far}", "4,4,a,a,6"])
    status = monitor.status()
    assert status["counts"] == {UNREADABLE: 2}
    assert status["models"]["monitor"]["scored"] == 2


@pytest.mark.parametrize("time", ["2300-01-01T00:00Z", "1700-01-01T00:00Z", "10000-01-01T00:00Z"])
def test_timestamps_that_sums_cannot_hold_are_counted(tmp_path: Path, time: str) -> None:
    (tmp_path / "p.csv").write_text(
        f"id,time,prediction\n1,2026-01-01T00:00Z,a\n2,{time},a\n3,2026-01-01T00:01Z,b\n"
    )
    (tmp_path / "l.csv").write_text(f"id,time,label\n1,2026-01-01T00:02Z,a\n3,{time},b\n")
    monitor = make_monitor(tmp_path, join={"timeout": "1h"}, scores={})
    monitor.finish()
    status = monitor.status()
    assert status["counts"] == {UNREADABLE: 2}
    assert status["models"]["monitor"]["scored"] == 1


@pytest.mark.parametrize("beside", ["", '{"id": "x", "time": 1}\n', '{"id": 0.5, "time": 1}\n'])
def test_large_float_ids_are_joined_whatever_stands_beside_them(
    tmp_path: Path, beside: str
) -> None:
    (tmp_path / "p.jsonl").write_text('{"id": 1e17, "time": 0, "prediction": "a"}\n' + beside)
    (tmp_path / "l.jsonl").write_text('{"id": 100000000000000000, "time": 5, "label": "a"}\n')
    monitor = make_monitor(
        tmp_path,
        predictions={"path": "p.jsonl", "prediction": "prediction"},
        labels={"path": "l.jsonl"},
    )
    monitor.finish()
    assert monitor.status()["models"]["monitor"]["scored"] == 1


def test_integers_do_not_become_timestamps_beside_texts(tmp_path: Path) -> None:
    """All integers in one read, and a text in another: both are read by the same rule."""
    lines = [{"id": i, "time": "2026-01-01T00:00Z", "prediction": "a"} for i in range(3)]
    monitor = None
    for number, time in enumerate([None, 5, 6]):
        with (tmp_path / "p.jsonl").open("a") as file:
            for line in lines:
                file.write(json.dumps(line | ({} if time is None else {"time": time})) + "\n")
        (tmp_path / "l.jsonl").touch()
        monitor = monitor or make_monitor(
            tmp_path,
            predictions={"path": "p.jsonl", "prediction": "prediction"},
            labels={"path": "l.jsonl"},
            join={"timeout": "1h"},
            scores={},
        )
        monitor.catch_up()
        assert monitor.counts.get(UNREADABLE, 0) == 3 * number


def test_times_of_another_kind_are_counted_and_the_rest_used(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n0,2026-01-01,a\n1,0,a\n2,1,b\n")
    (tmp_path / "l.csv").write_text("id,time,label\n1,2026-01-01T00:00Z,a\n2,5,b\n")
    monitor = make_monitor(tmp_path)
    monitor.finish()
    status = monitor.status()
    assert status["counts"] == {UNREADABLE: 2}
    assert (
        "l.csv, line 2: 'time' is '2026-01-01T00:00Z'; expected an integer, since timeout = 50"
        in (status["examples"][1])
    )
    assert status["models"]["monitor"]["scored"] == 1


@pytest.mark.parametrize("column", ["id", "time", "prediction", "label"])
@pytest.mark.parametrize(
    "cells",
    [
        pa.array([2**63, 2**64 - 1, 3], pa.uint64()),
        pa.array([{"a": 1}, {"a": 2}, None]),
        pa.array([[1], [], None]),
        pa.array([1, 2, 3], pa.decimal128(5, 2)),
        pa.array([2**52, 0, None], pa.timestamp("s")),
        pa.array([2**52, 0, None], pa.timestamp("s", "Nowhere/Nothing")),
        pa.array([b"\xff", b"a", None]),
        pa.array([True, False, None]),
        pa.array([float("inf"), float("nan"), 1e300]),
        pa.array([None, None, None]),
        pa.array([1, 2, 3], pa.duration("ns")),
    ],
    ids=lambda cells: str(cells.type),
)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_columns_of_strange_types_are_read_or_counted(
    tmp_path: Path, column: str, cells: pa.Array, task: str
) -> None:
    regression = task == "regression"
    value = [1.5, 2.5, 3.5] if regression else ["a", "b", "c"]
    table = pa.table(
        {"id": ["1", "2", "3"], "time": [0, 1, 2], "prediction": value, "label": value}
    )
    (tmp_path / "in").mkdir()
    place = table.column_names.index(column)
    pq.write_table(table.set_column(place, column, cells), tmp_path / "in" / "1.parquet")
    good = table.set_column(0, "id", pa.array(["4", "5", "6"]))
    good = good.set_column(1, "time", pa.array([10, 11, 12]))
    pq.write_table(good, tmp_path / "in" / "2.parquet")
    feed = {"path": "in", "prediction": "prediction", "label": "label"}
    changes: dict[str, Any] = {"task": task, "classes": None} if regression else {}
    monitor = make_monitor(tmp_path, predictions=feed, labels=None, scores={}, **changes)
    monitor.finish()
    status = monitor.status()
    assert status["lines"] == {"predictions": 6}
    assert status["models"]["monitor"]["scored"] >= 3


def test_infinite_labels_are_counted_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,0,1.5\n2,1,inf\n3,2,1e400\n4,3,+1.\n")
    (tmp_path / "l.csv").write_text("id,time,label\n1,5,inf\n2,6,nan(x)\n3,7,1_0\n4,8,1e0\n")
    monitor = make_monitor(tmp_path, classes=None, task="regression", scores={"every": 1})
    monitor.finish()
    status = monitor.status()
    assert status["counts"] == {UNREADABLE: 5}
    assert monitor.runs["monitor"].summary["mae"] == 0
