"""Arguments of the wrong type are refused in words, by the annotations of the parameters."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from streamgauge._support.errors import UsageError, check_integer, check_seed

_LARGEST = 1 << 62  # of integers that are given as numbers
_SHOWN = 60  # characters of a refused value


def check_fields(thing: Any) -> None:
    """Check the fields of a dataclass; the first line of its `__post_init__`."""
    values = {each.name: getattr(thing, each.name) for each in fields(thing)}
    kind: Any = type(thing)
    check_arguments(kind.__name__, hints_of(kind), values)


def check_arguments(owner: str, hints: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Refuse a value that is not an integer, a number, a boolean or a choice where one is expected.

    Parameters with any other annotation are not checked. NaN is not a number; a seed may have more
    than 62 bits.
    """
    for name, value in values.items():
        kinds = _kinds(hints.get(name))
        if name == "seed" and int in kinds and value is not None:
            check_seed(owner, value)
            continue
        if name.startswith("seed") or not kinds or any(_is_a(kind, value) for kind in kinds):
            continue
        if kinds == (int,):
            check_integer(f"{owner}({name})", value)
        expected = " or ".join(dict.fromkeys(map(_words, kinds)))
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        raise UsageError(f"{owner}({name}={shown}): expected {expected}")


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:
    """The annotations of a class or function; none if a name in them cannot be found."""
    try:
        return get_type_hints(kind)
    except NameError:  # of a user's class
        return {}


@cache
def _kinds(hint: Any) -> tuple[Any, ...]:
    """What a parameter may be: int, float, bool, None, literals; empty if anything."""
    if get_origin(hint) in (Union, UnionType):
        parts = [_kinds(each) for each in get_args(hint)]
        return tuple(kind for part in parts for kind in part) if all(parts) else ()
    if hint in (int, float, bool, NoneType) or get_origin(hint) is Literal:
        return (hint,)
    return ()


def _is_a(kind: Any, value: Any) -> bool:
    truth = isinstance(value, bool | np.bool_)
    if kind is bool or truth:
        return kind is bool and truth
    if kind is int:
        return _is_integer(value)
    if kind is float:
        fraction = isinstance(value, Real) and not isinstance(value, Integral)
        return _is_integer(value) or (fraction and not math.isnan(value))
    # Of several texts the class itself says which ones it expects.
    return value is None if kind is NoneType else isinstance(value, str | None)


def _is_integer(value: Any) -> bool:
    """Whether a value is an integer that fits in 62 bits."""
    try:
        return abs(operator.index(value)) < _LARGEST
    except TypeError:
        return False


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    words = {int: "an integer", float: "a number", bool: "True or False", NoneType: "None"}
    return words[kind]
