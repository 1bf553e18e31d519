"""The state of objects as plain values and arrays, and back into objects of the same making.

A snapshot names no class and runs no code: a monitor is first made from its configuration, and the
state is then put into what was made.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge.streams.base import Stream

Arrays = list[npt.NDArray[Any]]
_PLAIN = (bool, int, float, str, type(None))


class Dump:
    """Takes the state of objects; what is reached a second time is kept once."""

    def __init__(self) -> None:
        self.arrays: Arrays = []
        self._places: dict[int, int] = {}
        self._seen: set[int] = set()

    def tree(self, value: Any) -> Any:
        """A value as JSON; arrays are named by their place in `arrays`."""
        if isinstance(value, np.generic | np.ndarray):
            return value.item() if isinstance(value, np.generic) else self._array(value)
        if isinstance(value, _PLAIN):
            return value
        if isinstance(value, list | tuple):
            return {"items": [self.tree(each) for each in value]}
        if isinstance(value, dict):
            return {"pairs": [[self.tree(key), self.tree(each)] for key, each in value.items()]}
        return self._object(value)

    def _array(self, array: npt.NDArray[Any]) -> dict[str, Any]:
        if id(array) not in self._places:
            self._places[id(array)] = len(self.arrays)
            self.arrays.append(array)
        return {"array": self._places[id(array)]}

    def _object(self, value: Any) -> dict[str, Any]:
        has_own = hasattr(value, "dump_state")
        if id(value) in self._seen or not (has_own or _has_state(value)):
            return {"constant": True}
        self._seen.add(id(value))
        if has_own:
            return {"own": self.tree(value.dump_state())}
        return {"fields": {name: self.tree(each) for name, each in vars(value).items()}}


def load(template: Any, tree: Any, arrays: Arrays) -> Any:
    """The value of a tree; an object of the template takes the state and is returned."""
    if not isinstance(tree, dict):
        return tree
    (kind, given), *_ = tree.items()
    if kind == "array":
        return arrays[given]
    if kind == "items":
        return _load_items(template, given, arrays)
    if kind == "pairs":
        return _load_pairs(template, given, arrays)
    if kind == "own":
        template.load_state(load(None, given, arrays))
    elif kind == "fields":
        for name, each in given.items():
            setattr(template, name, load(getattr(template, name, None), each, arrays))
    return template


def _load_items(template: Any, given: list[Any], arrays: Arrays) -> Any:
    like = list(template) if isinstance(template, list | tuple) else []
    like = like if len(like) == len(given) else [None] * len(given)
    items = [load(t, each, arrays) for t, each in zip(like, given, strict=True)]
    if not isinstance(template, tuple):
        return items
    return type(template)._make(items) if hasattr(template, "_make") else tuple(items)


def _load_pairs(template: Any, given: list[Any], arrays: Arrays) -> Any:
    known = template if isinstance(template, dict) else {}
    found = {}
    for key_tree, each in given:
        key = load(None, key_tree, arrays)
        key = tuple(key) if isinstance(key, list) else key
        found[key] = load(known.get(key), each, arrays)
    return Counter(found) if isinstance(template, Counter) else found


def check_savable(thing: Any) -> None:
    """Raise an error for an object of another package, whose state cannot be saved."""
    if not _is_own(thing):
        raise UsageError(
            f"{thing!r}: a monitor keeps the state of streamgauge's own references and detectors "
            "only; expected one of them"
        )


def _is_own(value: Any) -> bool:
    return type(value).__module__.startswith("streamgauge.")


def _has_state(value: Any) -> bool:
    parameters = getattr(type(value), "__dataclass_params__", None)
    return (
        _is_own(value)
        and hasattr(value, "__dict__")
        and not (parameters is not None and parameters.frozen)
        and not isinstance(value, type | Stream)
    )
