"""Strict reading of TOML into structs: errors name the key and suggest the closest known one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from streamgauge._support.errors import UsageError, did_you_mean

T = TypeVar("T", bound=msgspec.Struct)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Parse TOML into plain values; `where` names the text in error messages."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # the mark that Windows puts first
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: invalid TOML: {error}") from None


def convert(
    values: Any,
    kind: type[T],
    where: str,
    tables: Mapping[str, type[msgspec.Struct]] | None = None,
    text: str = "",
) -> T:
    """Convert plain values into a struct.

    Parameters
    ----------
    values
        Plain values, as `parse_toml` returns them.
    kind
        The struct to convert them into.
    where
        Names the text in error messages.
    tables
        Struct types of the tables under some keys, to suggest their keys in error messages.
    text
        The TOML text, to give line numbers in error messages.
    """
    try:
        return msgspec.convert(values, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        key, message = _explain(str(error), kind, tables or {})
        raise UsageError(f"{where}{line_of(text, key)}: {message}") from None


def line_of(text: str, what: str) -> str:
    """Format the number of the first line with this word as ", line 7"; empty if no line has it."""
    if what:
        word = rf"(?:^|[^\w.:]){re.escape(what)}(?:$|[^\w.:])"
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(word, line):
                return f", line {number}"
    return ""


def _explain(
    message: str, kind: type[msgspec.Struct], tables: Mapping[str, type[msgspec.Struct]]
) -> tuple[str, str]:
    """Return the wrong key and msgspec's message, with the known keys if the key is unknown."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", message, re.DOTALL)
    reason, path = (found[1], found[2] or "") if found else (message, "")
    key = re.split(r"[.\[]", path)[0]
    table = tables.get(key, kind)
    keys = [field.name for field in msgspec.structs.fields(table)]
    path = path and f"{path}: "
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        hint = did_you_mean(unknown[1], keys)
        return unknown[1], (
            f"{path}unknown key {unknown[1]!r}{hint}; expected one of {', '.join(keys)}"
        )
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return key, f"{path}missing key {missing[1]!r}"
    return key, f"{path}{reason[:1].lower()}{reason[1:]}".replace(" | null", "")
