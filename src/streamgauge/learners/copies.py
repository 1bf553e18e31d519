"""The state of a compiled learner: kept aside, and put back."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge.types import Schema

_CONSTANTS = (str, bool, int, float, complex, type(None), Schema, np.generic)


def in_arrays(thing: object) -> bool:
    """Is all it knows in arrays and constants, so that a copy is cheap and complete?

    Of our own learners this is looked up, part by part; a foreign model inside makes it false.
    """
    if isinstance(thing, np.ndarray):
        return thing.dtype != object
    if isinstance(thing, tuple | list):
        return all(map(in_arrays, thing))
    if isinstance(thing, dict):
        return all(map(in_arrays, thing.values()))
    if type(thing).__module__.startswith("streamgauge.learners."):
        return all(map(in_arrays, vars(thing).values()))
    return isinstance(thing, _CONSTANTS)


def state_of(learner: object) -> dict[str, Any]:
    """A copy of all it knows."""
    return {name: _copy(value) for name, value in vars(learner).items()}


def put_back(learner: object, state: dict[str, Any]) -> None:
    """Let it know what it knew then, and no more. The state stays good for another time."""
    own = vars(learner)
    if len(own) > len(state):
        for name in own.keys() - state.keys():
            del own[name]
    for name, value in state.items():
        own[name] = _put(own.get(name), value)


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        return _alike(value, [_copy(part) for part in value])
    if isinstance(value, list):
        return [_copy(part) for part in value]
    if isinstance(value, dict):
        return {name: _copy(part) for name, part in value.items()}
    if isinstance(value, _CONSTANTS):
        return value
    other = object.__new__(type(value))
    vars(other).update(state_of(value))
    return other


def _put(live: Any, value: Any) -> Any:
    """In place where the arrays are still as large: several times as fast as new ones."""
    if isinstance(value, np.ndarray):
        if (
            isinstance(live, np.ndarray)
            and live.shape == value.shape
            and live.dtype == value.dtype
            and live.flags.writeable
        ):
            live[...] = value
            return live
    elif isinstance(value, tuple) and isinstance(live, tuple) and len(live) == len(value):
        return _alike(value, [_put(*pair) for pair in zip(live, value, strict=True)])
    return _copy(value)


def _alike(model: tuple[Any, ...], parts: list[Any]) -> tuple[Any, ...]:
    """A tuple of the same kind: kernels are compiled for named ones by their type."""
    return type(model)(*parts) if hasattr(model, "_fields") else tuple(parts)
