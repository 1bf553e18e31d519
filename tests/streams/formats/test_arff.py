"""ARFF files: header declarations and the syntax of rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.chunks import chunks_of
from tests.streams.formats.arff_tables import arff, cells, labels
from tests.streams.tables import numbers, whole, write

WEATHER = """% Should we go out?
@relation weather

@attribute temp numeric
@attribute sky {rain, clear, cloudy, snow}
@attribute wind real
@attribute label {stay, go, perhaps}

@data
20.5,clear,3,go
21,cloudy,?,stay
?,clear,1e1,go
19,?,7,?
18,rain,-.5,stay
"""
HEADER = (
    "@relation r\n@attribute a numeric\n@attribute b {z, m, a}\n@attribute y {no, yes}\n@data\n"
)


@pytest.mark.parametrize("name", ["weather.arff", "weather.arff.gz", "weather.ARFF"])
def test_header_declares_column_types(tmp_path: Path, name: str) -> None:
    stream = sg.read(write(tmp_path / name, WEATHER), "label")
    check_stream(stream)
    assert stream.describe() == "weather · 5 rows · 3 features · 3 classes"
    assert stream.schema.features == ("temp", "sky", "wind")
    assert stream.schema.values == ((), ("rain", "clear", "cloudy", "snow"), ())
    assert stream.schema.classes == ("stay", "go", "perhaps")
    assert not stream.schema.time
    block = whole(stream)
    assert numbers(block.X[:, 0]) == [20.5, 21, None, 19, 18]
    assert numbers(block.X[:, 1]) == [1, 2, 1, None, 0]
    assert numbers(block.X[:, 2]) == [3, None, 10, 7, -0.5]
    assert block.y.tolist() == [1, 0, 1, -1, 0]


def test_target_in_any_column(tmp_path: Path) -> None:
    stream = sg.read(write(tmp_path / "weather.arff", WEATHER), "sky")
    assert stream.schema.features == ("temp", "wind", "label")
    assert stream.schema.classes == ("rain", "clear", "cloudy", "snow")
    assert stream.schema.values[2] == ("stay", "go", "perhaps")
    assert labels(stream) == ["clear", "cloudy", "clear", None, "rain"]
    first = arff(tmp_path, "@attribute y {v, u}\n@attribute a numeric\n@data\nu,1\nv,2\n")
    assert first.schema.classes == ("v", "u")
    assert whole(first).y.tolist() == [1, 0]


@pytest.mark.parametrize("kind", ["numeric", "real", "integer", "NUMERIC", "Real", "INTEGER"])
def test_numeric_types(tmp_path: Path, kind: str) -> None:
    text = f"@attribute a {kind}\n@attribute y {{u, v}}\n@data\n1,u\n-2.5,v\n3e2,u\n?,v\n '4',u\n"
    stream = arff(tmp_path, text.replace(" '4'", "'4'"))
    assert stream.schema.values == ((),)
    assert numbers(whole(stream).X[:, 0]) == [1, -2.5, 300, None, 4]


def test_regression_target(tmp_path: Path) -> None:
    text = "@attribute a integer\n@attribute y real\n@data\n1,0.5\n2,?\n3,7\n"
    stream = arff(tmp_path, text)
    check_stream(stream)
    assert stream.schema.regression
    assert numbers(whole(stream).y) == [0.5, None, 7]


def test_classes_keep_the_order_they_are_declared_in(tmp_path: Path) -> None:
    data = "@data\n1,10\n2,2\n3,10\n"
    stream = arff(tmp_path, "@attribute a real\n@attribute y {10, 2, 1}\n" + data)
    assert stream.schema.classes == (10, 2, 1)  # integers, as from a CSV file
    assert whole(stream).y.tolist() == [0, 1, 0]
    chosen = arff(
        tmp_path, "@attribute a real\n@attribute y {10, 2, 1}\n" + data, classes=["2", "10"]
    )
    assert chosen.schema.classes == ("2", "10")
    assert whole(chosen).y.tolist() == [1, 0, 1]
    one = arff(tmp_path, "@attribute a real\n@attribute y {u, v}\n@data\n1,v\n2,v\n")
    assert one.schema.classes == ("u", "v")  # only one of two occurs
    assert whole(one).y.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("declared", "rows", "classes"),
    [
        ("0, 1, other", ["0", "1"], ("0", "1", "other")),
        ("01, 1, 2", ["1", "2"], ("01", "1", "2")),
        ("u, v", ["?", "?"], ("u", "v")),
    ],
)
def test_classes_that_are_declared_but_never_occur(
    tmp_path: Path, declared: str, rows: list[str], classes: tuple[str, ...]
) -> None:
    """The type of classes follows from the header, not from those that occur."""
    header = f"@attribute a real\n@attribute y {{{declared}}}\n@data\n"
    stream = arff(tmp_path, header + "".join(f"1,{row}\n" for row in rows))
    assert tuple(map(str, stream.schema.classes)) == classes
    assert [None if c is None else str(c) for c in labels(stream)] == [
        None if row == "?" else row for row in rows
    ]


def test_nominal_numbers_are_categories(tmp_path: Path) -> None:
    text = "@attribute month {12, 1, 2}\n@attribute y {u, v}\n@data\n1,u\n12,v\n?,u\n"
    stream = arff(tmp_path, text)
    assert stream.schema.values == (("12", "1", "2"),)
    assert numbers(whole(stream).X[:, 0]) == [1, 0, None]


def test_string_attribute_is_nominal(tmp_path: Path) -> None:
    text = "@attribute a STRING\n@attribute y {u, v}\n@data\n'some text',u\nb,v\n?,v\nb,u\n"
    stream = arff(tmp_path, text)
    assert stream.schema.values == (("b", "some text"),)  # alphabetical: no order is declared
    assert cells(stream, "a") == ["some text", "b", None, "b"]


def test_a_string_attribute_of_numbers_is_numeric_unless_it_is_declared_nominal(
    tmp_path: Path,
) -> None:
    """As in a CSV file: writers declare columns strings whose kind they do not know."""
    text = "@attribute a string\n@attribute y {u, v}\n@data\n960507,u\n12,v\n"
    stream = arff(tmp_path, text)
    assert stream.schema.values == ((),)
    assert whole(stream).X[:, 0].tolist() == [960507, 12]
    nominal = arff(tmp_path, text, nominal=["a"])
    assert nominal.schema.values == (("12", "960507"),)


@pytest.mark.parametrize("kind", ["date", "string", "date \"yyyy-MM-dd'T'HH:mm:ss\""])
def test_a_date_attribute_is_a_time(tmp_path: Path, kind: str) -> None:
    text = f"@attribute a numeric\n@attribute t {kind}\n@attribute y {{u, v}}\n@data\n"
    (tmp_path / "t.arff").write_text(text + "1,2013-01-01T11:00:00,u\n2,2013-01-01T11:00:01,v\n")
    stream = sg.read(tmp_path / "t.arff", "y", arrives="t")
    arrives = whole(stream).arrives
    assert arrives is not None
    assert np.diff(arrives).tolist() == [10**9]
    with pytest.raises(sg.InputError, match=r"column 't'.*arrives"):
        sg.read(tmp_path / "t.arff", "y")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("pad", ["", " ", "\t", "\u2003"])
def test_blanks_around_cells_and_line_ends_do_not_count(tmp_path: Path, end: str, pad: str) -> None:
    head = "@attribute a numeric\n@attribute y {u, v}\n@data\n"
    rows = end.join([f"1,{pad}u", f"{pad}2{pad},v{pad}", f"{pad}?,u", ""])
    (tmp_path / "t.arff").write_bytes((head + rows).encode())
    block = whole(sg.read(tmp_path / "t.arff", "y"))
    assert numbers(block.X[:, 0]) == [1, 2, None]
    assert block.y.tolist() == [0, 1, 0]


def test_spaces_around_cells(tmp_path: Path) -> None:
    stream = arff(tmp_path, HEADER + " 1 , z , yes \n ? ,? , no\n\t3\t,\ta,\t?\t\n")
    assert cells(stream, "a") == [1, None, 3]
    assert cells(stream, "b") == ["z", None, "a"]
    assert labels(stream) == ["yes", "no", None]


@pytest.mark.parametrize("value", ["None", "NA", "NaN", "null", "N/A", "nan"])
def test_only_a_question_mark_is_missing(tmp_path: Path, value: str) -> None:
    """A listed value is a value, even if a CSV file would read it as missing."""
    header = f"@attribute a {{low, {value}}}\n@attribute y {{{value}, yes}}\n@data\n"
    stream = arff(tmp_path, header + f"{value},yes\nlow,{value}\n?,?\n")
    assert stream.schema.values == (("low", value),)
    assert cells(stream, "a") == [value, "low", None]
    assert labels(stream) == ["yes", value, None]


def test_keywords_in_any_case_and_space(tmp_path: Path) -> None:
    text = WEATHER.replace("@attribute ", "  @ATTRIBUTE\t").replace("@data", "@Data")
    text = text.replace("@relation", "@RELATION").replace("numeric", "Numeric")
    path = write(tmp_path / "loud.arff", text)
    loud = sg.read(path, "label")
    quiet = sg.read(write(tmp_path / "weather.arff", WEATHER), "label")
    assert loud.schema == quiet.schema
    np.testing.assert_array_equal(whole(loud).X, whole(quiet).X)


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(tmp_path: Path, end: str, last: bool) -> None:
    text = WEATHER.replace("\n", end)
    path = tmp_path / "weather.arff"
    path.write_bytes((text if last else text.removesuffix(end)).encode())
    stream = sg.read(path, "label")
    assert stream.rows == 5
    assert stream.schema.classes == ("stay", "go", "perhaps")
    assert labels(stream) == ["go", "stay", "go", None, "stay"]


def test_byte_order_mark_and_non_ascii_text(tmp_path: Path) -> None:
    text = "\ufeff@relation r\n@attribute straße {é, ü}\n@attribute y {ja, nö}\n@data\né,nö\nü,ja\n"
    stream = arff(tmp_path, text)
    assert stream.schema.values == (("é", "ü"),)
    assert labels(stream) == ["nö", "ja"]


@pytest.mark.parametrize(
    "comment",
    [
        "%",
        "% nothing, much",
        "% @attribute q numeric",
        "%1,z,yes and more, and more",
        "",
        "   ",
        "  % not at the line's start",
        "% as many, commas as, cells",
        "%1,z,yes",
        "% 'a quote that, 'does not end, 'at all",
        "%,'",
    ],
)
def test_comments_and_empty_lines(tmp_path: Path, comment: str) -> None:
    """They are ignored in the header and before, between and after rows."""
    lines = (HEADER + "1,z,yes\n2,a,no\n?,m,yes\n").splitlines()
    text = "".join(f"{comment}\n{line}\n" for line in lines) + f"{comment}\n{comment}\n"
    stream = arff(tmp_path, text)
    assert stream.rows == 3
    assert cells(stream, "a") == [1, 2, None]
    assert cells(stream, "b") == ["z", "a", "m"]
    assert labels(stream) == ["yes", "no", "yes"]


def test_comments_after_declarations(tmp_path: Path) -> None:
    text = (
        "@relation r % a table\n@attribute a numeric % in metres\n"
        "@attribute b {u, '5%'} % a share\n@attribute y {no, yes}% the class\n"
        "@data % now\n1,'5%',yes\n2,u,no\n"
    )
    stream = arff(tmp_path, text)
    assert stream.schema.values == ((), ("u", "5%"))
    assert stream.schema.classes == ("no", "yes")
    assert cells(stream, "b") == ["5%", "u"]


def test_list_of_values_right_after_the_name(tmp_path: Path) -> None:
    """As Weka reads it: the list of values is not part of the name."""
    text = "@attribute a{x, y}\n@attribute y {u, v}\n@data\ny,u\nx,v\n"
    stream = arff(tmp_path, text)
    assert stream.schema.features == ("a",)
    assert stream.schema.values == (("x", "y"),)


def test_roles_of_columns(tmp_path: Path) -> None:
    text = (
        "@attribute t numeric\n@attribute a numeric\n@attribute b {u, v}\n@attribute r numeric\n"
        "@attribute y {no, yes}\n@data\n1,5,u,4,yes\n2,6,v,?,no\n"
    )
    stream = arff(tmp_path, text, arrives="t", revealed="r", drop=["b"])
    check_stream(stream)
    assert stream.schema.features == ("a",)
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == [1, 2]
    assert block.revealed.tolist() == [4, np.iinfo(np.int64).max]
    swapped = arff(tmp_path, text, features=["b", "a"], nominal=["a"])
    assert swapped.schema.values == (("u", "v"), ("5", "6"))
    with pytest.raises(sg.UsageError, match=r"no column 'labell' \(did you mean 'label'\?\)"):
        sg.read(write(tmp_path / "weather.arff", WEATHER), "labell")


def test_two_extra_cells_are_an_id_and_a_time(tmp_path: Path) -> None:
    rows = "1,z,yes,n7,100\n2,a,no,n8,200\n"
    stream = arff(tmp_path, HEADER + rows, drop=["instanceId"], arrives="timestamp")
    assert stream.schema.features == ("a", "b")
    block = whole(stream)
    assert block.arrives is not None
    assert block.arrives.tolist() == [100, 200]


@chunks_of(1 << 12)
def test_header_longer_than_a_chunk(tmp_path: Path) -> None:
    """Lists of values may be long."""
    values = [f"value{i:04d}" for i in range(1000)]
    header = f"@attribute a {{{', '.join(values)}}}\n@attribute y {{no, yes}}\n@data\n"
    stream = arff(tmp_path, header + "value0007,no\nvalue0999,yes\n")
    assert len(stream.schema.values[0]) == 1000
    assert cells(stream, "a") == ["value0007", "value0999"]


def test_sparse_rows(tmp_path: Path) -> None:
    """An omitted cell is 0, or the first nominal value of its column."""
    path = tmp_path / "sparse.arff"
    path.write_text(
        "@relation r\n@attribute a numeric\n@attribute b {z, 'm, n', a}\n@attribute c real\n"
        "@attribute y {no, yes}\n@data\n"
        "{0 1.5, 1 'm, n', 3 yes}\n% all of it left out\n{}\n{ 2 ? , 1 a }\n2, z, 3, yes\n"
    )
    stream = sg.read(path, "y")
    assert stream.schema.values[1] == ("z", "m, n", "a")
    block = whole(stream)
    expected = [[1.5, 1, 0], [0, 0, 0], [0, 2, np.nan], [2, 0, 3]]
    np.testing.assert_array_equal(block.X, expected)
    assert block.y.tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "@attribute a numeric\n@attribute y {u,v}\n@data 1,u\n2,v\n3,u\n",
        "@attribute a numeric\n@attribute y {u,v}\n1,u\n@data\n2,v\n3,u\n",
    ],
)
def test_row_outside_the_data_does_not_vanish(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.arff"
    path.write_text(text)
    with pytest.raises(sg.InputError, match=r"line 3: .*; expected @(data on a line|relation)"):
        sg.read(path, "y")


def test_comment_after_data(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text("@attribute a numeric\n@attribute y {u,v}\n@DATA % rows\n2,v\n3,u\n")
    assert whole(sg.read(path, "y")).X[:, 0].tolist() == [2, 3]
