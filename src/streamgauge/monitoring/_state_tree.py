"""The state of objects as plain values and arrays, and back into objects of the same making.

A snapshot names no class and runs no code: a monitor is first made from its configuration, and the
state is then put into what was made.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import is_dataclass
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
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, _PLAIN):
            return value
        if isinstance(value, np.ndarray):
            if id(value) not in self._places:
                self._places[id(value)] = len(self.arrays)
                self.arrays.append(value)
            return {"array": self._places[id(value)]}
        if isinstance(value, list | tuple):
            return {"items": [self.tree(each) for each in value]}
        if isinstance(value, dict):
            return {"pairs": [[self.tree(key), self.tree(each)] for key, each in value.items()]}
        if id(value) in self._seen:
            return {"constant": True}
        if hasattr(value, "dump_state"):
            self._seen.add(id(value))
            return {"own": self.tree(value.dump_state())}
        if _has_state(value):
            self._seen.add(id(value))
            return {"fields": {name: self.tree(each) for name, each in vars(value).items()}}
        return {"constant": True}


def load(template: Any, tree: Any, arrays: Arrays) -> Any:
    """The value of a tree; an object of the template takes the state and is returned."""
    if not isinstance(tree, dict):
        return tree
    if "array" in tree:
        return arrays[tree["array"]]
    if "items" in tree:
        given = tree["items"]
        like = list(template) if isinstance(template, list | tuple) else []
        like = like if len(like) == len(given) else [None] * len(given)
        items = [load(t, each, arrays) for t, each in zip(like, given, strict=True)]
        if isinstance(template, tuple):
            return type(template)._make(items) if hasattr(template, "_make") else tuple(items)
        return items
    if "pairs" in tree:
        known = template if isinstance(template, dict) else {}
        found = {}
        for key_tree, each in tree["pairs"]:
            key = load(None, key_tree, arrays)
            key = tuple(key) if isinstance(key, list) else key
            found[key] = load(known.get(key), each, arrays)
        return Counter(found) if isinstance(template, Counter) else found
    if "own" in tree:
        template.load_state(load(None, tree["own"], arrays))
        return template
    if "fields" in tree:
        for name, each in tree["fields"].items():
            new = load(getattr(template, name, None), each, arrays)
            if not (isinstance(each, dict) and "constant" in each):
                setattr(template, name, new)
        return template
    return template


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
    frozen = is_dataclass(value) and type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]
    return (
        _is_own(value)
        and hasattr(value, "__dict__")
        and not frozen
        and not isinstance(value, type | Stream)
    )
