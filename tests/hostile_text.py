"""Names and labels that try to leave their place: on a terminal, on a page, in a document."""

from __future__ import annotations

import unicodedata

ESCAPES = "\x1b[31m\x1b]0;t\x07\x9b2J\x08\r\x0b\x00\x7f\u202e\u2066\u200f\u2028\x85\ufeff"
MARKUP = "[red]</b><script>&lt;$x^2$ \\input{x}%#~`*_a_*|[l](javascript:x) {y}"
FORGED = "FORGED"
HOSTILE = f"x{ESCAPES}{MARKUP}\n{FORGED} line"


def hostile(name: str, without: str = "") -> str:
    """A name with everything in it, but for some characters."""
    return name + "".join(each for each in HOSTILE if each not in without)


def problems(text: str) -> list[str]:
    """What of the hostile names reached a text in effect: controls, and lines of its own."""
    controls = {each for each in text if _is_control(each)}
    forged = [line for line in text.splitlines() if line.lstrip(" |").startswith(FORGED)]
    return [*map(repr, sorted(controls)), *forged]


def _is_control(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\n\t"
