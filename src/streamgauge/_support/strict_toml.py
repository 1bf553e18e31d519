"""Strict reading of TOML into structs: errors name the key and suggest the closest known one."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from streamgauge._support.errors import UsageError, instead_of

T = TypeVar("T", bound=msgspec.Struct)
_KINDS = {  # msgspec's word → ours, and an example of a value
    "array": ("a list", "[...]"),
    "object": ("a table", "{ ... }"),
    "str": ("a text in quotes", '"..."'),
    "int": ("an integer", "10"),
    "float": ("a number", "1.5"),
    "bool": ("true or false", "true"),
    "date": ("a date", "2026-01-31"),
    "datetime": ("a time", "2026-01-31T12:00:00Z"),
}


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Parse TOML into plain values; `where` names the text in error messages."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # the mark that Windows puts first
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: invalid TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{where}: lists or tables are nested too deeply") from None
    except ValueError as error:  # Python does not convert numbers of very many digits
        most = sys.get_int_max_str_digits()
        too_long = re.compile(rf"[0-9_]{{{most + 1}}}")
        for number, line in enumerate(text.splitlines(), 1):
            if too_long.search(line):
                raise UsageError(
                    f"{where}, line {number}: expected numbers of at most {most:,} digits"
                ) from None
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
        key, message = _explain(str(error), kind, tables or {}, values)
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
    message: str,
    kind: type[msgspec.Struct],
    tables: Mapping[str, type[msgspec.Struct]],
    values: Any,
) -> tuple[str, str]:
    """Return the wrong key and msgspec's message, with the known keys if the key is unknown."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", message, re.DOTALL)
    reason, path = (found[1], found[2] or "") if found else (message, "")
    key = re.split(r"[.\[]", path)[0]
    table = tables.get(key, kind)
    keys = _keys(table)
    path = path and f"{path}: "
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        belongs_in = [name for name, each in tables.items() if unknown[1] in _keys(each)]
        if len(belongs_in) == 1:
            hint = f" (it belongs in [{belongs_in[0]}])"
        else:
            hint = instead_of(unknown[1], keys)
        return unknown[1], f"{path}unknown key {unknown[1]!r}{hint}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return key, f"{path}missing key {missing[1]!r}"
    given = values.get(key) if isinstance(values, dict) else None
    return key, f"{path}{_in_words(reason, path.rpartition('.')[2].removesuffix(': '), given)}"


def _keys(table: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(table)]


def _in_words(reason: str, key: str, given: Any) -> str:
    """A message of msgspec with TOML's words for its types, and an example."""

    def words(found: re.Match[str]) -> str:
        kinds = [kind for kind in found[1].split(" | ") if kind != "null"]
        return " or ".join(_KINDS[kind][0] if kind in _KINDS else f"`{kind}`" for kind in kinds)

    wrong = re.fullmatch(r"Expected `(\w+)[^`]*`, got `\w+`", reason)
    example = ""
    if wrong and wrong[1] in _KINDS and re.fullmatch(r"\w+", key):
        listed = wrong[1] == "array" and isinstance(given, str)
        value = f'["{given}"]' if listed else _KINDS[wrong[1]][1]
        example = f"; e.g. {key} = {value}"
    text = re.sub(r"`([^`]*)`", words, reason)
    return f"{text[:1].lower()}{text[1:]}{example}"
