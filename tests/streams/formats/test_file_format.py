"""File formats: one declaration each, for `sg.read` and for monitors; nonsense is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support import entry_points, registry
from streamgauge.streams.formats.file_format import endings_of, format_named, format_of

FORMATS = registry.own_names("file format")


class Pairs(sg.LineParser):
    """Lines such as id=7 time=0."""

    def cells(self, line: bytes) -> dict[str, str]:
        return dict(pair.split("=") for pair in line.decode().split())


class Triples(sg.TypedTable):
    """A file of three numbers in a row, and the row after it."""

    format = "triples"

    def column_names(self) -> list[str]:
        return ["a", "b", "y"]

    def read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        numbers = map(int, self.file.read_text().split())
        cells = {name: [cell, cell + 1] for name, cell in zip("aby", numbers, strict=True)}
        yield pa.record_batch(cells).select(columns)


pairs = sg.FileFormat("pairs", (".pairs",), lines=Pairs)
triples = sg.FileFormat("triples", (".triples",), table=Triples)
taken = sg.FileFormat("taken", (".taken", ".csv"), lines=Pairs)
again = sg.FileFormat("again", (".pairs",), lines=Pairs)
misnamed = sg.FileFormat("other", (".misnamed",), lines=Pairs)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Installs formats of this module, as a package would."""

    def make(*names: str) -> None:
        made = {
            ("file format", name): (EntryPoint(name, f"{__name__}:{name}", entry_points.GROUP),)
            for name in names
        }
        monkeypatch.setattr(entry_points, "_found", lambda: made)

    return make


@pytest.mark.parametrize("name", FORMATS)
def test_own_format_is_found_by_name_and_by_each_ending(name: str) -> None:
    found = format_named(name)
    assert found.name == name
    for ending in found.endings:
        assert format_of(f"x{ending}") is format_of(Path(f"X{ending.upper()}")) is found


@pytest.mark.parametrize("name", [name for name in FORMATS if format_named(name).table is None])
def test_format_without_a_table_is_refused_by_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"x{format_named(name).endings[0]}"
    path.write_text("{}\n")
    with pytest.raises(sg.UsageError, match=f"only a monitor reads files of the format '{name}'"):
        sg.read(path)


@pytest.mark.parametrize("name", [name for name in FORMATS if format_named(name).lines is None])
def test_format_without_lines_is_not_followed(tmp_path: Path, name: str) -> None:
    feed = {"path": f"x{format_named(name).endings[0]}", "prediction": "p", "label": "l"}
    with pytest.raises(sg.UsageError, match=f"the format '{name}' do not grow line by line"):
        sg.Monitor({"predictions": feed, "join": {"timeout": 1}}, home=tmp_path)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"endings": ()}, r"endings are \(\); expected one or more"),
        ({"endings": ".x"}, "endings are '.x'; expected one or more"),
        ({"endings": ("x",)}, "the ending 'x'; expected a dot"),
        ({"endings": (".X",)}, "the ending '.X'; expected a dot and lower-case"),
        ({"endings": (".x.y",)}, "the ending '.x.y'"),
        ({"endings": (7,)}, "the ending 7"),
        ({"endings": (".x", ".x")}, "the ending '.x' is declared twice"),
        ({"endings": (".gz",)}, "the ending '.gz' is of a compressed file"),
        ({"lines": None}, "nothing reads it"),
        ({"rows": Pairs}, "it has both lines and rows"),
        ({"lines": "Pairs"}, "lines is 'Pairs'; expected a class"),
        ({"table": Pairs}, "expected a class derived from TypedTable"),
    ],
    ids=str,
)
def test_nonsense_is_refused_by_name(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=f"file format 'mine': .*{message}"):
        sg.FileFormat(**{"name": "mine", "endings": (".x",), "lines": Pairs, **declared})


def test_installed_format_is_read_and_followed(
    tmp_path: Path, install: Callable[..., None]
) -> None:
    install("pairs", "triples")
    (tmp_path / "x.triples").write_text("1 2 3")
    assert sg.read(tmp_path / "x.triples", "y").schema.features == ("a", "b")
    assert ".pairs" in endings_of("lines")
    feed = {"path": "in", "prediction": "p", "label": "l"}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.pairs").write_text("id=7 time=0 p=a l=b\n?\nid=8 time=1 p=a l=a\n")
    monitor = sg.Monitor(
        {"predictions": feed, "join": {"timeout": 9}, "classes": ["a", "b"]}, home=tmp_path
    )
    monitor.finish()
    assert monitor.runs["monitor"].summary["accuracy"] == 0.5
    assert monitor.counts == {"a line that could not be read": 1}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["taken"], f"'taken' of {__name__}:taken: the ending '.csv' is that of 'csv'"),
        (["pairs", "again"], "'again' of .*: the ending '.pairs' is that of 'pairs'"),
        (["misnamed"], "'misnamed' of .*: expected a FileFormat with this name"),
        (["Pairs"], "'Pairs' of .*: expected a FileFormat with this name"),
        (["missing"], "'missing' of .* cannot be imported"),
    ],
    ids=str,
)
def test_nonsense_of_a_package_is_refused_when_it_is_used(
    tmp_path: Path, install: Callable[..., None], names: list[str], message: str
) -> None:
    install(*names)
    (tmp_path / "x.csv").write_text("a,y\n1,2\n1,3\n")
    assert sg.read(tmp_path / "x.csv", "y").rows == 2  # needs no format of a package
    with pytest.raises(sg.UsageError, match=f"file format {message}"):
        format_of("x.other")


def test_unknown_format_gets_a_suggestion(tmp_path: Path) -> None:
    feed = {"path": "x", "format": "jsnol", "prediction": "p", "label": "l"}
    with pytest.raises(sg.UsageError, match=r"unknown file format 'jsnol' .did you mean 'jsonl'"):
        sg.Monitor({"predictions": feed, "join": {"timeout": 1}}, home=tmp_path)
