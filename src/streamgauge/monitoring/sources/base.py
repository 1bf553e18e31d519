"""The interface of a source, and what it hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa

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
    unreadable
        Number of lines that could not be read.
    examples
        A few of them in words, for messages.
    """

    columns: Mapping[str, pa.Array]
    lines: int
    unreadable: int = 0
    examples: list[str] = field(default_factory=list)


class Source(Protocol):
    """A place to read events from; a message broker may be one.

    A source gives each line once, in an order that does not depend on when it is asked. Its
    `position` says which lines it has given; `seek` returns to a position after a restart and
    raises an `InputError` if the lines before it are no longer the same.
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
