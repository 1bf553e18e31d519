"""Errors of ARFF files: the message says what is wrong and on which line."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.streams.chunks import chunks_of
from tests.streams.tables import read_error, whole

HEADER = (
    "@relation r\n@attribute a numeric\n@attribute b {z, m, a}\n@attribute y {no, yes}\n@data\n"
)
FIRST = 6  # the line of HEADER's first row


def error_of(tmp_path: Path, text: str | bytes, target: str = "y", **options: Any) -> str:
    path = tmp_path / "bad.arff"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_error(path, target, **options)


@pytest.mark.parametrize(
    ("rows", "place", "complaint"),
    [
        ("1,z,yes\n2,q,no\n", 1, "column 'b' is 'q', which the header does not list; expected one "
         "of z, m, a"),
        ("1,z,yes\n" * 5 + "2,q,no\n2,q,no\n", 5, "column 'b' is 'q', which the header does not"),
        ("1,z,yes\n2,z,maybe\n", 1, "column 'y' is 'maybe', which the header does not list; "
         "expected one of no, yes"),
        ("1,z,Yes\n", 0, "column 'y' is 'Yes', which the header does not list"),
        ("1,z,yes\n2,a,no\nthree,a,no\n", 2, "column 'a' is 'three', but the header declares it "
         "numeric; expected a number"),
        ("1,z,yes\n2,a,no\ninf,a,no\n", 2, "column 'a' is infinite; expected a finite number"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_invalid_cell_is_located(
    tmp_path: Path, rows: str, place: int, complaint: str, end: str
) -> None:
    message = error_of(tmp_path, (HEADER + rows).replace("\n", end))
    assert message.startswith(
        f"{tmp_path / 'bad.arff'}: row {place} (line {FIRST + place}): {complaint}"
    )


@chunks_of(1 << 10)
def test_undeclared_value_in_a_later_chunk(tmp_path: Path) -> None:
    message = error_of(tmp_path, HEADER + "1,z,yes\n2,a,no\n" * 1000 + "3,q,no\n")
    assert "bad.arff: row 2,000 (line 2,006): column 'b' is 'q', which the header" in message


@pytest.mark.parametrize("gap", ["\n", "% a comment\n", "\n% two, of, them\n%\n"])
def test_line_numbers_count_empty_lines_and_comments(tmp_path: Path, gap: str) -> None:
    """Empty lines and comments are lines, but not rows."""
    line = FIRST + 1 + gap.count("\n")
    message = error_of(tmp_path, HEADER + f"1,z,yes\n{gap}2,q,no\n")
    assert f"(line {line}): column 'b' is 'q', which the header does not list" in message


@pytest.mark.parametrize("gap", ["\n", "% a comment\n"])
def test_line_number_of_a_short_row(tmp_path: Path, gap: str) -> None:
    message = error_of(tmp_path, HEADER + f"1,z,yes\n{gap}2,a\n")
    assert f"{FIRST + 2}" in message.replace(str(tmp_path), "")


def test_text_in_a_numeric_column(tmp_path: Path) -> None:
    """The header declares the type, so text in the first row does not make it nominal."""
    message = error_of(tmp_path, HEADER + "one,z,yes\ntwo,a,no\n")
    assert f"row 0 (line {FIRST}): column 'a' is 'one'" in message


@pytest.mark.parametrize("place", [0, 1, 3])
@pytest.mark.parametrize("row", ["2", "2,a", "2,a,no,4", "2,a,no,4,5,6"])
def test_row_with_wrong_number_of_cells(tmp_path: Path, row: str, place: int) -> None:
    rows = ["1,z,yes"] * 4
    rows[place] = row
    message = error_of(tmp_path, HEADER + "\n".join(rows) + "\n")
    assert message.startswith(f"{tmp_path / 'bad.arff'}: cannot be read as ARFF: ")
    assert f"line {FIRST + place}: expected 3 cells, got {row.count(',') + 1}: {row!r}" in message
    assert message.endswith("expected rows of 3 cells, separated by commas")


def test_two_extra_cells_in_some_rows_only(tmp_path: Path) -> None:
    more, fewer = "1,z,yes,n1,7\n", "1,z,yes\n"
    message = error_of(tmp_path, HEADER + more + fewer)
    assert f"line {FIRST + 1}: expected 5 cells, got 3: '1,z,yes'" in message
    message = error_of(tmp_path, HEADER + fewer + more)
    assert f"line {FIRST + 1}: expected 3 cells, got 5: '1,z,yes,n1,7'" in message


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no @data line; expected an ARFF file"),
        (
            "a,y\n1,0\n2,1\n",
            "line 1: 'a,y' before the @data line; expected @relation, @attribute or a comment",
        ),
        (
            "@relation r\n@attribute a numeric\n",
            "has no @data line; expected an ARFF file",
        ),
        ("@relation r\n@data\n1,2\n", "has no @attribute line; expected one for every column"),
        (HEADER, "has a header but no rows; expected at least one row"),
        (HEADER + "\n% no rows\n\n", "has a header but no rows; expected at least one row"),
        (HEADER.removesuffix("\n"), "has a header but no rows; expected at least one row"),
    ],
)
def test_incomplete_file(tmp_path: Path, text: str, complaint: str) -> None:
    assert error_of(tmp_path, text) == f"{tmp_path / 'bad.arff'}: {complaint}"


@pytest.mark.parametrize(
    "line",
    [
        "@attribute",
        "@attribute a",
        "@attribute 'a b'",
        "@attribute a {x, y",  # not closed
        "@attribute a numric",  # unknown type
        "@attribute a b numeric",
        "@attribute 'a numeric",
    ],
)
def test_invalid_declaration(tmp_path: Path, line: str) -> None:
    text = f"% a comment\n@relation r\n{line}\n@attribute y {{u, v}}\n@data\n1,u\n2,v\n"
    assert error_of(tmp_path, text) == (
        f"{tmp_path / 'bad.arff'}: line 3: cannot parse {line!r}; expected @attribute name "
        "numeric, or @attribute name {value, value}"
    )


@pytest.mark.parametrize(
    "row", ["{0 1, 9 z}", "{a 1}", "{0 1 2", "{0}", "{0 'x}", "{0 1, 0 2}", "{0 1} 2"]
)
def test_invalid_sparse_rows(tmp_path: Path, row: str) -> None:
    message = error_of(tmp_path, HEADER + "{0 1, 1 z}\n" + row + "\n")
    expected = "expected {index value, index value} with different indices from 0 to 2"
    assert f"line {FIRST + 1}: {expected}, got {row!r}" in message


def test_repeated_column_name(tmp_path: Path) -> None:
    text = "@attribute a numeric\n@attribute 'a' numeric\n@attribute y {u, v}\n@data\n1,2,u\n"
    assert "column name 'a' appears more than once" in error_of(tmp_path, text)


def test_unclosed_quote(tmp_path: Path) -> None:
    message = error_of(
        tmp_path,
        "@attribute a {w, 'x y'}\n@attribute y {u, v}\n@data\n" + "w,u\n'x y,u\nw,v\nw,u\n",
    )
    assert "cannot be read as ARFF" in message
    assert "line 5" in message


def test_invalid_utf_8(tmp_path: Path) -> None:
    text = "@attribute a {é, b}\n@attribute y {u, v}\n@data\nb,u\né,v\n"
    message = error_of(tmp_path, text.encode("latin-1"))
    assert message.startswith(f"{tmp_path / 'bad.arff'}: cannot be read as ARFF: ")
    assert "line 5: not valid UTF-8: " in message


def test_invalid_list_of_values(tmp_path: Path) -> None:
    twice = error_of(tmp_path, HEADER.replace("{z, m, a}", "{z, m, z}") + "1,z,yes\n2,m,no\n")
    assert "line 3: value 'z' of 'b' is listed more than once; list each value once" in twice
    empty = error_of(tmp_path, HEADER.replace("{z, m, a}", "{}") + "1,z,yes\n2,m,no\n")
    assert "line 3: cannot parse '@attribute b {}'; expected @attribute name numeric, or" in empty


def test_abandoned_pass_does_not_abort_the_process(tmp_path: Path) -> None:
    """No thread of ours may still run when the interpreter ends."""
    path = tmp_path / "long.arff"
    path.write_text(
        HEADER + "".join(f"{i},'z',{'yes' if i % 3 else 'no'}\n" for i in range(300_000))
    )
    code = (
        "import sys; from streamgauge.streams.formats.open_table import open_table\n"
        "batches = open_table(sys.argv[1]).batches(['a']); next(batches)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match=r"no such file: .*nowhere\.arff"):
        sg.read(tmp_path / "nowhere.arff", "y")
    folder = tmp_path / "folder.arff"
    folder.mkdir()
    with pytest.raises(sg.InputError, match=r"folder\.arff is a folder; expected a file"):
        sg.read(folder, "y")
    rng = random.Random(1)
    text = HEADER + "".join(f"{rng.random()},z,yes\n" for _ in range(20_000))
    packed = gzip.compress(text.encode())
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0xFF
    path = tmp_path / "bad.arff.gz"
    for data in (packed[:40], packed[: len(packed) // 2], bytes(broken), HEADER.encode()):
        path.write_bytes(data)
        with pytest.raises(sg.InputError, match=r"bad\.arff\.gz: cannot be read"):
            whole(sg.read(path, "y"))
