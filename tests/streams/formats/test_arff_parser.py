"""The fast ARFF parser against the slow reader: the same blocks, row counts and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.formats import arff
from streamgauge.streams.formats.arff import ArffParser, count_rows
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.reader import parts
from streamgauge.streams.formats.open_table import open_table
from tests.streams.chunks import chunks_of
from tests.streams.tables import whole

HEADER = (
    "@relation r\n@attribute a numeric\n@attribute b {z, m, 'a b', \"?\"}\n@attribute c real\n"
    "@attribute y {no, yes, None}\n@data\n"
)
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(2**53), 2**53).map(str),
    st.sampled_from(["?", "", " 3", "4 ", "1e5", "+2", "NA", "'7'", ".5", "-0", "1e400", "x"]),
)
VALUES = st.sampled_from(["z", "m", "'a b'", '"m"', " z", "z\t", "?", "'?'", "", "''", "'z,m'"])
RARE = st.sampled_from(["q", "'z", "z'", " 'z'x", "'a\\' b'", "\u00a0z", "é"])
LABELS = st.sampled_from(["no", "yes", "None", "?", "'yes'", " no"])
ROWS = st.one_of(
    st.tuples(NUMBERS, VALUES, NUMBERS, LABELS).map(",".join),
    st.tuples(NUMBERS, RARE, NUMBERS, LABELS).map(",".join),
    st.sampled_from(["", "  ", "% note", " % note", "{0 3, 3 yes}", "{}", "1,z,2", "1,z,2,no,5"]),
)
PLAIN = st.tuples(st.integers(0, 99).map(str), st.just("z"), st.just("0.5"), LABELS).map(",".join)


def result(path: Path, **options: Any) -> tuple[Any, ...]:
    """What reading gives: the stream and its rows, or the error."""
    try:
        stream = sg.read(path, "y", **options)
        block = whole(stream)
    except (sg.InputError, sg.UsageError) as error:
        return (str(error),)
    return stream.schema, stream.rows, block.X.tobytes(), block.y.tobytes()


def slow_result(path: Path, **options: Any) -> tuple[Any, ...]:
    """The same with every part read slowly."""
    with mock.patch.object(ArffParser, "_unsupported_bytes", return_value=b"\n"):
        return result(path, **options)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arff") / "table.arff"


@given(
    st.lists(st.one_of(PLAIN, ROWS), max_size=25),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(64, 400),
    st.sampled_from([{}, {"drop": ["c"]}, {"nominal": ["a"]}, {"features": ["c"]}]),
)
def test_same_as_the_slow_reader(
    path: Path, rows: list[str], end: str, open_end: bool, size: int, options: Any
) -> None:
    text = HEADER + "0,z,1,no" + end + end.join(rows) + ("" if open_end else end)
    path.write_bytes(text.encode())
    with chunks_of(size):
        assert result(path, **options) == slow_result(path, **options)


@given(st.lists(st.one_of(PLAIN, ROWS), max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_rows_are_counted_as_they_are_read(path: Path, rows: list[str], end: str) -> None:
    path.write_bytes((HEADER + "0,z,1,no" + end + end.join(rows)).encode())
    lines = "\n".join(rows).split("\n")
    expected = 1 + sum(bool(t.strip()) and not t.strip().startswith("%") for t in lines)
    for size in (70, 1 << 19):
        header = len(HEADER.encode())
        assert sum(map(count_rows, parts(path, size, header))) == expected


def test_a_pass_does_not_parse_what_the_header_says_before(path: Path) -> None:
    """Opening counts the rows and parses none; the first pass then checks every cell."""
    path.write_text(HEADER + "1,z,2,no\n" * 50 + "1,q,2,no\n")
    with mock.patch.object(ArffParser, "parse", side_effect=AssertionError):
        stream = sg.read(path, "y")
    assert (stream.rows, stream.schema.classes) == (51, ("no", "yes", "None"))
    for _ in range(2):  # in every pass
        with pytest.raises(sg.InputError, match=r"row 50 \(line 57\): column 'b' is 'q'"):
            whole(stream)


def test_plain_parts_are_parsed_fast_and_others_slowly(path: Path) -> None:
    plain = "1,'a b',2,no\n" * 20
    path.write_text(HEADER + plain + "% a comment\n" + plain)
    with chunks_of(130):
        table = open_table(path)
        chunks = list(table.chunks(["a", "b", "c"], dict(table.guessed_types)))
    assert [isinstance(chunk, Chunk) for chunk in chunks].count(False) == 1
    assert sum(chunk.num_rows for chunk in chunks) == 40
    assert {str(cell) for chunk in chunks for cell in chunk["b"]} == {"a b"}


def test_a_part_with_odd_quotes_does_not_slow_down_the_next(path: Path) -> None:
    path.write_text(HEADER.replace("{z,", "{'\"q', z,") + "1,'\"q',2,no\n" + "1,z,2,no\n" * 300)
    with chunks_of(200):
        table = open_table(path)
        chunks = list(table.chunks(["a", "b", "c"], dict(table.guessed_types)))
        cells = whole(sg.read(path, "y")).X[:, 1]
    assert [isinstance(chunk, Chunk) for chunk in chunks].count(False) == 1
    assert cells.tolist() == [0.0] + [1.0] * 300


def test_quotes_are_read_slowly_if_a_column_is_left_out(path: Path) -> None:
    """A quoted comma in a column that is not read would shift the others unnoticed."""
    path.write_text(HEADER + "1,z,2,no\n'1,z',2,no\n")
    message = "line 8: expected 4 cells, got 3"
    with pytest.raises(sg.InputError, match=message):
        whole(sg.read(path, "y", drop=["a", "b"]))


def test_an_ambiguous_label_is_an_error_in_the_pass(path: Path) -> None:
    path.write_text(HEADER.replace(", None}", "}") + "1,z,2,no\n1,z,2,NA\n")
    with pytest.raises(sg.InputError, match="target 'y' holds 'NA': is it a class"):
        whole(sg.read(path, "y"))


def test_numeric_targets_and_undeclared_columns_are_scanned(path: Path) -> None:
    """Only the cells tell whether these are classes, numbers or names."""
    head = "@attribute s string\n@attribute a numeric\n@attribute y numeric\n@data\n"
    path.write_text(head + "".join(f"w{i % 3},{i},{i % 4}\n" for i in range(30)))
    classes = sg.read(path, "y")
    assert classes.schema.values == (("w0", "w1", "w2"), ())
    assert classes.schema.classes == (0, 1, 2, 3)
    path.write_text(head + "".join(f"w{i % 3},{i},{i + 0.5}\n" for i in range(300)))
    assert sg.read(path, "y").schema.regression
    np.testing.assert_array_equal(whole(sg.read(path, "y")).y, np.arange(300) + 0.5)


def test_large_integers_are_errors_as_in_the_slow_reader(path: Path) -> None:
    path.write_text(HEADER + f"1,z,2,no\n{2**53 + 1},z,2,no\n")
    assert result(path) == slow_result(path)
    assert "an integer beyond 2^53" in result(path)[0]
    path.write_text(HEADER + "1e300,z,2,no\n")
    assert result(path)[1] == 1


def test_bytes_that_begin_a_line_of_no_row() -> None:
    """The fast count leaves lines to the slow one that may be blank."""
    lines = [b"1,z\n", b"\xc2\xa0\n", b" \n", b"%\n", b"\n", b" 2,z\n"]
    data = bytearray(b"".join(lines))
    size = len(data)
    assert count_rows((data + bytes(64), 0, size, size)) == 2
    assert arff._count_plain_rows(np.zeros(64, np.uint8), 0, 0) == 0
