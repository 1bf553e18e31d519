"""File formats: what each one is called, how its files end, and what can read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Literal, Protocol

from streamgauge._support import entry_points, registry
from streamgauge._support.errors import UsageError, instead_of, shown
from streamgauge.streams.formats.pieces import LineParser, Piece
from streamgauge.streams.formats.table import TableFile

COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")  # as Arrow tells them
_ENDING = re.compile(r"\.[a-z0-9_]+")
Reader = Literal["table", "lines", "rows"]


class RowFile(Protocol):
    """A complete file that a monitor reads in pieces; it is a part of a source."""

    @property
    def position(self) -> dict[str, Any]:
        """How far it has read, as JSON."""
        ...

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position."""
        ...

    def read(self) -> Piece | None:
        """The next rows; None if there are no more."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


@dataclass(frozen=True)
class FileFormat:
    """A file format: its name, its endings, and what reads it.

    A format may be read by `sg.read` (`table`), by a monitor (`lines` or `rows`), or by both.

    Parameters
    ----------
    name
        The name under which it is registered; `format = "..."` of a monitor.
    endings
        How the names of its files end, in lower case: `(".parquet", ".pq")`.
    table
        The class with which `sg.read` opens a file: a `TypedTable`.
    lines
        The class that parses lines, a `LineParser`: a monitor follows files that grow line by line.
    rows
        The class with which a monitor reads a complete file in a folder, called with its path and
        the columns; it has `read`, `position`, `seek` and `close`, as a `Source` has.

    Raises
    ------
    UsageError
        If the declaration makes no sense.

    Examples
    --------
    >>> import streamgauge as sg
    >>> class Pairs(sg.LineParser):
    ...     def cells(self, line):
    ...         return dict(pair.split("=") for pair in line.decode().split())
    >>> sg.FileFormat("pairs", (".pairs",), lines=Pairs).endings
    ('.pairs',)
    >>> try:
    ...     sg.FileFormat("pairs", ("pairs",), lines=Pairs)
    ... except sg.UsageError as error:
    ...     print(str(error).partition(";")[0])
    file format 'pairs': the ending 'pairs'
    """

    name: str
    endings: tuple[str, ...]
    table: type[TableFile] | None = None
    lines: Callable[[Sequence[str], str], LineParser] | None = None
    rows: Callable[[Path, Sequence[str]], RowFile] | None = None

    def __post_init__(self) -> None:
        where = f"file format {shown(self.name)}"
        if isinstance(self.endings, str) or not self.endings:
            raise UsageError(
                f"{where}: endings are {shown(self.endings)}; expected one or more, such as "
                "('.csv',)"
            )
        for ending in self.endings:
            if not isinstance(ending, str) or not _ENDING.fullmatch(ending):
                raise UsageError(
                    f"{where}: the ending {shown(ending)}; expected a dot and lower-case letters "
                    "or digits, such as '.csv'"
                )
            if ending in COMPRESSED or self.endings.count(ending) > 1:
                why = "of a compressed file" if ending in COMPRESSED else "declared twice"
                raise UsageError(f"{where}: the ending {ending!r} is {why}; remove it")
        readers = {"table": self.table, "lines": self.lines, "rows": self.rows}
        given = {name: reader for name, reader in readers.items() if reader is not None}
        for name, reader in given.items():
            if not callable(reader) or (name == "table" and not _is_table(reader)):
                expected = "a class derived from TypedTable" if name == "table" else "a class"
                raise UsageError(f"{where}: {name} is {shown(reader)}; expected {expected}")
        if not given or {"lines", "rows"} <= set(given):
            found = "nothing reads it" if not given else "it has both lines and rows"
            raise UsageError(
                f"{where}: {found}; expected table for sg.read, lines or rows for a monitor"
            )

    @property
    def monitored(self) -> bool:
        """Whether a monitor can read it."""
        return self.lines is not None or self.rows is not None


def _is_table(reader: object) -> bool:
    return isinstance(reader, type) and issubclass(reader, TableFile)


def format_named(name: str) -> FileFormat:
    """The format that is registered under a name."""
    known = registry.names("file format")
    if name not in known:
        raise UsageError(f"unknown file format {name!r}{instead_of(name, known)}")
    found = registry.find(name, "file format")
    if not isinstance(found, FileFormat) or found.name != name:
        raise UsageError(
            f"file format {name!r}{_package(name)}: expected a FileFormat with this name, got "
            f"{shown(found)}"
        )
    if name not in registry.own_names("file format"):
        _check_endings(found, _own_formats().values())
    return found


def format_of(path: str | PurePath) -> FileFormat | None:
    """The format of a file by the ending of its name; None if no format has it.

    Formats of installed packages are loaded only for an ending that none of ours has.
    """
    ending = PurePath(path).suffix.lower()
    return _own_formats().get(ending) or (_added_formats().get(ending) if ending else None)


def endings_of(reader: Reader, only_ours: bool = False) -> tuple[str, ...]:
    """The endings of all formats that have this reader."""
    known = {**_own_formats(), **({} if only_ours else _added_formats())}
    return tuple(ending for ending, each in known.items() if getattr(each, reader) is not None)


def line_parser(form: FileFormat, columns: Sequence[str], name: str) -> LineParser:
    """The parser of a format's lines; `name` is what they are read from, for messages."""
    if form.lines is None:
        raise UsageError(
            f"{name}: files of the format {form.name!r} do not grow line by line; expected "
            f"{', '.join(endings_of('lines'))}; or name the folder that holds complete files "
            f"({', '.join(endings_of('rows'))})"
        )
    return form.lines(columns, name)


@cache
def _own_formats() -> Mapping[str, FileFormat]:
    """Our own formats by ending."""
    found: dict[str, FileFormat] = {}
    for name in registry.own_names("file format"):
        each = registry.find(name, "file format")
        _check_endings(each, found.values())
        found |= dict.fromkeys(each.endings, each)
    return found


def _added_formats() -> Mapping[str, FileFormat]:
    """The formats of installed packages by ending."""
    found: dict[str, FileFormat] = {}
    for name in entry_points.names("file format"):
        each = format_named(name)
        _check_endings(each, found.values())
        found |= dict.fromkeys(each.endings, each)
    return found


def _check_endings(given: FileFormat, others: Iterable[FileFormat]) -> None:
    for other in others:
        for ending in given.endings:
            if ending in other.endings:
                raise UsageError(
                    f"file format {given.name!r}{_package(given.name)}: the ending {ending!r} is "
                    f"that of {other.name!r}; declare another one, or uninstall that package"
                )


def _package(name: str) -> str:
    added = name in entry_points.names("file format")
    return f" of {entry_points.source('file format', name)}" if added else ""
