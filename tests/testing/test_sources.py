"""`check_source`: passes every registered source, catches those that break a rule."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge.testing import check_source

Rows = Sequence[Mapping[str, str]]
COLUMNS = ("id", "time", "label")


class Lines:
    """Rows as lines of a format, the header first; spoiled ones cannot be read."""

    def __init__(self, form: str) -> None:
        self.form, self.begun = form, False

    def text(self, rows: Rows) -> str:
        if self.form == "jsonl":
            return "".join(json.dumps(dict(row)) + "\n" for row in rows)
        head = "" if self.begun else ",".join(COLUMNS) + "\n"
        self.begun = True
        return head + "".join(",".join(row.values()) + "\n" for row in rows)

    def spoiled(self) -> str:
        return self.text([]) + "neither one nor the other\n"


class File:
    """A file that grows."""

    kind = "GrowingFile"

    def __init__(self, home: Path, form: str) -> None:
        self.home, self.lines = home, Lines(form)
        self.settings = {"path": f"log.{form}"}
        self.path = home / f"log.{form}"

    def start(self, columns: Sequence[str]) -> sg.Source:
        source: sg.Source = registry.find(self.kind, "source")(columns, self.home, **self.settings)
        return source

    def write(self, text: str) -> None:
        with self.path.open("a") as file:
            file.write(text)

    def send(self, rows: Rows) -> None:
        self.write(self.lines.text(rows))

    def spoil(self) -> None:
        self.write(self.lines.spoiled())


class Files(File):
    """A folder to which files are added."""

    kind = "Folder"

    def __init__(self, home: Path, form: str) -> None:
        super().__init__(home, form)
        self.form, self.count, self.settings = form, 0, {"path": "in"}

    def next_path(self) -> Path:
        (self.home / "in").mkdir(exist_ok=True)
        self.count += 1
        return self.home / "in" / f"{self.count:03}.{self.form}"

    def send(self, rows: Rows) -> None:
        if self.form == "parquet":
            cells = {name: pa.array([row[name] for row in rows], pa.string()) for name in COLUMNS}
            pq.write_table(pa.table(cells), self.next_path())
        else:
            self.next_path().write_text(Lines(self.form).text(rows))

    def spoil(self) -> None:
        self.next_path().write_bytes(b"\xff" if self.form != "jsonl" else b"?\n")


class Pipe(File):
    """Standard input; the sender repeats everything after a restart."""

    kind = "StandardInput"

    def __init__(self, home: Path, form: str) -> None:
        super().__init__(home, form)
        self.settings: dict[str, Any] = {"format": form, "repeats": True}
        self.sent, self.ends = "", [-1, -1]

    def start(self, columns: Sequence[str]) -> sg.Source:
        self.close()
        self.ends = list(os.pipe())
        sys.stdin = os.fdopen(self.ends[0], "r")
        os.write(self.ends[1], self.sent.encode())
        return super().start(columns)

    def close(self) -> None:
        if self.sent or self.ends[1] >= 0:
            sys.stdin.close()
            os.close(self.ends[1])

    def write(self, text: str) -> None:
        self.sent += text
        os.write(self.ends[1], text.encode())


WAYS = {
    "a file of CSV": (File, "csv"),
    "a file of JSONL": (File, "jsonl"),
    "a folder of CSV": (Files, "csv"),
    "a folder of JSONL": (Files, "jsonl"),
    "a folder of Parquet": (Files, "parquet"),
    "standard input, CSV": (Pipe, "csv"),
    "standard input, JSONL": (Pipe, "jsonl"),
}


@pytest.fixture(params=WAYS.values(), ids=list(WAYS))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[File]:
    make, form = request.param
    found = make(tmp_path, form)
    given = sys.stdin
    yield found
    if isinstance(found, Pipe):
        found.close()
    sys.stdin = given


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_every_registered_source_passes(
    place: File, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamgauge.monitoring.sources.growing_file.PIECE_BYTES", size)
    monkeypatch.setattr("streamgauge.streams.formats._parquet_file.ROWS", size)
    check_source(place.start, place.send, place.spoil)


def test_all_registered_sources_are_tried() -> None:
    assert {make.kind for make, _ in WAYS.values()} == set(registry.own_names("source"))


class Broker:
    """A message broker of two partitions, as Kafka has them; some messages are not CSV."""

    def __init__(self) -> None:
        self.partitions: list[list[str]] = [[], []]
        self.count = 0

    def send(self, rows: Rows) -> None:
        for row in rows:
            self.put(",".join(row.values()))

    def put(self, message: str) -> None:
        self.partitions[self.count % 2].append(message)
        self.count += 1

    def spoil(self) -> None:
        self.put("?")


class Topic(sg.Source):
    """The messages of a broker; the flaws are options of the tests."""

    broker = Broker()
    flaw = ""
    movable: ClassVar[tuple[str, ...]] = ("servers",)

    def __init__(
        self, columns: Sequence[str], home: Path, *, topic: str, servers: list[str] | None = None
    ) -> None:
        self.name, self._columns = topic, columns
        self._offsets = [0, 0]
        self._turn = 0

    @property
    def position(self) -> dict[str, Any]:
        if self.flaw == "its position is not JSON":
            return {"offsets": {1, 2}}
        if self.flaw == "its position changes when it is stored":
            return {"offsets": tuple(self._offsets)}
        return {"offsets": list(self._offsets)}

    def seek(self, position: Mapping[str, Any]) -> None:
        back = self.flaw == "comes a second time"
        self._offsets = [max(0, each - back) for each in position["offsets"]]
        if self.flaw == "rows are lost or changed":
            self._offsets = [len(each) for each in self.broker.partitions]

    def read(self) -> sg.Piece | None:
        for _ in range(2):
            self._turn = 1 - self._turn
            start = self._offsets[self._turn]
            waiting = self.broker.partitions[self._turn][start:][:3]
            if waiting:
                self._offsets[self._turn] += len(waiting)
                return self._piece(waiting, start)
        return None

    def _piece(self, messages: list[str], start: int) -> sg.Piece:
        cells = list(csv.reader(messages))
        good = [i for i, row in enumerate(cells) if len(row) == len(COLUMNS)]
        columns = {
            name: pa.array([cells[i][k] for i in good], pa.string())
            for k, name in enumerate(COLUMNS)
        }
        name = f"{self.name}/{self._turn}"
        bad = len(cells) - len(good)
        piece = sg.Piece(columns, len(cells), name, start + np.array(good, np.int64), bad)
        return self._spoiled(piece)

    def _spoiled(self, piece: sg.Piece) -> sg.Piece:
        columns = dict(piece.columns)
        changes: dict[str, dict[str, Any]] = {
            "unreadable lines": {"unreadable": 0},
            "without the column 'label'": {"columns": {"id": columns["id"], "time": columns["id"]}},
            "expected as many": {"numbers": piece.numbers[:0]},
            "is lost or changed": {"columns": columns | {"label": columns["id"]}},
            "are not ascending": {"numbers": 100 - piece.numbers},
            "a piece of 0 lines": {"lines": 0},
        }
        if self.flaw == "expected a Piece or None":
            return columns  # type: ignore[return-value]
        return replace(piece, **changes.get(self.flaw, {}))


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Checks a source of two partitions with a flaw."""
    monkeypatch.setattr(Topic, "broker", Broker())

    def check(flaw: str) -> None:
        monkeypatch.setattr(Topic, "flaw", flaw)
        check_source(
            lambda columns: Topic(columns, Path(), topic="clicks"),
            Topic.broker.send,
            Topic.broker.spoil,
        )

    return check


def test_source_with_partitions_passes(topic: Callable[[str], None]) -> None:
    topic("")


@pytest.mark.parametrize(
    "flaw",
    [
        "its position is not JSON",
        "its position changes when it is stored",
        "comes a second time",
        "rows are lost or changed",
        "unreadable lines",
        "without the column 'label'",
        "expected as many",
        "expected a Piece or None",
        "is lost or changed",
        "are not ascending",
        "a piece of 0 lines",
    ],
)
def test_broken_source_is_caught(topic: Callable[[str], None], flaw: str) -> None:
    with pytest.raises(AssertionError, match=f"Topic: .*{flaw}"):
        topic(flaw)


class Endless(Topic):
    """Never comes to an end."""

    def read(self) -> sg.Piece:
        return self._piece([], 0)


class Blind(Topic):
    """Gives only what was there when it was made."""

    movable = ()

    def __init__(self, columns: Sequence[str], home: Path, *, topic: str) -> None:
        super().__init__(columns, home, topic=topic)
        self._there = [len(each) for each in self.broker.partitions]

    def read(self) -> sg.Piece | None:
        return super().read() if self._offsets != self._there else None


@pytest.mark.parametrize(
    ("source", "message"),
    [(Endless, "does not come to an end"), (Blind, "the row .* is lost or changed")],
)
def test_source_that_reads_on_or_stops_is_caught(
    monkeypatch: pytest.MonkeyPatch, source: Any, message: str
) -> None:
    monkeypatch.setattr(Topic, "broker", Broker())
    with pytest.raises(AssertionError, match=message):
        check_source(lambda columns: source(columns, Path(), topic="x"), Topic.broker.send)


class Untyped(Topic):
    """A setting without a type."""

    def __init__(self, columns: Sequence[str], home: Path, *, topic) -> None:  # type: ignore[no-untyped-def]
        super().__init__(columns, home, topic=topic)


def test_nonsense_declaration_is_caught() -> None:
    with pytest.raises(AssertionError, match="source Untyped: the setting 'topic' has no type"):
        check_source(lambda columns: Untyped(columns, Path(), topic="x"), Topic.broker.send)
