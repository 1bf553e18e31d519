"""The contract of a source: what a monitor reads events from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from streamgauge._support.errors import UsageError, shown
from streamgauge.streams.formats.pieces import Piece


class Source(ABC):
    """What a monitor reads events from: a file, a folder, a message broker; derive from it.

    A source gives each line once, in pieces. The lines of one file or partition (`Piece.name`) come
    in an order that does not depend on when it is asked, and what a line gives does not depend on
    the lines around it. Its `position` says which lines it has given: the monitor keeps it in its
    own snapshot, so that after a restart, with `seek`, nothing is lost and nothing comes twice.
    Whatever a source finds, it goes on: what cannot be read is counted in the piece.

    The monitor makes a source as `MySource(columns, home, **settings)`: the columns to read, and
    the folder that paths are relative to. Settings are the keyword-only parameters of `__init__`,
    with their types; in `monitor.toml` they stand beside `kind = "MySource"`.

    Attributes
    ----------
    name
        What it is called in messages.
    ended
        Whether no more lines can come.
    movable
        Names of settings that say only where the lines are: they may change between two starts.
    one_feed
        Whether only one feed of a monitor can read it.

    Examples
    --------
    >>> import numpy as np
    >>> import pyarrow as pa
    >>> import streamgauge as sg
    >>> class Countdown(sg.Source):
    ...     def __init__(self, columns, home, *, start: int = 3):
    ...         self.name, self.left, self.start = "countdown", start, start
    ...     @property
    ...     def position(self):
    ...         return {"left": self.left}
    ...     def seek(self, position):
    ...         self.left = position["left"]
    ...     def read(self):
    ...         if self.left == 0:
    ...             return None
    ...         given = self.start - self.left
    ...         row = {"id": [given], "time": [given], "prediction": ["yes"], "label": ["yes"]}
    ...         self.left -= 1
    ...         columns = {name: pa.array(cells) for name, cells in row.items()}
    ...         return sg.Piece(columns, lines=1, name=self.name, numbers=np.array([given]))
    >>> monitor = sg.Monitor({
    ...     "predictions": {
    ...         "kind": Countdown, "start": 5, "prediction": "prediction", "label": "label",
    ...     },
    ...     "classes": ["no", "yes"],
    ...     "join": {"timeout": 100},
    ... })
    >>> monitor.finish()
    >>> monitor.runs["monitor"].counts.scored
    5
    """

    movable: ClassVar[tuple[str, ...]] = ()
    one_feed: ClassVar[bool] = False
    name: str
    ended: bool = False

    @property
    @abstractmethod
    def position(self) -> dict[str, Any]:
        """Where it stands, as JSON; of partitions, the offset of each."""

    @abstractmethod
    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position; called before the first `read`."""

    @abstractmethod
    def read(self) -> Piece | None:
        """The next lines; None, at once, if there are none now."""

    def close(self) -> None:  # noqa: B027 - most have nothing open
        """Release what is open."""


def checked_piece(piece: Any, columns: Sequence[str], source: Source) -> Piece:
    """A piece that a source gave; an error that names the source if it is not one."""
    where = f"source {type(source).__name__}"
    if not isinstance(piece, Piece):
        raise UsageError(f"{where}: read() returned {shown(piece)}; expected a Piece or None")
    for column in columns:
        if column not in piece.columns:
            raise UsageError(f"{where}: a piece without the column {column!r}, which was asked for")
        length = len(piece.columns[column])
        if length != len(piece.numbers):
            raise UsageError(
                f"{where}: {length:,} cells in the column {column!r} of a piece of "
                f"{len(piece.numbers):,} numbered rows; expected as many"
            )
    return piece
