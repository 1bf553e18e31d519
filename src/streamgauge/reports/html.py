"""HTML, built so that text can never become markup: what is not `Html` is escaped."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from typing import Any

from streamgauge._support.printable import printable, printable_lines

_EMPTY = ("input", "meta", "br")  # elements without an end tag
_ANGLES = re.compile("[<>&]")


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escaped(text: str) -> Html:
    """Text in one line, with every character that could act shown as itself."""
    return Html(html.escape(printable(text)))


def preformatted(text: str) -> Html:
    """Text of several lines, such as a traceback."""
    return tag("pre", Html(html.escape(printable_lines(text))), tabindex="0")


def tag(name: str, /, *content: str | None, **attributes: str | bool | None) -> Html:
    """An element. `class_` and `aria_label` are written as class and aria-label; False: left out.

    >>> tag("p", "1 < 2", title='"')
    '<p title="&quot;">1 &lt; 2</p>'
    """
    written = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(content)}</{name}>")


def joined(content: Iterable[str | None]) -> Html:
    """Several pieces, one after the other."""
    return Html(
        "".join(
            each if isinstance(each, Html) else escaped(each)
            for each in content
            if each is not None
        )
    )


def inline_json(values: Any) -> Html:
    """JSON for a script element: nothing in it ends the element or a line of JavaScript."""
    text = json.dumps(values, separators=(",", ":"), allow_nan=False)
    return Html(_ANGLES.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
