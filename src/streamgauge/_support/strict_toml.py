"""Values read strictly: a complaint names the key and, for an unknown one, what was meant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from streamgauge._support.errors import UsageError, did_you_mean

T = TypeVar("T", bound=msgspec.Struct)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """TOML as plain values; `where` names it in errors."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: is no TOML: {error}") from None


def convert(
    values: Any,
    kind: type[T],
    where: str,
    tables: Mapping[str, type[msgspec.Struct]] | None = None,
    text: str = "",
) -> T:
    """Plain values as a struct.

    `tables`: which struct stands under a key of it; `text`: the file, so that errors name the line.
    """
    try:
        return msgspec.convert(values, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        key, said = _explained(str(error), kind, tables or {})
        raise UsageError(f"{where}{line_of(text, key)}: {said}") from None


def line_of(text: str, what: str) -> str:
    """ ", line 7": the first line that has it, as a word of its own; nothing if none has."""
    if what:
        word = rf"(?:^|[^\w.:]){re.escape(what)}(?:$|[^\w.:])"
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(word, line):
                return f", line {number}"
    return ""


def _explained(
    complaint: str, kind: type[msgspec.Struct], tables: Mapping[str, type[msgspec.Struct]]
) -> tuple[str, str]:
    """The key, and msgspec's words with, for a key that is unknown, those that are."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", complaint, re.DOTALL)
    said, place = (found[1], found[2] or "") if found else (complaint, "")
    key = re.split(r"[.\[]", place)[0]
    table = tables.get(key, kind)
    keys = [field.name for field in msgspec.structs.fields(table)]
    place = place and f"{place}: "
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", said, re.DOTALL):
        close = did_you_mean(unknown[1], keys)
        return unknown[1], f"{place}unknown key {unknown[1]!r}{close}; keys: {', '.join(keys)}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", said):
        return key, f"{place}has no key {missing[1]!r}; expected one"
    return key, f"{place}{said[:1].lower()}{said[1:]}".replace(" | null", "")
