"""Checks of sources."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from streamgauge._support.errors import UsageError
from streamgauge.monitoring.sources.base import Source, checked_piece
from streamgauge.monitoring.sources.declarations import settings_of
from streamgauge.streams.formats.arrow_cells import as_text
from streamgauge.testing._require import require

Rows = Sequence[Mapping[str, str]]
_COLUMNS = ("id", "time", "label")
_LABELS = ("yes", "no", "naïve", "two words")
_BATCHES = (1, 4, 0, 2, 3)  # rows that are sent between two looks
_MOST_READS = 10_000  # a source that never comes to an end is broken


class _Given(NamedTuple):
    """What a source has given: rows with their place, and counts."""

    rows: list[tuple[str, int, tuple[str | None, ...]]]  # name, number, cells
    unreadable: int

    def plus(self, other: _Given) -> _Given:
        return _Given(self.rows + other.rows, self.unreadable + other.unreadable)

    @property
    def by_name(self) -> dict[str, list[tuple[int, tuple[str | None, ...]]]]:
        """The rows of each file or partition, in their order."""
        found: dict[str, list[tuple[int, tuple[str | None, ...]]]] = {}
        for name, number, cells in self.rows:
            found.setdefault(name, []).append((number, cells))
        return found


def check_source(
    start: Callable[[Sequence[str]], Source],
    send: Callable[[Rows], None],
    spoil: Callable[[], None] | None = None,
) -> None:
    r"""Assert everything that streamgauge expects of a source.

    It declares its settings; it gives every row once, in the same order however reading is cut;
    a source that is made again and told an earlier position, which is plain JSON, gives exactly the
    rest; what cannot be read is counted once, and reading goes on.

    Parameters
    ----------
    start
        Makes the source, called with the columns to read: at first, and as after a restart. What
        was sent before must be there again.
    send
        Lets further rows come, dicts of texts with the keys `id`, `time` and `label`. The source
        has nothing before the first call.
    spoil
        Lets something come that cannot be read as a row, if there is such a thing.

    Raises
    ------
    AssertionError
        The source fails a check.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> class Log(sg.Source):
    ...     def __init__(self, columns, home, *, path: str):
    ...         self.name, self.path, self.at = path, home / path, 0
    ...         self.parser = Pairs(columns, path)
    ...     @property
    ...     def position(self):
    ...         return {"lines": self.at}
    ...     def seek(self, position):
    ...         self.at = position["lines"]
    ...     def read(self):
    ...         lines = self.path.read_bytes().splitlines() if self.path.exists() else []
    ...         if len(lines) == self.at:
    ...             return None
    ...         piece = self.parser.parse(b"\n".join(lines[self.at:]), self.at + 1)
    ...         self.at = len(lines)
    ...         return piece
    >>> class Pairs(sg.LineParser):
    ...     def cells(self, line):
    ...         return dict(json.loads(line))
    >>> def send(rows):
    ...     with open("log", "a") as file:
    ...         file.writelines(json.dumps(list(row.items())) + "\n" for row in rows)
    >>> start = lambda columns: Log(columns, Path(), path="log")
    >>> sg.testing.check_source(start, send)
    >>> class Forgetful(Log):
    ...     def seek(self, position):
    ...         pass
    >>> Path("log").unlink()
    >>> try:
    ...     start = lambda columns: Forgetful(columns, Path(), path="log")
    ...     sg.testing.check_source(start, send)
    ... except AssertionError as error:
    ...     print(error)
    Forgetful: after a restart row 1 of log comes a second time
    """
    with _making(start) as source:
        name = type(source).__name__
        _check_declaration(source)
        positions = [(_Given([], 0), _position(source))]
        require(not _read(source).rows, f"{name}: gives rows before any were sent")
        sent: list[dict[str, str]] = []
        found = _Given([], 0)
        for number, count in enumerate(_BATCHES):
            rows = [_row(len(sent) + i) for i in range(count)]
            send(rows)
            sent += rows
            if spoil is not None and number in (1, len(_BATCHES) - 2):
                spoil()
            for part in _pieces(source):
                found = found.plus(part)
                positions.append((found, _position(source)))
        _check_rows(found, sent, name)
        expected = 0 if spoil is None else 2
        require(
            found.unreadable == expected,
            f"{name}: counts {found.unreadable} unreadable lines, {expected} were sent",
        )
    with _making(start) as source:
        _check_same(found, _Given([], 0), _read(source), name, "read at once")
    for before, position in positions:
        with _making(start) as source:
            source.seek(json.loads(position))
            kept = _position(source)
        with _making(start) as source:
            source.seek(json.loads(kept))
            _check_same(found, before, _read(source), name, "after a restart")
    _check_goes_on(start, send, positions[-1][1], len(sent), name)


def _check_declaration(source: Source) -> None:
    try:
        settings_of(type(source))
    except UsageError as error:
        raise AssertionError(str(error)) from error
    name = type(source).__name__
    require(isinstance(source.name, str) and source.name, f"{name}: has no name")


def _check_goes_on(
    start: Callable[[Sequence[str]], Source],
    send: Callable[[Rows], None],
    position: str,
    count: int,
    name: str,
) -> None:
    """Rows that come after a restart are given, too."""
    with _making(start) as source:
        source.seek(json.loads(position))
        require(not _read(source).rows, f"{name}: gives rows again after a restart at the end")
        rows = [_row(count + i) for i in range(2)]
        send(rows)
        found = {cells for _, _, cells in _read(source).rows}
        require(
            found == {tuple(row.values()) for row in rows},
            f"{name}: rows that are sent after a restart do not come as they were sent",
        )


def _row(number: int) -> dict[str, str]:
    return {"id": f"i{number}", "time": str(number), "label": _LABELS[number % len(_LABELS)]}


@contextmanager
def _making(start: Callable[[Sequence[str]], Source]) -> Iterator[Source]:
    source = start(list(_COLUMNS))
    require(isinstance(source, Source), f"start returned {source!r}; expected a Source")
    yield source
    source.close()
    source.close()  # as a monitor that ends twice


def _position(source: Source) -> str:
    """The position as a snapshot keeps it."""
    name, position = type(source).__name__, source.position
    try:
        text = json.dumps(position, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{name}: its position is not JSON: {error}") from error
    require(
        isinstance(position, dict) and json.loads(text) == position,
        f"{name}: its position changes when it is stored: {position!r}",
    )
    return text


def _pieces(source: Source) -> Iterator[_Given]:
    name = type(source).__name__
    for _ in range(_MOST_READS):
        piece = source.read()
        if piece is None:
            require(source.read() is None, f"{name}: read() gives None, and then more of the same")
            return
        require(not source.ended or len(piece.numbers), f"{name}: gives pieces after its end")
        try:
            piece = checked_piece(piece, _COLUMNS, source)
        except UsageError as error:
            raise AssertionError(str(error)) from error
        require(
            piece.lines >= len(piece.numbers),
            f"{name}: a piece of {piece.lines} lines has {len(piece.numbers)} rows",
        )
        cells = zip(*(as_text(piece.columns[each]).to_pylist() for each in _COLUMNS), strict=True)
        rows = [
            (piece.name, number, row)
            for number, row in zip(piece.numbers.tolist(), cells, strict=True)
        ]
        yield _Given(rows, piece.unreadable)
    raise AssertionError(f"{name}: read() does not come to an end")


def _read(source: Source) -> _Given:
    """All that there is now."""
    found = _Given([], 0)
    for part in _pieces(source):
        found = found.plus(part)
    return found


def _check_rows(found: _Given, sent: Rows, name: str) -> None:
    """Every row that was sent came once, as it was sent, with a place of its own."""
    _check_once(found, name, "")
    cells = [row for _, _, row in found.rows]
    for row in sent:
        count = cells.count(tuple(row.values()))
        require(count, f"{name}: the row {row} is lost or changed")
        require(count == 1, f"{name}: the row {row} comes {count} times")
    require(len(cells) == len(sent), f"{name}: {len(cells)} rows came, {len(sent)} were sent")
    for part, rows in found.by_name.items():
        for (one, _), (other, _) in pairwise(rows):
            require(one < other, f"{name}: the numbers of rows in {part} are not ascending")


def _check_once(found: _Given, name: str, when: str) -> None:
    seen = set()
    for part, number, _ in found.rows:
        require(
            (part, number) not in seen, f"{name}:{when} row {number} of {part} comes a second time"
        )
        seen.add((part, number))


def _check_same(whole: _Given, before: _Given, rest: _Given, name: str, when: str) -> None:
    """What came before and the rest are the whole."""
    found = before.plus(rest)
    _check_once(found, name, f" {when}")
    missing = set(whole.rows) - set(found.rows)
    require(not missing, f"{name}: {when} {len(missing)} rows are lost or changed")
    require(found.by_name == whole.by_name, f"{name}: {when} rows come in another order")
    require(
        found.unreadable == whole.unreadable,
        f"{name}: {when} {found.unreadable} unreadable lines are counted, at first "
        f"{whole.unreadable}",
    )
