"""Which source a feed has, and the settings that sources declare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support import entry_points
from streamgauge.monitoring.config import make_config


class Memory(sg.Source):
    """Rows in memory."""

    movable: ClassVar[tuple[str, ...]] = ("server",)
    rows = ("a", "b", "a", "a")

    def __init__(
        self, columns: Sequence[str], home: Path, *, topic: str, server: str = "here", most: int = 9
    ) -> None:
        self.name, self.at, self.most = topic, 0, most

    @property
    def position(self) -> dict[str, Any]:
        return {"at": self.at}

    def seek(self, position: Mapping[str, Any]) -> None:
        self.at = position["at"]

    def read(self) -> sg.Piece | None:
        if self.at == len(self.rows[: self.most]):
            return None
        row = {"id": self.at, "time": self.at, "p": "a", "l": self.rows[self.at]}
        self.at += 1
        columns = {name: pa.array([cell]) for name, cell in row.items()}
        return sg.Piece(columns, 1, self.name, np.array([self.at]))


def config(**feed: Any) -> dict[str, Any]:
    return {
        "predictions": {"prediction": "p", "label": "l", **feed},
        "classes": ["a", "b"],
        "join": {"timeout": 9},
    }


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a class of this module as a source, as a package would."""

    def make(name: str) -> None:
        point = EntryPoint(name, f"{__name__}:{name}", entry_points.GROUP)
        monkeypatch.setattr(entry_points, "_found", lambda: {("source", name): (point,)})

    return make


def test_installed_source_goes_on_after_a_restart(
    tmp_path: Path, install: Callable[[str], None]
) -> None:
    install("Memory")
    path = tmp_path / "monitor.toml"
    path.write_text(
        'classes = ["a", "b"]\n[join]\ntimeout = 9\n[predictions]\nkind = "Memory"\n'
        'topic = "x"\nprediction = "p"\nlabel = "l"\n'
    )
    first = sg.Monitor(path)
    assert first.poll()
    first.save()
    first.close()
    path.write_text(path.read_text() + 'server = "elsewhere"\n')  # it says only where
    second = sg.Monitor(path)
    second.finish()
    assert second.status()["lines"] == {"predictions": 4}
    assert second.runs["monitor"].summary["accuracy"] == 0.75
    second.close()
    path.write_text(path.read_text().replace('"x"', '"y"'))
    with pytest.raises(sg.InputError, match="belongs to another configuration"):
        sg.Monitor(path)


def test_class_may_be_given_in_python(tmp_path: Path) -> None:
    monitor = sg.Monitor(config(kind=Memory, topic="x", most=2), home=tmp_path)
    monitor.finish()
    assert monitor.runs["monitor"].counts.scored == 2


@pytest.mark.parametrize(
    ("feed", "kind"),
    [
        ({"path": "-"}, "StandardInput"),
        ({"path": "log.csv"}, "GrowingFile"),
        ({"path": "log", "format": "csv"}, "GrowingFile"),
        ({"path": "log"}, "Folder"),
        ({"path": "in.d"}, "Folder"),
        ({"path": "a.csv", "kind": "Folder"}, "Folder"),
    ],
    ids=str,
)
def test_path_says_which_source_unless_the_kind_does(
    tmp_path: Path, feed: dict[str, str], kind: str
) -> None:
    (tmp_path / "in.d").mkdir()
    assert make_config(config(**feed), home=tmp_path).predictions.kind == kind


@pytest.mark.parametrize(
    ("feed", "message"),
    [
        ({"kind": "Foldre"}, r"predictions: unknown source 'Foldre' .did you mean 'Folder'"),
        ({"kind": 7}, "predictions: kind = 7; expected the name of a source"),
        ({"kind": "Folder"}, "predictions: missing key 'path'"),
        ({}, "predictions: missing key 'path'"),
        ({"kind": "Folder", "path": 7}, "predictions.path: expected a text in quotes, got an int"),
        ({"path": "in", "repeats": True}, r"unknown key 'repeats'; expected one of"),
        ({"kind": Memory, "topik": "x"}, "unknown key 'topik' .did you mean 'topic'"),
        ({"kind": Memory, "topic": 7}, "predictions.topic: expected a text in quotes"),
    ],
    ids=str,
)
def test_mistakes_in_settings_are_named(feed: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        make_config(config(**feed))


def test_standard_input_is_one_feed_only() -> None:
    values = config(path="-") | {"labels": {"kind": "StandardInput"}}
    del values["predictions"]["label"]
    with pytest.raises(sg.UsageError, match="StandardInput can be one feed only"):
        make_config(values)


class Partial(sg.Source):
    """Has no seek and no read."""

    @property
    def position(self) -> dict[str, Any]:
        return {}


class Positional(Memory):
    """A setting that is not keyword-only."""

    def __init__(self, columns: Sequence[str], home: Path, topic: str) -> None:
        super().__init__(columns, home, topic=topic)


class Other(Memory):
    """A setting that TOML cannot hold."""

    def __init__(self, columns: Sequence[str], home: Path, *, topic: Path) -> None:
        super().__init__(columns, home, topic=str(topic))


class Default(Memory):
    """A default of another type."""

    def __init__(self, columns: Sequence[str], home: Path, *, topic: str = 7) -> None:  # type: ignore[assignment]
        super().__init__(columns, home, topic=topic)


class Listed(Memory):
    """A default that all sources would share."""

    def __init__(self, columns: Sequence[str], home: Path, *, topic: list[str] = ["x"]) -> None:  # noqa: B006
        super().__init__(columns, home, topic=topic[0])


class Clash(Memory):
    """A setting that is a key of every feed."""

    movable = ()

    def __init__(self, columns: Sequence[str], home: Path, *, id: str) -> None:
        super().__init__(columns, home, topic=id)


class Moving(Memory):
    """Says that a setting may change which it does not have."""

    movable = ("sever",)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Partial, "source Partial: has no read, seek"),
        (Positional, r"source Positional: __init__\(.*; expected \(self, columns, home, \*"),
        (Other, "source Other: the setting 'topic' has .*Path; expected texts"),
        (Default, "source Default: the setting 'topic' has the default 7"),
        (Listed, r"source Listed: the setting 'topic' has the default \['x'\]"),
        (Clash, "source .*Clash: its setting 'id' is a key of feeds"),
        (Moving, "source Moving: movable names 'sever', which is not a setting"),
        (dict, "source dict: expected a class derived from Source"),
    ],
)
def test_nonsense_declaration_is_refused_by_name(
    install: Callable[[str], None], source: type, message: str
) -> None:
    with pytest.raises(sg.UsageError, match=f"predictions: {message}"):
        make_config(config(kind=source))
    if source is not dict:
        install(source.__name__)
        with pytest.raises(sg.UsageError, match=f"predictions: {message}"):
            make_config(config(kind=source.__name__))


class Bare(Memory):
    """Gives rows without a column."""

    def read(self) -> sg.Piece | None:
        return sg.Piece({}, 1, self.name, np.array([1]))


def test_piece_without_its_columns_is_refused_by_name(tmp_path: Path) -> None:
    monitor = sg.Monitor(config(kind=Bare, topic="x"), home=tmp_path)
    with pytest.raises(sg.UsageError, match="source Bare: a piece without the column 'id'"):
        monitor.poll()
