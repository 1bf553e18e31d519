"""Fuzzed CSV, ARFF and Parquet files: reading them yields valid rows or a StreamgaugeError."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.errors import StreamgaugeError
from streamgauge.testing import check_stream

ODD = ["1", "0.5", "x", "", "?", "NA", '"', "'", "inf", "nan", "1e400", "-", "\t", " 7", '"a,b"']
ODD += ["'it''s'", "\\", "%", "{0 1}", "{", "}", "\ufeff", "é"]
CELLS = st.one_of(st.sampled_from(ODD), st.text(max_size=4))
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=4).map(",".join), max_size=6)
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def passes(path: Path, data: bytes) -> bool:
    """Read the file: rows must match their schema, errors must be our own."""
    path.write_bytes(data)
    try:
        check_stream(sg.read(path, "y"))
    except StreamgaugeError as error:
        return len(str(error)) > 10  # any other error fails the test
    return True


@settings(max_examples=300)
@given(ROWS, ENDS)
def test_random_csv(folder: Path, rows: list[str], end: str) -> None:
    assert passes(folder / "x.csv", end.join(["a,b,y", *rows]).encode("utf-8", "surrogatepass"))


@settings(max_examples=150)
@given(st.binary(max_size=80))
def test_random_bytes_as_csv(folder: Path, data: bytes) -> None:
    assert passes(folder / "x.csv", b"a,y\n" + data)
    assert passes(folder / "y.csv", data)
    assert passes(folder / "z.csv.gz", data)


LINES = ["@relation r", "@attribute a numeric", "@attribute b {x, 'y z', \"w\"}", "% no", ""]
LINES += ["@attribute 'c d' string", "@ATTRIBUTE e REAL", "@attribute", "@attribute f {"]
LINES += ["@attribute y {0,1}", "@attribute y {yes, no}", "@attribute g date 'yyyy'"]
HEADERS = st.lists(st.sampled_from(LINES), max_size=6)


@settings(max_examples=300)
@given(HEADERS, ROWS, ENDS)
def test_random_arff(folder: Path, header: list[str], rows: list[str], end: str) -> None:
    text = end.join([*header, "@data", *rows])
    assert passes(folder / "x.arff", text.encode("utf-8", "surrogatepass"))


@settings(max_examples=100)
@given(st.binary(max_size=120))
def test_random_bytes_as_arff(folder: Path, data: bytes) -> None:
    assert passes(folder / "y.arff", data)
    assert passes(folder / "z.arff", b"@attribute a numeric\n@attribute y {u, v}\n@data\n" + data)


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_random_bytes_as_parquet(folder: Path, data: bytes) -> None:
    assert passes(folder / "x.parquet", data)
    assert passes(folder / "y.parquet", b"PAR1" + data + b"PAR1")
