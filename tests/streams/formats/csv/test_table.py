"""CSV files with very many columns, very long rows, or blanks around cells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.formats.csv import table
from tests.streams.chunks import chunks_of
from tests.streams.tables import whole, write


def wide(path: Path, columns: int, cells: list[str], rows: int = 3) -> Path:
    header = ",".join(f"c{i}" for i in range(columns)) + ",y\n"
    row = ",".join(cells[i % len(cells)] for i in range(columns))
    return write(path, header + "".join(f"{row},{'uv'[i % 2]}\n" for i in range(rows)))


@pytest.mark.parametrize("cells", [["0.5", "7", ""], ["ab", "7", "x"], ['"1"', "2"]])
@chunks_of(512)
def test_header_longer_than_a_chunk(
    tmp_path: Path, cells: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with 100,000 columns and chunks of the usual size."""
    monkeypatch.setattr(table, "_SAMPLE_BYTES", 128)
    for ending in ("", ".gz"):
        stream = sg.read(wide(tmp_path / f"w.csv{ending}", 1500, cells), "y")
        assert len(stream.schema.features) == 1500
        first, second = whole(stream), whole(stream)
        assert first.X.shape == (3, 1500)
        np.testing.assert_array_equal(first.X, second.X)
        assert first.y.tolist() == [0, 1, 0]


@pytest.mark.long
@pytest.mark.parametrize("cells", [["0.5", "7", ""], ["ab", "x"]])
def test_hundred_thousand_columns(tmp_path: Path, cells: list[str]) -> None:
    stream = sg.read(wide(tmp_path / "w.csv", 100_000, cells), "y")
    assert whole(stream).X.shape == (3, 100_000)


@chunks_of(400)
def test_late_rows_longer_than_a_chunk(tmp_path: Path) -> None:
    cells = [f"{i},w{i % 3},{'uv'[i % 2]}" for i in range(200)]
    cells[150] = f'150,"{"long " * 5000}",u'
    cells[170] = f"170,{'x' * 3000},v"
    stream = sg.read(write(tmp_path / "t.csv", "a,b,y\n" + "\n".join(cells) + "\n"), "y")
    for _ in range(2):
        block = whole(stream)
        assert block.X[:, 0].tolist() == list(range(200))
        assert len(set(block.X[:, 1].tolist())) == 5


@chunks_of(512)
def test_row_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_MAX_ROW_BYTES", 4096)
    path = write(tmp_path / "t.csv", 'a,y\n1,u\n2,"v\n' + "3,u\n" * 5000)
    with pytest.raises(sg.InputError, match=r"t\.csv: a row is longer than .*is a quote not clo"):
        whole(sg.read(path, "y"))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_quote_that_is_never_closed_loses_no_rows(tmp_path: Path, name: str) -> None:
    text = "a,y\n" + "1,u\n2,v\n" * 50 + '3,"u\n' + "4,v\n" * 100
    path = write(tmp_path / name, text)
    with pytest.raises(sg.InputError, match=r"row 100 \(line 102\): a quote is opened and never"):
        sg.read(path, "y")


def test_last_cell_may_span_lines(tmp_path: Path) -> None:
    stream = sg.read(write(tmp_path / "t.csv", 'x,y\n1,"a\nb"\n2,c\n3,"a\nb"\n'), "y")
    assert (stream.rows, stream.schema.classes) == (3, ("a\nb", "c"))


def test_messages_show_the_start_of_a_long_cell(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "a,y\n1,u\n" + "x" * 100_000 + ",v\n")
    with pytest.raises(sg.InputError, match="column 'a' is 'xxx") as caught:
        sg.read(path, "y")
    assert len(str(caught.value)) < 1000


def test_many_files_in_one_gz_are_all_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv.gz", "a,y\n1,u\n2,v\n")
    with path.open("ab") as file:
        file.write(write(tmp_path / "more.gz", "3,u\n4,v\n").read_bytes())
    assert whole(sg.read(path, "y")).X[:, 0].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("path", [5, None, b"t.csv"])
def test_what_is_no_path(path: object) -> None:
    with pytest.raises(sg.UsageError, match="expected the path of a file, got"):
        sg.read(path, "y")  # type: ignore[arg-type]


def test_text_too_long_for_a_path() -> None:
    parts = ",".join(["SEA(20)"] * 900)
    places = ",".join(str(20 * i) for i in range(1, 900))
    run = sg.evaluate(f"splice([{parts}], at=[{places}])", sg.NoChange())
    assert run.counts.rows == 18_000
    with pytest.raises(sg.UsageError, match="unknown data set"):
        sg.evaluate("x" * 6000, sg.NoChange())


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u2003"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_blanks_around_a_number_do_not_count(tmp_path: Path, blank: str, quote: str) -> None:
    cells = [f"{quote}{blank}{i}.5{blank}{quote}" for i in range(4)]
    rows = "".join(f"{cell},{'uv'[i % 2]}\n" for i, cell in enumerate(cells))
    stream = sg.read(write(tmp_path / "t.csv", "a,y\n" + rows), "y")
    assert whole(stream).X[:, 0].tolist() == [0.5, 1.5, 2.5, 3.5]
