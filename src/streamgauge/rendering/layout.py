"""How wide text may be: sentences wrap at words, tables fold their columns.

The command line sets the width of its terminal. Elsewhere tables are as wide as they are, and
sentences wrap at `NARROW`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

NARROW = 80  # columns where no width is set
_WIDEST = 100  # columns of a sentence, however wide the terminal is
_LEAST = 40
_width: ContextVar[int | None] = ContextVar("width", default=None)
# Not to be torn apart: 85.3 %, 0.5 ± 0.1, −0.4 to 5.0, 1,700 rows, p = 0.01, ▲ better.
_TOGETHER = re.compile(
    r"(?<=\d) (?=%|±|to [−+-]?\d|rows\b|points\b)|(?<=±) (?=\d)|(?<=\d to) (?=[−+-]?\d)"
    r"| (?=[=<>] )|(?<= [=<>]) |(?<=[▲▼○]) "
)
_GLUE = "\u00a0"


@contextmanager
def wide(columns: int | None) -> Iterator[None]:
    """Show text in this many columns; None: tables as wide as they are, as in a file."""
    token = _width.set(None if columns is None else max(columns, _LEAST))
    try:
        yield
    finally:
        _width.reset(token)


def table_width() -> int | None:
    """The columns that a table may have; None if that is not limited."""
    return _width.get()


def text_width() -> int:
    """The columns that a sentence may have."""
    return min(_width.get() or NARROW, _WIDEST)


def wrap(text: str, width: int | None = None) -> str:
    """Wrap lines that are too long at words; what follows is indented as they are.

    >>> print(wrap("It is right in 85.3 % of the rows.", 20))
    It is right in
    85.3 % of the rows.
    """
    width = text_width() if width is None else width
    return "\n".join(part for line in text.split("\n") for part in _wrapped(line, width))


def _wrapped(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    glued = _TOGETHER.sub(_GLUE, line)
    parts = textwrap.wrap(
        glued, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [part.replace(_GLUE, " ") for part in parts]


def folded(widths: Sequence[int], names: int, limit: int, gap: int = 2) -> list[list[int]]:
    """Columns in groups that fit: each begins with the first `names` columns, those of names.

    >>> folded([10, 8, 8, 8], 1, 30)
    [[0, 1, 2], [0, 3]]
    """
    first = list(range(names))
    taken = sum(widths[i] + gap for i in first)
    groups: list[list[int]] = []
    used = limit + 1
    for i in range(names, len(widths)):
        if used + widths[i] > limit or not groups:
            groups.append([*first])
            used = taken
        groups[-1].append(i)
        used += widths[i] + gap
    return groups or [first]
