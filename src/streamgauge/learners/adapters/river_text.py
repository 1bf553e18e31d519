"""The text that describes a River model, as the command line takes it: river:tree.Class(x=1)."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from streamgauge.learners.adapters.river import river_class

_FREE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def is_river_object(thing: Any) -> bool:
    """Whether River defines the thing's class."""
    return type(thing).__module__.startswith("river.")


def river_text(model: Any) -> str:
    """The text of an untrained River model; ValueError if its parameters cannot be written."""
    return f"river:{_call(model)}"


def _call(thing: Any) -> str:
    """A call of a class of River; parameters that the class would choose itself are left out."""
    name = _public_name(type(thing))
    steps = getattr(thing, "steps", None)
    if isinstance(steps, dict):  # a pipeline
        return f"{name}({', '.join(map(_call, steps.values()))})"
    parameters = inspect.signature(type(thing)).parameters.values()
    values = {each.name: getattr(thing, each.name) for each in parameters if each.kind not in _FREE}
    required = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    given = {key: values[key] for key in required if key in values}
    plain = type(thing)(**given)
    given |= {
        key: value for key, value in values.items() if repr(value) != repr(getattr(plain, key))
    }
    return f"{name}({', '.join(f'{key}={_value(value)}' for key, value in given.items())})"


def _value(value: Any) -> str:
    if is_river_object(value):
        return _call(value)
    if ast.literal_eval(repr(value)) != value:
        raise ValueError(f"{value!r} is not a literal")
    return repr(value)


def _public_name(kind: type[Any]) -> str:
    """The name under which a public module of River has the class: tree.HoeffdingTreeClassifier."""
    *modules, _ = [*kind.__module__.split(".")[1:], ""]
    for depth in range(1, len(modules) + 1):
        name = ".".join([*modules[:depth], kind.__name__])
        try:
            if river_class(name) is kind:
                return name
        except ValueError:
            continue
    raise ValueError(f"no public module of River has {kind.__name__}")
