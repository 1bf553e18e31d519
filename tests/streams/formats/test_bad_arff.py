"""ARFF files that cannot be right: which error, and that it names the line an editor shows."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.streams.formats import tables as file_tables
from tests.streams.tables import refusal, whole

HEADER = (
    "@relation r\n@attribute a numeric\n@attribute b {z, m, a}\n@attribute y {no, yes}\n@data\n"
)
FIRST = 6  # the line of HEADER's first row


def refused(tmp_path: Path, text: str | bytes, target: str = "y", **options: Any) -> str:
    path = tmp_path / "bad.arff"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return refusal(path, target, **options)


@pytest.mark.parametrize(
    ("rows", "place", "complaint"),
    [
        ("1,z,yes\n2,q,no\n", 1, "column 'b' is 'q', which the header does not list; expected one "
         "of z, m, a"),
        ("1,z,yes\n" * 5 + "2,q,no\n2,q,no\n", 5, "column 'b' is 'q', which the header does not"),
        ("1,z,yes\n2,z,maybe\n", 1, "column 'y' is 'maybe', which the header does not list; "
         "expected one of no, yes"),
        ("1,z,Yes\n", 0, "column 'y' is 'Yes', which the header does not list"),
        ("1,z,yes\n2,a,no\nthree,a,no\n", 2, "column 'a' is 'three' after numbers only; expected "
         "a number"),
        ("1,z,yes\n2,a,no\ninf,a,no\n", 2, "column 'a' is infinite; expected a finite number"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_cell_that_cannot_be_right_is_named_with_its_line(
    tmp_path: Path, rows: str, place: int, complaint: str, end: str
) -> None:
    message = refused(tmp_path, (HEADER + rows).replace("\n", end))
    assert message.startswith(f"row {place} (line {FIRST + place}): {complaint}")


def test_an_undeclared_value_in_a_later_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_tables, "BYTES", 1 << 10)
    message = refused(tmp_path, HEADER + "1,z,yes\n2,a,no\n" * 1000 + "3,q,no\n")
    assert message.startswith("row 2,000 (line 2,006): column 'b' is 'q', which the header")


@pytest.mark.parametrize("gap", ["\n", "% a comment\n", "\n% two, of, them\n%\n"])
def test_lines_are_counted_as_in_an_editor(tmp_path: Path, gap: str) -> None:
    """Empty lines and comments are no rows, but they are lines."""
    line = FIRST + 1 + gap.count("\n")
    message = refused(tmp_path, HEADER + f"1,z,yes\n{gap}2,q,no\n")
    assert f"(line {line}): column 'b' is 'q', which the header does not list" in message


@pytest.mark.parametrize("gap", ["\n", "% a comment\n"])
def test_a_short_rows_line_is_counted_as_in_an_editor(tmp_path: Path, gap: str) -> None:
    message = refused(tmp_path, HEADER + f"1,z,yes\n{gap}2,a\n")
    assert f"{FIRST + 2}" in message.replace(str(tmp_path), "")


def test_text_in_a_column_of_numbers(tmp_path: Path) -> None:
    """The header says what it is, so text from the first row on is no nominal feature."""
    message = refused(tmp_path, HEADER + "one,z,yes\ntwo,a,no\n")
    assert f"row 0 (line {FIRST}): column 'a' is 'one'" in message


@pytest.mark.parametrize("place", [0, 1, 3])
@pytest.mark.parametrize("row", ["2", "2,a", "2,a,no,4", "2,a,no,4,5,6"])
def test_a_row_of_another_length(tmp_path: Path, row: str, place: int) -> None:
    rows = ["1,z,yes"] * 4
    rows[place] = row
    message = refused(tmp_path, HEADER + "\n".join(rows) + "\n")
    assert message.startswith(f"{tmp_path / 'bad.arff'}: cannot be read as ARFF: ")
    assert f"line {FIRST + place}: expected 3 cells, got {row.count(',') + 1}: {row}" in message
    assert message.endswith("expected rows of 3 cells, separated by commas")


def test_two_cells_more_in_some_rows_only(tmp_path: Path) -> None:
    more, fewer = "1,z,yes,n1,7\n", "1,z,yes\n"
    message = refused(tmp_path, HEADER + more + fewer)
    assert f"line {FIRST + 1}: expected 5 cells, got 3: 1,z,yes" in message
    message = refused(tmp_path, HEADER + fewer + more)
    assert f"line {FIRST + 1}: expected 3 cells, got 5: 1,z,yes,n1,7" in message


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no @data line; expected an ARFF file"),
        ("a,y\n1,0\n2,1\n", "has no @data line; expected an ARFF file"),
        ("@relation r\n@attribute a numeric\n", "has no @data line; expected an ARFF file"),
        ("@relation r\n@data\n1,2\n", "declares no @attribute; expected one per column"),
        (HEADER, "has a header but no rows; expected at least one row"),
        (HEADER + "\n% no rows\n\n", "has a header but no rows; expected at least one row"),
        (HEADER.removesuffix("\n"), "has a header but no rows; expected at least one row"),
    ],
)
def test_a_file_that_is_not_whole(tmp_path: Path, text: str, complaint: str) -> None:
    assert refused(tmp_path, text) == f"{tmp_path / 'bad.arff'}: {complaint}"


@pytest.mark.parametrize(
    "line",
    [
        "@attribute",
        "@attribute a",
        "@attribute 'a b'",
        "@attribute a {x, y",  # no end
        "@attribute a numric",  # no type
        "@attribute a b numeric",
        "@attribute 'a numeric",
    ],
)
def test_a_declaration_that_is_none(tmp_path: Path, line: str) -> None:
    text = f"% a comment\n@relation r\n{line}\n@attribute y {{u, v}}\n@data\n1,u\n2,v\n"
    assert refused(tmp_path, text) == (
        f"{tmp_path / 'bad.arff'}, line 3: {line!r}; expected @attribute name numeric, or "
        "@attribute name {value, value}"
    )


@pytest.mark.parametrize("row", ["{0 1, 9 z}", "{a 1}", "{0 1 2", "{0}", "{0 'x}"])
def test_sparse_rows_that_cannot_be_read(tmp_path: Path, row: str) -> None:
    message = refused(tmp_path, HEADER + "{0 1, 1 z}\n" + row + "\n")
    assert (
        f"line {FIRST + 1}: {row}: expected {{place value, place value}}, places 0 to 2" in message
    )


def test_a_name_that_stands_twice(tmp_path: Path) -> None:
    text = "@attribute a numeric\n@attribute 'a' numeric\n@attribute y {u, v}\n@data\n1,2,u\n"
    assert "column name 'a' stands more than once" in refused(tmp_path, text)


def test_a_quote_that_does_not_end(tmp_path: Path) -> None:
    message = refused(
        tmp_path,
        "@attribute a {w, 'x y'}\n@attribute y {u, v}\n@data\n" + "w,u\n'x y,u\nw,v\nw,u\n",
    )
    assert "cannot be read as ARFF" in message
    assert "line 5" in message


def test_no_utf_8(tmp_path: Path) -> None:
    text = "@attribute a {é, b}\n@attribute y {u, v}\n@data\nb,u\né,v\n"
    message = refused(tmp_path, text.encode("latin-1"))
    assert message.startswith(f"{tmp_path / 'bad.arff'}: cannot be read as ARFF: ")
    assert "line 5: is not UTF-8: " in message


def test_a_list_of_values_that_is_none(tmp_path: Path) -> None:
    twice = refused(tmp_path, HEADER.replace("{z, m, a}", "{z, m, z}") + "1,z,yes\n2,m,no\n")
    assert "line 3: value 'z' of 'b' stands more than once; name each once" in twice
    empty = refused(tmp_path, HEADER.replace("{z, m, a}", "{}") + "1,z,yes\n2,m,no\n")
    assert "line 3: '@attribute b {}'; expected @attribute name numeric, or" in empty


def test_a_pass_that_is_given_up_does_not_abort_the_process(tmp_path: Path) -> None:
    """Nothing of ours may run in another thread when the interpreter ends."""
    path = tmp_path / "long.arff"
    path.write_text(
        HEADER + "".join(f"{i},'z',{'yes' if i % 3 else 'no'}\n" for i in range(300_000))
    )
    code = (
        "import sys; from streamgauge.streams.formats.tables import open_table\n"
        "batches = open_table(sys.argv[1]).batches(['a']); next(batches)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match=r"no such file: .*nowhere\.arff"):
        sg.read(tmp_path / "nowhere.arff", "y")
    folder = tmp_path / "folder.arff"
    folder.mkdir()
    with pytest.raises(sg.InputError, match=r"folder\.arff is a folder; expected a file"):
        sg.read(folder, "y")
    lots = random.Random(1)
    text = HEADER + "".join(f"{lots.random()},z,yes\n" for _ in range(20_000))
    packed = gzip.compress(text.encode())
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0xFF
    path = tmp_path / "bad.arff.gz"
    for data in (packed[:40], packed[: len(packed) // 2], bytes(broken), HEADER.encode()):
        path.write_bytes(data)
        with pytest.raises(sg.InputError, match=r"bad\.arff\.gz: cannot be read"):
            whole(sg.read(path, "y"))
