"""Streams from CSV files: column types, missing cells, times, blocks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.testing import check_stream
from tests.conftest import real_data
from tests.streams.chunks import chunks_of
from tests.streams.tables import numbers, whole, write

WEATHER = """temp,sky,wind,label
20.5,clear,3,go
21,cloudy,?,stay
,clear,NA,go
19,?,7,
18,rain,8,stay
"""


def csv(tmp_path: Path, text: str, **options: Any) -> sg.Stream:
    options = {"target": "y"} | options
    return sg.read(write(tmp_path / "table.csv", text), **options)


@pytest.mark.parametrize("name", ["weather.csv", "weather.csv.gz"])
def test_column_types_are_inferred(tmp_path: Path, name: str) -> None:
    stream = sg.read(write(tmp_path / name, WEATHER), target="label")
    check_stream(stream)
    assert stream.name == "weather"
    assert stream.rows == 5
    assert stream.schema.features == ("temp", "sky", "wind")
    assert stream.schema.values == ((), ("clear", "cloudy", "rain"), ())
    assert stream.schema.classes == ("go", "stay")
    assert not stream.schema.time
    block = whole(stream)
    assert numbers(block.X[:, 0]) == [20.5, 21, None, 19, 18]
    assert numbers(block.X[:, 1]) == [0, 1, 0, None, 2]
    assert numbers(block.X[:, 2]) == [3, None, None, 7, 8]
    assert block.y.tolist() == [0, 1, 0, -1, 1]
    assert stream.describe() == "weather · 5 rows · 3 features · 2 classes"


def test_path_as_text_and_stream_name(tmp_path: Path) -> None:
    path = write(tmp_path / "weather.csv", WEATHER)
    assert sg.read(str(path), "label", name="sky").name == "sky"


@pytest.mark.parametrize(
    "empty", ["", "?", "NA", "N/A", "NaN", "nan", "NAN", "-nan", "null", "None"]
)
def test_missing_cells_in_any_spelling(tmp_path: Path, empty: str) -> None:
    stream = csv(tmp_path, f"number,name,y\n1,u,0\n{empty},{empty},1\n3,v,{empty}\n")
    assert stream.schema.classes == (0, 1)
    assert stream.schema.values == ((), ("u", "v"))
    block = whole(stream)
    assert numbers(block.X[:, 0]) == [1, None, 3]
    assert numbers(block.X[:, 1]) == [0, None, 1]
    assert block.y.tolist() == [0, 1, -1]


def test_empty_column_is_numeric(tmp_path: Path) -> None:
    stream = csv(tmp_path, "a,b,y\n,1,0\n,2,1\n")
    assert stream.schema.values == ((), ())
    assert np.isnan(whole(stream).X[:, 0]).all()


def test_nominal_column_may_start_with_missing_cells(tmp_path: Path) -> None:
    stream = csv(tmp_path, "a,y\n,0\n?,1\nred,0\n7,1\n")
    assert stream.schema.values == (("7", "red"),)
    assert numbers(whole(stream).X[:, 0]) == [None, None, 1, 0]


def test_numbers_in_any_spelling(tmp_path: Path) -> None:
    stream = csv(tmp_path, 'a,y\n1e3,0\n-.5,1\n+2,0\n 3.25,1\n4 ,0\n"5",1\n')
    assert stream.schema.values == ((),)
    assert whole(stream).X[:, 0].tolist() == [1000, -0.5, 2, 3.25, 4, 5]


def test_line_ends_quotes_and_byte_order_mark(tmp_path: Path) -> None:
    text = '\ufeff"a,1",b,y\r\n"x, ""y""",1,0\r\nz,2,1\r\n'
    stream = csv(tmp_path, text)
    assert stream.schema.features == ("a,1", "b")
    assert stream.schema.values == (('x, "y"', "z"), ())
    assert stream.rows == 2


def test_declared_nominal_column(tmp_path: Path) -> None:
    text = "month,y\n10,0\n9,1\n1,0\n,1\n"
    assert csv(tmp_path, text).schema.values == ((),)
    declared = csv(tmp_path, text, nominal=["month"])
    assert declared.schema.values == (("1", "9", "10"),)  # by size
    assert numbers(whole(declared).X[:, 0]) == [2, 1, 0, None]


def test_features_and_drop(tmp_path: Path) -> None:
    text = "id,a,b,y\n1,1,2,0\n2,3,4,1\n"
    assert csv(tmp_path, text, drop=["id"]).schema.features == ("a", "b")
    chosen = csv(tmp_path, text, features=["b", "id"])
    assert chosen.schema.features == ("b", "id")
    assert whole(chosen).X.tolist() == [[2, 1], [4, 2]]


def test_target_without_features(tmp_path: Path) -> None:
    stream = csv(tmp_path, "y\na\nb\na\n")
    check_stream(stream)
    assert whole(stream).X.shape == (3, 0)
    assert sg.evaluate(stream, sg.Persistent()).counts.scored == 3


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["10", "9", "100"], (9, 10, 100)),  # integers by size, as numbers
        (["-1", "1", "-10"], (-10, -1, 1)),
        (["2.0", "1.0", "2.0"], (1, 2)),
        (["b", "a", "C"], ("C", "a", "b")),  # text by code point
        (["10", "9", "x"], None),  # text after numbers is an error
        (["x", "10", "9"], ("10", "9", "x")),
        (
            ["01", "1", "0"],
            ("0", "01", "1"),
        ),  # 01 is text, so all are
    ],
)
def test_order_of_classes(
    tmp_path: Path, cells: list[str], classes: tuple[str | int, ...] | None
) -> None:
    text = "a,y\n" + "".join(f"1,{cell}\n" for cell in cells)
    if classes is None:
        with pytest.raises(sg.InputError, match=r"row 2 \(line 4\): column 'y' is 'x'"):
            csv(tmp_path, text)
        return
    stream = csv(tmp_path, text)
    assert stream.schema.classes == classes
    assert [str(classes[c]) for c in whole(stream).y] == [c.removesuffix(".0") for c in cells]


@pytest.mark.long
def test_order_of_classes_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Sets of strings iterate differently in each process; the order must not depend on that."""
    path = write(tmp_path / "t.csv", "a,y\n" + "".join(f"1,{'0' * n}7\n" for n in range(12)))
    code = "import sys, streamgauge as sg; print(sg.read(sys.argv[1], 'y').schema.classes)"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{tuple('0' * n + '7' for n in reversed(range(12)))}\n"}


def test_declared_classes(tmp_path: Path) -> None:
    text = "a,y\n1,1\n2,0\n3,\n"
    for declared in (["1", "0", "2"], [1, 0, 2], [1.0, 0.0, 2.0]):
        stream = csv(tmp_path, text, classes=declared)
        assert stream.schema.classes == tuple(declared)
        assert whole(stream).y.tolist() == [0, 1, -1]
    assert whole(csv(tmp_path, "a,y\n1,0.0\n2,1.0\n", classes=[0, 1])).y.tolist() == [0, 1]
    for yes, no in (("True", "False"), ("true", "false")):
        stream = csv(tmp_path, f"a,y\n1,{yes}\n2,{no}\n", classes=[False, True])
        assert whole(stream).y.tolist() == [1, 0]
    one = csv(tmp_path, "a,y\n1,u\n2,u\n", classes=["u", "v"])  # one of two is fine
    assert one.schema.classes == ("u", "v")


def test_regression_targets(tmp_path: Path) -> None:
    stream = csv(tmp_path, "a,y\n1,0.5\n2,\n3,7\n")
    check_stream(stream)
    assert stream.schema.regression
    assert numbers(whole(stream).y) == [0.5, None, 7]
    many = "a,y\n" + "".join(f"1,{i}\n" for i in range(101))
    assert csv(tmp_path, many).schema.regression  # more than 100 integers
    few = "a,y\n" + "".join(f"1,{i % 100}\n" for i in range(300))
    assert len(csv(tmp_path, few).schema.classes) == 100
    assert csv(tmp_path, few, task="regression").schema.regression
    halves = "a,y\n1,0.5\n2,1.5\n3,0.5\n"
    assert csv(tmp_path, halves, task="classification").schema.classes == (0.5, 1.5)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["5", "5", "9"], [5, 5, 9]),
        (["1970-01-01T00:00:00.000000005", "1970-01-01 00:00:01", "1970-01-02"],
         [5, 10**9, 86_400 * 10**9]),
        (["1970-01-01T00:00Z", "1970-01-01T02:00:01+02:00", "1970-01-01T00:00:02.5Z"],
         [0, 10**9, 2_500_000_000]),
    ],
)  # fmt: skip
def test_arrival_times(tmp_path: Path, cells: list[str], expected: list[int]) -> None:
    text = "t,a,y\n" + "".join(f"{cell},1,{i % 2}\n" for i, cell in enumerate(cells))
    stream = csv(tmp_path, text, arrives="t")
    assert stream.schema.time
    assert stream.schema.features == ("a",)
    block = whole(stream)
    assert block.arrives is not None
    assert block.arrives.tolist() == expected
    assert block.revealed is None


def test_empty_reveal_time_is_never(tmp_path: Path) -> None:
    stream = csv(tmp_path, "a,r,y\n1,3,0\n2,,1\n3,?,0\n4,9,1\n", revealed="r")
    check_stream(stream)
    block = whole(stream)
    assert block.revealed is not None
    assert block.revealed.tolist() == [3, NEVER, NEVER, 9]
    run = sg.evaluate(stream, sg.Majority(), labels=sg.FromStream())
    assert (run.counts.scored, run.counts.unlabelled) == (2, 2)


def test_take_returns_the_first_rows(tmp_path: Path) -> None:
    text = "a,t,y\n" + "".join(f"{i},{i},{i % 3}\n" for i in range(20))
    stream = csv(tmp_path, text, arrives="t")
    for n in (1, 7, 8, 19):
        taken = stream.take(n)
        check_stream(taken)
        assert taken.rows == n
        assert taken.name == f"table[:{n}]"
        assert taken.schema == stream.schema
        assert whole(taken).X[:, 0].tolist() == list(range(n))
        assert [len(block) for block in taken.blocks(n)] == [n]  # and no empty one after it
    assert whole(stream.take(9).take(4)).X[:, 0].tolist() == [0, 1, 2, 3]
    assert whole(stream.take(4).take(9)).X[:, 0].tolist() == [0, 1, 2, 3]
    everything = stream.take(99)
    assert (everything.rows, everything.name) == (20, "table")
    with pytest.raises(sg.UsageError, match=r"take\(0\): expected at least 1 row"):
        stream.take(0)


@chunks_of(1 << 12)  # Arrow reads some dozens ahead
def test_memory_use_is_bounded(tmp_path: Path, arrow_bytes: list[int]) -> None:
    rows = 150_000
    text = "a,b,y\n" + "0.125,abcdefgh,up\n0.250,hgfedcba,no\n" * (rows // 2)
    before = pa.total_allocated_bytes()
    stream = csv(tmp_path, text)
    for block in stream.blocks(1000):
        assert len(block) == 1000
        arrow_bytes.append(pa.total_allocated_bytes())
    assert len(arrow_bytes) > 150 + len(text) // (1 << 13)
    assert max(arrow_bytes) - before < len(text) / 4  # a file of 2.7 MB


def test_fingerprint_depends_on_content_and_roles(tmp_path: Path) -> None:
    text = "a,b,y\n1,2,0\n3,4,1\n"
    one, other = write(tmp_path / "one.csv", text), write(tmp_path / "other.csv", text)
    same = sg.read(one, "y").fingerprint()
    assert sg.read(other, "y").fingerprint() == same
    assert sg.read(one, "y", nominal=["a"]).fingerprint() != same
    assert sg.read(write(other, text.replace("4", "5")), "y").fingerprint() != same
    assert sg.read(one, "y").take(1).fingerprint() != same


def test_reveal_times_of_real_flights() -> None:
    path = real_data("nycflights13_atl")
    stream = sg.read(
        path, "target", features=["carrier", "distance", "hour"],
        arrives="planned_dep_utc", revealed="actual_arr_utc",
    )  # fmt: skip
    assert stream.rows == 17_215
    assert stream.schema.classes == (0, 1)
    assert stream.schema.values[1:] == ((), ())
    assert "DL" in stream.schema.values[0]
    first = next(stream.blocks(2))
    assert first.arrives is not None
    assert first.revealed is not None
    assert first.arrives.astype("M8[ns]").astype("M8[m]").astype(str).tolist() == [
        "2013-01-01T11:00", "2013-01-01T11:00",
    ]  # fmt: skip
    assert str(first.revealed.astype("M8[ns]")[0]) == "2013-01-01T13:12:00.000000000"


def test_missing_cells_of_real_data() -> None:
    stream = sg.read(real_data("ozone_onehr"), "target", drop=["Date"])
    assert stream.rows == 2_536
    assert len(stream.schema.features) == 72
    assert not any(stream.schema.values)
    assert np.isnan(whole(stream).X).any()
    check_stream(stream)
