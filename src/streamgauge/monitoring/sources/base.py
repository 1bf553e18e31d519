"""The interface of a source, and what it hands over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Longs

PIECE_BYTES = 1 << 22  # read at a time
MOST_EXAMPLES = 3  # unreadable lines that a message quotes


@dataclass(frozen=True)
class Piece:
    """Some lines of a source.

    Attributes
    ----------
    columns
        The columns asked for, all of one length.
    lines
        Number of lines read, readable or not.
    name, numbers
        The file, and the line of each row in it, for messages.
    unreadable
        Number of lines that could not be read.
    examples
        A few of them in words, for messages.
    replaced
        How often the file turned out to be another one since the last piece.
    remarks
        What else happened to the file, for the log.
    """

    columns: Mapping[str, pa.Array]
    lines: int
    name: str
    numbers: Longs
    unreadable: int = 0
    examples: list[str] = field(default_factory=list)
    replaced: int = 0
    remarks: list[str] = field(default_factory=list)

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        return f"{self.name}, line {self.numbers[row]:,}"


def no_rows(
    name: str, columns: Sequence[str], trouble: str = "", remark: str = "", lines: int = 0
) -> Piece:
    """A piece without rows; `trouble` says why its lines, one or more, could not be read."""
    return Piece(
        {column: pa.array([], pa.string()) for column in columns},
        lines,
        name,
        np.empty(0, np.int64),
        max(1, lines) if trouble else 0,
        [trouble] if trouble else [],
        remarks=[remark] if remark else [],
    )


class Source(Protocol):
    """A place to read events from; a message broker may be one.

    A source gives each line once, in an order that does not depend on when it is asked, and what a
    line gives does not depend on the lines around it. Its `position` says which lines it has given;
    `seek` returns to a position after a restart. Whatever a source finds, it goes on: what cannot
    be read is counted in the piece.
    """

    name: str  # in messages

    @property
    def ended(self) -> bool:
        """Whether no more lines can come."""
        ...

    @property
    def position(self) -> dict[str, Any]:
        """Where it stands, as JSON."""
        ...

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position."""
        ...

    def read(self) -> Piece | None:
        """The next lines; None if there are none now."""
        ...

    def close(self) -> None:
        """Release what is open."""
        ...
