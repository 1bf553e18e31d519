"""CSV lines: a line is a row, whatever its quotes, and none depends on those around it."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.formats.csv_lines import CsvLines

HEADER = b"id,text\n"
pieces = st.sampled_from(
    [
        b'"', b'""', b",", b"\r", b" ", b"a", b"7", b"\t", b"\xc3\xa9", b"\xff", b"\x00",
        b"\xef\xbb\xbf", b"\xc2\xa0", b"1,x", b'"1","x"',
    ]
)  # fmt: skip
lines = st.lists(st.lists(pieces, max_size=5).map(b"".join), max_size=6)


def parse(text: bytes) -> tuple[list[Any], list[int], int, int]:
    """Cells, their lines, the number of lines and of those that cannot be read."""
    parser = CsvLines(["id", "text"], "x.csv")
    parser.parse(HEADER, 1)
    piece = parser.parse(text, 2)
    cells = zip(*(piece.columns[name].to_pylist() for name in ("id", "text")), strict=True)
    return list(cells), piece.numbers.tolist(), piece.lines, piece.unreadable


def row_of(line: bytes) -> tuple[str, ...] | None:
    """The cells of a line by Python's reader; () if it is blank, None if it cannot be read."""
    line = line.removesuffix(b"\r")
    if not line.strip(b" \t"):
        return ()
    if b"\r" in line:
        return None
    try:
        cells = next(csv.reader(io.StringIO(line.decode() + "\n", newline="")))
    except (UnicodeDecodeError, csv.Error):
        return None
    return None if cells[-1].endswith("\n") or len(cells) != 2 else tuple(cells)


@given(lines)
@example([b'1,"x', b"2,y", b'3,z"'])
@example([b'x","b', b"1,x"])
@example([b'"\r"', b'1,"x'])
def test_each_line_is_read_by_itself(given: list[bytes]) -> None:
    found = parse(b"".join(line + b"\n" for line in given))
    expected = [row_of(line) for line in given]
    rows = [(row, place) for place, row in enumerate(expected, 2) if row]
    assert found[0] == [row for row, _ in rows]
    assert found[1] == [place for _, place in rows]
    assert found[2:] == (len(given), expected.count(None))


@given(lines, st.integers(0, 6))
def test_cuts_between_lines_change_nothing(given: list[bytes], cut: int) -> None:
    before, after = (b"".join(line + b"\n" for line in part) for part in (given[:cut], given[cut:]))
    whole, first, second = parse(before + after), parse(before), parse(after)
    assert whole[0] == first[0] + second[0]
    assert whole[2:] == (first[2] + second[2], first[3] + second[3])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'2,"b\n', "a quote is not closed before the end of the line: '2,\"b'"),
        (b"2,b,c\n", "another number of cells than the 2 columns: '2,b,c'"),
        (b"2,a\rb\n", "a carriage return within the line"),
        (b"2,\xff\n", "not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named(line: bytes, why: str) -> None:
    parser = CsvLines(["text"], "x.csv")
    piece = parser.parse(HEADER + b"1,a\n" + line + b"3,c\n", 1)
    assert piece.columns["text"].to_pylist() == ["a", "c"]
    assert piece.unreadable == 1
    assert piece.examples[0].startswith(f"x.csv, line 3: {why}")


def test_header_is_needed_once() -> None:
    parser = CsvLines(["id"], "x.csv")
    for header in (b"\xff,id\n", b"id,id\n", b"ix,text\n"):
        with pytest.raises((sg.InputError, sg.UsageError)):
            parser.parse(header, 1)
    assert parser.parse(HEADER + b"1,a\n", 1).columns["id"].to_pylist() == ["1"]
    assert parser.parse(b"2,b\n", 1).columns["id"].to_pylist() == ["2"], "a file without a header"
    assert parser.parse(b"x,id\nb,3\n", 1).columns["id"].to_pylist() == ["3"], "another header"
