"""Lines from standard input, until it ends."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.monitoring.sources.base import Source
from streamgauge.streams.formats.file_format import format_named, line_parser
from streamgauge.streams.formats.pieces import Piece

_READ = 1 << 20


class StandardInput(Source):
    """Lines that another program writes to our standard input.

    They cannot be read again. After a restart the other program either goes on where it was, and
    lines that came after the last snapshot are lost, or it sends everything again: then the lines
    that the snapshot has are skipped.

    Parameters
    ----------
    columns
        The columns to read.
    home
        Not used.
    format
        The format of the lines.
    repeats
        Whether everything is sent again after a restart.
    """

    one_feed = True

    def __init__(
        self, columns: Sequence[str], home: Path, *, format: str = "csv", repeats: bool = False
    ) -> None:
        self.name = "standard input"
        self._parser = line_parser(format_named(format), columns, self.name)
        self._repeats = repeats
        self._rest = b""
        self._lines, self._skip = 0, 0
        self.ended = False

    @property
    def position(self) -> dict[str, Any]:
        """The number of lines given so far, and the names of the columns."""
        return {"lines": self._lines, "header": self._parser.header}

    def seek(self, position: Mapping[str, Any]) -> None:
        """Skip the lines before an earlier position, if they are sent again."""
        if position["header"] is not None:
            self._parser.start(position["header"])
        self._lines = position["lines"]
        self._skip = position["lines"] if self._repeats else 0

    def read(self) -> Piece | None:
        """The next whole lines; None if there are none now."""
        if self.ended:
            return None
        source = sys.stdin.buffer.fileno()
        try:
            ready, _, _ = select.select([source], [], [], 0)
        except OSError:
            raise UsageError("standard input is closed; name a file instead of '-'") from None
        if not ready:
            return None
        data = os.read(source, _READ)
        self.ended = not data
        text = self._rest + data
        end = len(text) if self.ended else text.rfind(b"\n") + 1
        text, self._rest = text[:end], text[end:]
        return self._parse(text) if text else None

    def _parse(self, text: bytes) -> Piece | None:
        if self._skip:
            *lines, rest = text.split(b"\n", self._skip)
            self._skip -= len(lines)
            text = b"" if self._skip else rest
        if not text:
            return None
        piece = self._parser.parse(text, self._lines + 1)
        self._lines += text.count(b"\n") + (not text.endswith(b"\n"))
        return piece
