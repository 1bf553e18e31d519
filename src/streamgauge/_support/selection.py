"""Selects items by their fields, as `where=` and `--where` do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from streamgauge._support.errors import UsageError, instead_of

Where: TypeAlias = Mapping[str, str | int | Sequence[str | int]]
_Item = TypeVar("_Item")


def select(
    items: Sequence[_Item],
    where: Where | None,
    keys: Sequence[str],
    value_of: Callable[[_Item, str], object],
) -> list[_Item]:
    """The items whose fields have the values asked for; an unknown key or value is an error.

    A field that is None has every value. "learner!" leaves the values of "learner" out.
    """
    chosen = list(items)
    for text, wanted in (where or {}).items():
        key = text.removesuffix("!")
        if key not in keys:
            raise UsageError(f"where {key}: no such key{instead_of(key, keys)}")
        values = [wanted] if isinstance(wanted, str | int) else list(wanted)
        found = [value_of(item, key) for item in chosen]
        known = list(dict.fromkeys(str(value) for value in found if value is not None))
        for value in map(str, values):
            if known and value not in known:
                raise UsageError(f"where {key}={value}: no such value{instead_of(value, known)}")
        kept = set(map(str, values))
        pairs = zip(chosen, found, strict=True)
        without = text != key
        chosen = [item for item, value in pairs if value is None or (str(value) in kept) != without]
    return chosen
