"""ARFF files: quoted names and values."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.formats.arff_tables import arff, cells, labels


def test_quoted_names_and_values(tmp_path: Path) -> None:
    text = (
        "@relation 'a, b'\n"
        "@attribute 'a b' numeric\n"
        "@attribute \"c, d\" {'x y', 'p, q', w}\n"
        "@attribute 'the class' {'big one', small}\n"
        "@data\n1,'x y','big one'\n2,'p, q',small\n3,w,'small'\n"
    )
    stream = arff(tmp_path, text, "the class")
    check_stream(stream)
    assert stream.schema.features == ("a b", "c, d")
    assert stream.schema.values == ((), ("x y", "p, q", "w"))
    assert stream.schema.classes == ("big one", "small")
    assert cells(stream, "c, d") == ["x y", "p, q", "w"]
    assert labels(stream) == ["big one", "small", "small"]


QUOTED = "@attribute a {w, 'x y', 'p, q'}\n@attribute y {u, v}\n@data\n"


@pytest.mark.parametrize(
    "rows",
    [
        "'x y',u\n'p, q',v\nw,u\n",
        '"x y",u\n"p, q",v\nw,u\n',
        "'x y' , u\n'p, q' , v\nw , u\n",
        " 'x y',u\n 'p, q',v\n w,u\n",  # a space before the quote
        "'x y',u\n\"p, q\",v\nw,u\n",  # either quote, in any row
        "\"x y\",u\n'p, q',v\nw,u\n",
    ],
)
def test_quotes_in_rows(tmp_path: Path, rows: str) -> None:
    stream = arff(tmp_path, QUOTED + rows)
    assert cells(stream, "a") == ["x y", "p, q", "w"]
    assert labels(stream) == ["u", "v", "u"]


def test_unquoted_row_before_a_quoted_one(tmp_path: Path) -> None:
    stream = arff(tmp_path, QUOTED + 'w,u\n"p, q",v\n')
    assert cells(stream, "a") == ["w", "p, q"]


def test_quotes_after_a_comma_and_a_space(tmp_path: Path) -> None:
    text = "@attribute y {u, v}\n@attribute a {w, 'x y', 'p, q'}\n@data\nu, 'x y'\nv, 'p, q'\n"
    assert cells(arff(tmp_path, text), "a") == ["x y", "p, q"]


def test_both_kinds_of_quotes_in_a_list_of_values(tmp_path: Path) -> None:
    text = "@attribute a {\"x y\", 'p, q', w}\n@attribute y {u, v}\n@data\n'x y',u\n'p, q',v\n"
    stream = arff(tmp_path, text)
    assert stream.schema.values == (("x y", "p, q", "w"),)
    assert cells(stream, "a") == ["x y", "p, q"]


def test_quotes_inside_values(tmp_path: Path) -> None:
    text = '@attribute a {"it\'s", b}\n@attribute y {u, v}\n@data\n"it\'s",u\nb,v\n'
    assert cells(arff(tmp_path, text), "a") == ["it's", "b"]


def test_escaped_quotes(tmp_path: Path) -> None:
    r"""Weka writes it's as 'it\'s'."""
    text = "@attribute a {'it\\'s', b}\n@attribute y {u, v}\n@data\n'it\\'s',u\nb,v\n"
    assert cells(arff(tmp_path, text), "a") == ["it's", "b"]


def test_quoted_values_that_differ_in_blanks(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text("@attribute a numeric\n@attribute y {'u ', u, v}\n@data\n1,u\n")
    with pytest.raises(sg.InputError, match="value 'u' of 'y' is listed more than once"):
        sg.read(path, "y")
    path.write_text("@attribute a numeric\n@attribute y string\n@data\n1,u\n2,'u '\n3, v\n")
    with pytest.raises(sg.InputError, match="'u' and 'u ', which differ only in surrounding"):
        sg.read(path, "y")
