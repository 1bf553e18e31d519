"""Selecting items by their fields."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from streamgauge import UsageError
from streamgauge._support.selection import select


class Item(NamedTuple):
    color: str
    size: int


ITEMS = [Item("red", 1), Item("red", 2), Item("blue", 1)]


def test_items_with_the_values_asked_for() -> None:
    keys = Item._fields
    assert select(ITEMS, None, keys, getattr) == ITEMS
    assert select(ITEMS, {"size": 1}, keys, getattr) == [ITEMS[0], ITEMS[2]]
    assert select(ITEMS, {"size": "1", "color": ["red"]}, keys, getattr) == ITEMS[:1]
    assert select(ITEMS, {"color": ["red", "blue"]}, keys, getattr) == ITEMS


def test_an_exclamation_mark_leaves_values_out() -> None:
    keys = Item._fields
    assert select(ITEMS, {"color!": "red"}, keys, getattr) == ITEMS[2:]
    assert select(ITEMS, {"color!": "red", "size!": [1]}, keys, getattr) == []
    with pytest.raises(UsageError, match="where color=green: no such value"):
        select(ITEMS, {"color!": "green"}, keys, getattr)


def test_unknown_keys_and_values_are_errors() -> None:
    with pytest.raises(UsageError, match=r"where colour: no such key \(did you mean 'color'\?\)"):
        select(ITEMS, {"colour": "red"}, Item._fields, getattr)
    with pytest.raises(UsageError, match="where size=3: no such value; expected one of 1, 2"):
        select(ITEMS, {"size": 3}, Item._fields, getattr)
