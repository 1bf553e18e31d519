"""The CSV reader against Arrow's: the same cells, or UnsupportedCsv."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
import time
import weakref
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Codes
from streamgauge.streams.formats.arrow_cells import as_text, to_floats
from streamgauge.streams.formats.csv import parser
from streamgauge.streams.formats.csv import reader as reader_module
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import Parser, UnsupportedCsv
from streamgauge.streams.formats.csv.reader import CsvReader
from streamgauge.streams.formats.open_table import open_table
from tests.streams.chunks import chunks_of
from tests.streams.tables import whole

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(2**53), 2**53).map(str),
    st.decimals(-1000, 1000, places=6).map(str),
    st.sampled_from(["", "?", "NA", "0", "-0", "7", "-3.5", ".5", "5.", "1e5", "-2E-3", "00012"]),
)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters='",\r\n\0'), max_size=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csv")


@given(
    st.lists(st.tuples(NUMBERS, WORDS, NUMBERS), min_size=1, max_size=40),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(60, 400),
    st.booleans(),
)
def test_cells_equal_arrows(
    folder: Path, rows: list[tuple[str, str, str]], end: str, chunk_bytes: int, open_end: bool
) -> None:
    path = folder / "table.csv"
    text = end.join(["a,b,c", *(",".join(row) for row in rows)]) + ("" if open_end else end)
    path.write_bytes(text.encode())
    types = {"a": pa.float64(), "b": pa.string(), "c": pa.float64()}
    new_parser = partial(Parser, ["a", "b", "c"], ["c", "a", "b"], types)
    reader = CsvReader(path, new_parser, chunk_bytes, 2)
    try:
        ours = list(reader.chunks())
    except UnsupportedCsv:
        pytest.fail("the reader supports this file")
    theirs = list(open_table(path).batches(["c", "a", "b"], types))
    for name in ("a", "c"):
        numbers = [np.concatenate([to_floats(b[name]) for b in each]) for each in (ours, theirs)]
        np.testing.assert_array_equal(numbers[0], numbers[1])
    words = [[w for b in each for w in as_text(b["b"]).to_pylist()] for each in (ours, theirs)]
    assert words[0] == words[1]


SHORT = st.sampled_from(["", "", "0", "7", "9", "-1", "2.5", "?", "12"])


@given(st.lists(st.tuples(*[SHORT] * 7), min_size=1, max_size=12))
def test_cells_of_wide_tables_equal_arrows(folder: Path, rows: list[tuple[str, ...]]) -> None:
    """One-digit cells have a fast path; empty and unusual cells beside them must not take it."""
    path, names = folder / "wide.csv", [*"abcdefg"]
    body = "".join(",".join(row) + "\n" for row in rows)
    path.write_text(",".join(names) + "\n" + body)
    types = dict.fromkeys(names, pa.float64())
    ours = list(CsvReader(path, partial(Parser, names, names, types), 200, 2).chunks())
    theirs = list(open_table(path).batches(names, types))
    for name in names:
        numbers = [np.concatenate([to_floats(b[name]) for b in each]) for each in (ours, theirs)]
        np.testing.assert_array_equal(numbers[0], numbers[1])


@pytest.mark.parametrize(
    "body", ['1,"x",2\n', "1,x\n", "1,x,2,3\n", "one,x,2\n", "1,\xff,2\n", "1,x,2\n\n3,y\n"]
)
def test_unsupported_csv_is_left_to_arrow(folder: Path, body: str) -> None:
    path = folder / "odd.csv"
    path.write_bytes(b"a,b,c\n" + b"0,w,1\n" * 100 + body.encode("latin-1"))
    types = {"a": pa.float64(), "b": pa.string(), "c": pa.float64()}
    reader = CsvReader(path, partial(Parser, ["a", "b", "c"], ["a", "b", "c"], types), 128, 2)
    with pytest.raises(UnsupportedCsv):
        list(reader.chunks())


@pytest.mark.parametrize("length", [1, 60, 61, 62, 63, 64, 65, 126, 127, 128])
def test_only_a_lone_carriage_return_is_unsupported(folder: Path, length: int) -> None:
    """The kernel looks at 64 bytes at a time; the newline may be in the next ones."""
    path, types = folder / "returns.csv", {"a": pa.string(), "b": pa.string()}
    new_parser = partial(Parser, ["a", "b"], ["a", "b"], types)
    path.write_bytes(b"a,b\n" + b"u," + b"w" * length + b"\r\nv,x\r\n")
    (chunk,) = CsvReader(path, new_parser, 1000, 1).chunks()
    assert as_text(chunk["b"]).to_pylist() == ["w" * length, "x"]
    path.write_bytes(b"a,b\n" + b"u," + b"w" * length + b"\rv,x\n")
    with pytest.raises(UnsupportedCsv):
        list(CsvReader(path, new_parser, 1000, 1).chunks())


def test_calling_thread_parses_what_no_thread_has_begun(folder: Path) -> None:
    path, types = folder / "help.csv", {"a": pa.float64(), "b": pa.float64()}
    path.write_text("a,b\n" + "".join(f"{i},1\n" for i in range(2000)))
    parsing: list[int] = []

    class SlowElsewhere(Parser):
        def parse(self, *part: Any) -> Chunk | None:
            parsing.append(threading.get_ident())
            if threading.current_thread() is not threading.main_thread():
                time.sleep(0.01)
            return super().parse(*part)

    reader = CsvReader(path, partial(SlowElsewhere, ["a", "b"], ["a", "b"], types), 512, 2)
    assert [i for chunk in reader.chunks() for i in to_floats(chunk["a"])] == list(range(2000))
    assert len(set(parsing)) == 2
    assert parsing.count(threading.get_ident()) > len(parsing) / 2


def test_quote_in_the_middle_of_a_file_hands_over_to_arrow(folder: Path) -> None:
    """Rows before the quote are not read twice."""
    path = folder / "quote.csv"
    lines = [f"{i},w{i % 3},{'yes' if i % 2 else 'no'}" for i in range(200_000)]
    lines[150_000] = '150000,"w0",no'
    path.write_text("a,b,y\n" + "\n".join(lines) + "\n")
    block = whole(sg.read(path, "y"))
    assert block.X[:, 0].tolist() == list(range(200_000))
    assert (block.X[:, 1] == np.arange(200_000) % 3).all()


def test_text_dictionary_grows(folder: Path) -> None:
    path = folder / "texts.csv"
    words = [f"word number {i * 7919 % 20_011}" for i in range(30_000)]
    path.write_text("b,y\n" + "".join(f"{w},{i % 2}\n" for i, w in enumerate(words)))
    stream = sg.read(path, "y")
    values = stream.schema.values[0]
    assert len(values) == 20_011
    assert [values[int(code)] for code in whole(stream).X[:, 0]] == words


@given(st.floats(-1e300, 1e300))
def test_numbers_are_parsed_to_the_nearest_double(folder: Path, number: float) -> None:
    path = folder / "one.csv"
    path.write_text(f"a,y\n{number!r},u\n{number:.15g},v\n")
    X = whole(sg.read(path, "y")).X[:, 0].tolist()
    assert [number, float(f"{number:.15g}")] == X
    assert math.copysign(1, X[0]) == math.copysign(1, number)


def test_more_unparsed_cells_than_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "_MIN_UNPARSED", 4)
    path = folder / "odd.csv"
    path.write_text("a,b,y\n" + "".join(f"{i}e1,NA,{i % 2}\n" for i in range(100)))
    block = whole(sg.read(path, "y"))
    assert block.X[:, 0].tolist() == [10.0 * i for i in range(100)]
    assert np.isnan(block.X[:, 1]).all()


def test_lone_carriage_return_and_empty_first_line(folder: Path) -> None:
    """Arrow ends a row at a lone return, and skips empty lines before the header."""
    path = folder / "returns.csv"
    path.write_bytes(b"\n\r\na,b,y\nu,v,0\rw,x,1\n")
    block = whole(sg.read(path, "y"))
    assert block.X.tolist() == [[0, 0], [1, 1]]
    path.write_bytes(b"\na,b,y\nu,v,0\nw,x,1\n")
    assert whole(sg.read(path, "y")).X.tolist() == [[0, 0], [1, 1]]


@chunks_of(200)
def test_encoded_dictionaries_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded even if every chunk of a column brings new texts."""
    monkeypatch.setattr(parser, "MAX_TEXTS", 2)
    path = folder / "meanings.csv"
    path.write_text("b,y\n" + "".join(f"word {i % 97},{i % 2}\n" for i in range(3000)))
    seen: dict[int, weakref.ref[pa.Array]] = {}
    encoded = Chunk.encoded

    def watched(chunk: Chunk, name: str) -> tuple[Codes, pa.Array]:
        codes, words = encoded(chunk, name)
        seen[len(seen)] = weakref.ref(words)
        return codes, words

    monkeypatch.setattr(Chunk, "encoded", watched)
    stream = sg.read(path, "y")
    values = stream.schema.values[0]
    for _ in range(2):
        words = [values[int(code)] for code in whole(stream).X[:, 0]]
        assert words == [f"word {i % 97}" for i in range(3000)]
    alive = {id(texts) for ref in seen.values() if (texts := ref()) is not None}
    assert len(seen) > 200
    assert len(alive) <= 2 * 8  # of two columns


def test_byte_order_mark_before_an_empty_line(folder: Path) -> None:
    """The line counts as empty; the header is the next line."""
    path = folder / "mark.csv"
    for end in ("\n", "\r\n"):
        path.write_bytes(end.join(["\ufeff", "a,y", "1,no", "2,yes", ""]).encode())
        assert whole(sg.read(path, "y")).X.tolist() == [[1], [2]]
    path.write_text("\ufeff\na,y\n1,no\ntwo,yes\n")
    with pytest.raises(sg.InputError, match=r"row 1 \(line 4\): column 'a' is 'two'"):
        sg.read(path, "y")


def test_without_the_compiler_cells_are_equal(folder: Path) -> None:
    """The same cells, and no warning about integer overflow."""
    path = folder / "plain.csv"
    rows = [f"{i * 37 % 101},-{i}.{i:03d},{i}e-3,{'long word ' * (i % 3)}w{i % 5},{i % 2}"
            for i in range(300)]  # fmt: skip
    path.write_text("a,b,c,d,y\n" + "\n".join(rows) + "\n")
    block = whole(sg.read(path, "y"))
    code = (
        "import sys, numpy as np, streamgauge as sg\n"
        "block = next(sg.read(sys.argv[1], 'y').blocks(1000))\n"
        "np.savez(sys.argv[2], X=block.X, y=block.y)"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(path), str(folder / "plain.npz")],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    with np.load(folder / "plain.npz") as plain:
        np.testing.assert_array_equal(block.X, plain["X"])
        np.testing.assert_array_equal(block.y, plain["y"])


def test_empty_lines_and_rows_longer_than_a_part(folder: Path) -> None:
    """Several parts are parsed concurrently; no buffer may be overwritten before it is parsed."""
    path = folder / "long.csv"
    words = ["w" * (1 + i * 7919 % 900) for i in range(500)]
    rows = [f"{i},{word},{i % 2}\n" + "\n" * (i % 3) for i, word in enumerate(words)]
    path.write_text("a,b,y\n" + "".join(rows))
    types = {"a": pa.float64(), "b": pa.string(), "y": pa.string()}
    reader = CsvReader(path, partial(Parser, ["a", "b", "y"], ["a", "b"], types), 64, 2)
    chunks = list(reader.chunks())
    assert [i for p in chunks for i in to_floats(p["a"])] == list(range(500))
    assert [word for p in chunks for word in as_text(p["b"]).to_pylist()] == words


def test_abandoned_pass_leaves_no_thread(folder: Path) -> None:
    path = folder / "given_up.csv"
    path.write_text("a,y\n" + "".join(f"{i},{i % 2}\n" for i in range(200_000)))
    before = threading.active_count()
    blocks = sg.read(path, "y").blocks(100)
    next(blocks)
    del blocks
    assert threading.active_count() == before


@chunks_of(256)
def test_text_after_numbers_in_a_column_that_starts_empty(folder: Path) -> None:
    """The numbers are in a later part; text after them is an error, not another type."""
    path = folder / "empty.csv"
    cells = [""] * 100 + ["1.5"] * 100 + ["x"]
    path.write_text("a,y\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells)))
    with pytest.raises(sg.InputError, match="is 'x', but the values before it are numeric"):
        sg.read(path, "y")


def test_a_text_is_new_once(folder: Path) -> None:
    """Two parsers take turns; what one has seen is not new to the scan of the columns."""
    path = folder / "words.csv"
    path.write_text("a,b\n" + "u,1\nv,2\n" * 100 + "w,3\n")
    types = {"a": pa.string(), "b": pa.float64()}
    chunks = list(CsvReader(path, partial(Parser, ["a", "b"], ["a", "b"], types), 64, 2).chunks())
    assert len(chunks) > 6
    assert [chunk.new_texts.get("a") for chunk in chunks if chunk.new_texts] == [["u", "v"], ["w"]]
    assert [chunk.to_scan for chunk in chunks[:2]] == [{"a"}, set()]


def test_one_core_reads_the_same_without_threads(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "core.csv"
    path.write_text("a,b\n" + "u,1\nv,2\n" * 100)
    types = {"a": pa.string(), "b": pa.float64()}
    new_parser = partial(Parser, ["a", "b"], ["a", "b"], types)

    def cells(cores: int) -> list[tuple[list[str], list[float]]]:
        chunks = CsvReader(path, new_parser, 64, cores).chunks()
        return [(as_text(c["a"]).to_pylist(), to_floats(c["b"]).tolist()) for c in chunks]

    expected = cells(2)
    monkeypatch.setattr(reader_module, "ThreadPoolExecutor", None)
    assert cells(1) == expected
    path.write_text('a,b\nu,"1"\n')
    with pytest.raises(UnsupportedCsv):
        cells(1)
