"""Errors of read(): the message says what is wrong and where."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.formats.file_format import endings_of
from tests.streams.chunks import chunks_of
from tests.streams.tables import read_error, whole, write


def error_of(tmp_path: Path, text: str | bytes, target: str = "y", **options: Any) -> str:
    path = tmp_path / "bad.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_error(path, target, **options)


def usage_error_of(tmp_path: Path, text: str, target: str = "y", **options: Any) -> str:
    """Return the message of the UsageError that reading the file raises."""
    with pytest.raises(sg.UsageError) as caught:
        sg.read(write(tmp_path / "bad.csv", text), target, **options)
    return str(caught.value)


def test_errors_are_value_errors_too() -> None:
    assert issubclass(sg.InputError, ValueError)
    assert issubclass(sg.UsageError, ValueError)
    assert issubclass(sg.InputError, sg.StreamgaugeError)


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.csv"
    with pytest.raises(sg.InputError) as caught:
        sg.read(path, "y")
    message = str(caught.value)
    assert message.startswith(f"no such file: {path}; expected a file (.csv, ")
    assert message.endswith(" or the name of a data set such as elec2")
    assert all(ending in message for ending in endings_of("table"))


def test_folder_instead_of_file(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match=f"{tmp_path} is a folder; expected a file"):
        sg.read(tmp_path, "y")


def test_unknown_target_suggests_a_column(tmp_path: Path) -> None:
    message = usage_error_of(tmp_path, "temp,label\n1,0\n2,1\n", "labell")
    assert f"{tmp_path / 'bad.csv'}: no column 'labell' (did you mean 'label'?)" in message
    message = usage_error_of(tmp_path, "temp,label\n1,0\n2,1\n", "zzz")
    assert message.endswith("no column 'zzz'; the columns are temp, label")


@pytest.mark.parametrize("role", ["features", "drop", "nominal", "arrives", "revealed"])
def test_unknown_column_in_any_role(tmp_path: Path, role: str) -> None:
    name: Any = "tmep" if role in ("arrives", "revealed") else ["tmep"]
    message = usage_error_of(tmp_path, "temp,y\n1,0\n2,1\n", **{role: name})
    assert "no column 'tmep' (did you mean 'temp'?)" in message


def test_text_after_100_000_numbers_is_located(tmp_path: Path) -> None:
    rows = [f"{i},{i % 7}.5,{i % 2}\n" for i in range(100_100)]
    rows[100_000] = "100000,oops,1\n"
    text = "a,b,y\n" + "".join(rows)
    message = error_of(tmp_path, text)
    assert (
        "row 100,000 (line 100,002): column 'b' is 'oops', but the values before it are numeric"
        in message
    )
    assert "nominal=['b']" in message
    assert "0.5" in sg.read(tmp_path / "bad.csv", "y", nominal=["b"]).schema.values[1]
    assert sg.read(tmp_path / "bad.csv", "y", drop=["b"]).rows == 100_100


def test_first_of_several_bad_cells_is_located(tmp_path: Path) -> None:
    cells = ["", "1", "2", "", "two", "3", "three"]
    text = "a,y\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells))
    assert "row 4 (line 6): column 'a' is 'two'" in error_of(tmp_path, text)


@chunks_of(100)
def test_text_after_numbers_and_a_chunk_of_missing_cells(tmp_path: Path) -> None:
    """A chunk of only missing cells does not reset the column's type."""
    cells = ["1"] * 50 + [""] * 150 + ["red"] * 50
    text = "a,y\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells))
    assert "row 200 (line 202): column 'a' is 'red'" in error_of(tmp_path, text)


def test_target_that_changes_type(tmp_path: Path) -> None:
    message = error_of(tmp_path, "a,y\n1,0\n2,1\n3,yes\n")
    assert "row 2 (line 4): column 'y' is 'yes', but the values before it are numeric" in message


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n"])
def test_empty_file(tmp_path: Path, text: str) -> None:
    assert error_of(tmp_path, text) == (
        f"{tmp_path / 'bad.csv'}: has no rows; expected a header line, then at least one row"
    )


def test_header_without_rows(tmp_path: Path) -> None:
    message = error_of(tmp_path, "a,y\n")
    assert message == (
        f"{tmp_path / 'bad.csv'}: has a header but no rows; expected at least one row"
    )
    assert "bad.csv: has no rows" in error_of(tmp_path, "a,y")  # no line end


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_named(tmp_path: Path, separator: str) -> None:
    message = error_of(tmp_path, "a,b,y\n1,2,no\n2,3,yes\n".replace(",", separator))
    assert "expected cells separated by commas, not by " + repr(separator) in message
    assert f"pandas.read_csv(path, sep={separator!r})" in message


def test_unnamed_column(tmp_path: Path) -> None:
    """A row index that pandas wrote must not silently become a feature."""
    text = ",a,y\n0,5,no\n1,6,yes\n"
    assert "bad.csv: column 1 has no name; expected a name for every" in error_of(tmp_path, text)
    path = tmp_path / "bad.csv"
    assert sg.read(path, "y", drop=[""]).schema.features == ("a",)
    assert sg.read(path, "y", features=["", "a"]).schema.features == ("", "a")


@chunks_of(100)
def test_cells_that_span_lines(tmp_path: Path) -> None:
    """Across chunks, and with the line number that an editor shows."""
    rows = [f'{i},"some\n\ntext {i % 5}",{"yes" if i % 3 else "no"}\n' for i in range(100)]
    path = write(tmp_path / "lines.csv", "a,b,y\n" + "".join(rows))
    block = whole(sg.read(path, "y"))
    assert block.X[:, 0].tolist() == list(range(100))
    assert (block.X[:, 1] == np.arange(100) % 5).all()
    message = error_of(tmp_path, 'a,b,y\n7,5" pipe,no\n' + "".join(rows) + "x,z,no\n")
    assert "row 101 (line 303): column 'a' is 'x'" in message


@pytest.mark.parametrize(
    ("arrives", "revealed", "kinds"),
    [
        ("2020-01-01T0{}:00Z", "2020-01-02T0{}:00", ("with a time zone", "without a time zone")),
        ("{}", "2020-01-02T0{}:00", ("integers", "without a time zone")),
    ],
)
def test_arrival_and_reveal_times_of_different_kinds(
    tmp_path: Path, arrives: str, revealed: str, kinds: tuple[str, str]
) -> None:
    rows = [f"{arrives.format(i)},{revealed.format(i)},{i},{i % 2}\n" for i in range(9)]
    message = error_of(tmp_path, "t,r,a,y\n" + "".join(rows), arrives="t", revealed="r")
    assert "bad.csv: column 't' holds " in message
    assert ", but column 'r' holds " in message
    assert message.endswith("; expected the same kind in both")
    assert all(kind in message for kind in kinds)


def test_single_class(tmp_path: Path) -> None:
    message = error_of(tmp_path, "a,y\n1,spam\n2,spam\n3,\n")
    assert f"{tmp_path / 'bad.csv'}: target 'y' is 'spam' in every row" in message
    assert "classes=[...]" in message
    assert "target 'y' is empty in every row" in error_of(tmp_path, "a,y\n1,\n2,?\n")


@pytest.mark.parametrize("cell", ["inf", "-inf", "Infinity", "1e999"])
def test_infinite_feature(tmp_path: Path, cell: str) -> None:
    message = error_of(tmp_path, f"a,b,y\n1,2,0\n3,nan,1\n5,{cell},0\n")
    assert "row 2 (line 4): column 'b' is infinite; expected a finite number" in message


def test_infinite_regression_target(tmp_path: Path) -> None:
    message = error_of(tmp_path, "a,y\n1,0.5\n2,inf\n", task="regression")
    assert "row 1 (line 3): column 'y' is infinite" in message


def test_repeated_column_name(tmp_path: Path) -> None:
    for text in ("a,b,a,y\n1,2,3,0\n4,5,6,1\n", "y,a,y\n0,1,1\n1,2,0\n"):
        message = error_of(tmp_path, text)
        twice = "a" if text[0] == "a" else "y"
        assert f"{tmp_path / 'bad.csv'}: column name {twice!r} appears more than once" in message
    assert "features: 'a'" in usage_error_of(tmp_path, "a,y\n1,0\n2,1\n", features=["a", "a"])


@pytest.mark.parametrize("row", ["7", "7,8,9"])
@pytest.mark.parametrize("place", [0, 2, 90_000])
def test_row_with_wrong_number_of_cells(tmp_path: Path, row: str, place: int) -> None:
    rows = [f"{i:020d},{i % 2}" for i in range(place + 5)]
    rows[place] = row
    message = error_of(tmp_path, "a,y\n" + "\n".join(rows) + "\n")
    assert f"{tmp_path / 'bad.csv'}: cannot be read as CSV" in message
    assert f"Row #{place + 2}: Expected 2 columns, got {row.count(',') + 1}: {row}" in message


def test_damaged_gz(tmp_path: Path) -> None:
    rng = random.Random(1)
    text = "a,y\n" + "".join(f"{rng.random()},{i % 2}\n" for i in range(20_000))
    packed = gzip.compress(text.encode())
    path = tmp_path / "bad.csv.gz"
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0xFF
    for data in (packed[: len(packed) // 2], bytes(broken), b"a,y\n1,0\n2,1\n"):
        path.write_bytes(data)
        with pytest.raises(sg.InputError, match=r"bad\.csv\.gz: cannot be read: .* a complete "):
            whole(sg.read(path, "y"))


def test_invalid_utf_8(tmp_path: Path) -> None:
    assert "UTF8" in error_of(tmp_path, b"a,y\n\xe9,0\ne,1\n")
    message = error_of(tmp_path, b"\xe9t\xe9,y\n1,0\n2,1\n")
    assert f"{tmp_path / 'bad.csv'}: the header is not valid UTF-8" in message
    assert "UTF-8" in message


def test_label_outside_the_declared_classes(tmp_path: Path) -> None:
    message = error_of(tmp_path, "a,y\n1,up\n2,\n3,sideways\n", classes=["down", "up"])
    assert (
        "row 2 (line 4): label 'sideways' is not one of the declared classes (down, up)" in message
    )
    assert "label '7' " in error_of(tmp_path, "a,y\n1,0\n2,7\n", classes=[0, 1])
    assert "label '0.5' " in error_of(tmp_path, "a,y\n1,0\n2,0.5\n", classes=[0, 1])
    assert "label 'x' " in error_of(tmp_path, "a,y\n1,0\n2,x\n", classes=[0, 1])
    late = "a,y\n" + "1,0\n2,1\n" * 150_000 + "3,2\n"  # in a later chunk of the file
    assert "row 300,000 (line 300,002): label '2' " in error_of(tmp_path, late, classes=["0", "1"])


@pytest.mark.parametrize("classes", [[], ["0"], ["0", "1", "0"]])
def test_invalid_declared_classes(tmp_path: Path, classes: list[str]) -> None:
    message = usage_error_of(tmp_path, "a,y\n1,0\n2,1\n", classes=classes)
    assert message == f"classes={classes}: expected two or more different classes"


def test_task_that_does_not_fit_the_target(tmp_path: Path) -> None:
    text = "a,y\n1,u\n2,v\n"
    assert "target 'y' is text" in usage_error_of(tmp_path, text, task="regression")
    assert "task='guess'" in usage_error_of(tmp_path, text, task="guess")
    whole_numbers = "a,y\n" + "".join(f"1,{i}\n" for i in range(101))
    message = usage_error_of(tmp_path, whole_numbers, task="classification")
    assert "target 'y' has more than 100 different numeric values" in message
    both = usage_error_of(tmp_path, "a,y\n1,0\n2,1\n", task="regression", classes=["0", "1"])
    assert both == "classes=... and task='regression' contradict each other; pass only one of them"


def test_too_many_nominal_values(tmp_path: Path) -> None:
    text = "id,y\n" + "".join(f"n{i},{i % 2}\n" for i in range(50_001))
    message = error_of(tmp_path, text)
    assert "column 'id' has more than 50,000 different values" in message
    assert "drop=['id']" in message
    assert sg.read(tmp_path / "bad.csv", "y", drop=["id"]).rows == 50_001


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [
        (["1", "x", "3"], "row 1 (line 3): column 't' is 'x'; expected an integer or an ISO"),
        (["2013-01-01", "", "13 o'clock"], "row 2 (line 4): column 't' is \"13 o'clock\""),
        (["1", "2.5", "3"], "row 1 (line 3): column 't' is '2.5'"),
        (["2013-01-01T11:00Z", "2013-01-01T11:00", ""], "column 't' mixes integers, times"),
        (["5", "2013-01-01", "7"], "column 't' mixes integers, times"),
    ],
)
def test_invalid_times(tmp_path: Path, cells: list[str], complaint: str) -> None:
    text = "t,a,y\n" + "".join(f"{cell},1,{i % 2}\n" for i, cell in enumerate(cells))
    assert complaint in error_of(tmp_path, text, revealed="t")


@pytest.mark.parametrize("odd", ["7", "2013-01-02T00:00Z"])
@chunks_of(200)
def test_times_of_another_kind_in_a_later_chunk(tmp_path: Path, odd: str) -> None:
    cells = ["", "2013-01-01T00:00"] * 20 + [odd] + [""] * 20
    come = "2013-01-01T00:00"
    text = "c,t,a,y\n" + "".join(f"{come},{t},1,{i % 2}\n" for i, t in enumerate(cells))
    message = error_of(tmp_path, text, arrives="c", revealed="t")
    assert f"row 40 (line 42): column 't' is '{odd}'" in message
    assert "of the same kind in every row" in message


def test_row_without_arrival_time(tmp_path: Path) -> None:
    message = error_of(tmp_path, "t,a,y\n1,1,0\n,2,1\n", arrives="t")
    assert "row 1 (line 3): no arrival time in column 't'; expected one in every row" in message


def test_reveal_timestamps_need_an_arrival_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,when,y\n1,2013-01-01T00:00,a\n2,2013-01-02T00:00,b\n")
    with pytest.raises(sg.UsageError, match="name the arrival column: arrives="):
        list(sg.read(path, "y", revealed="when").blocks(9))


def test_string_instead_of_a_list_of_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("apple,y\n1,a\n2,b\n")
    with pytest.raises(sg.UsageError, match=r"drop=\['apple'\]"):
        sg.read(tmp_path / "t.csv", "y", drop="apple")
