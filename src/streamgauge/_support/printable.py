"""Text that is safe to show: no character of it moves the cursor, hides or reorders other text.

Names, labels, file names and messages come from data and from other people's files. A terminal
obeys escape sequences in them, and a page reorders its text at the marks of right-to-left writing.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_CODES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # Unicode's categories of what is not shown


def printable(text: str) -> str:
    r"""The text in one line, with an escape for each character that is not shown as itself.

    >>> print(printable("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """Like `printable`, but line breaks and tabs stay."""
    if all(line.isprintable() for line in text.split("\n")):
        return text
    return "".join(each if each in "\n\t" else _shown(each) for each in text)


def printed(show: Callable[[T], str]) -> Callable[[T], str]:
    """Decorate a `__str__`, so that its text is printable."""

    @functools.wraps(show)
    def shown(thing: T) -> str:
        return printable_lines(show(thing))

    return shown


@functools.cache
def _shown(character: str) -> str:
    if unicodedata.category(character) not in _CODES:
        return character
    return character.encode("unicode_escape").decode()
