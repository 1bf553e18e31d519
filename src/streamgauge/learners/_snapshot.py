"""Snapshots of a compiled learner's state."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.types import Schema
from streamgauge.measures.forgetting import Cumulative, Fading, TimeWindow, Window

_ALIGNMENT = 64  # bytes
_FORGETTINGS = (Cumulative, Fading, TimeWindow, Window)
_CONSTANTS = (str, bool, int, float, complex, type(None), Schema, np.generic, *_FORGETTINGS)


def in_arrays(thing: object) -> bool:
    """Whether its state consists of arrays and constants, so that a copy is cheap and complete.

    Our own learners are checked part by part; a foreign model inside makes it false.
    """
    if isinstance(thing, np.ndarray):
        return not thing.dtype.hasobject
    if isinstance(thing, tuple | list):
        return all(map(in_arrays, thing))
    if isinstance(thing, dict):
        return all(map(in_arrays, thing.values()))
    if type(thing).__module__.startswith("streamgauge.learners."):
        return all(map(in_arrays, vars(thing).values()))
    return isinstance(thing, _CONSTANTS)


def state_of(learner: object) -> dict[str, Any]:
    """A copy of the complete state."""
    return {name: _copy(value) for name, value in vars(learner).items()}


_Bytes = npt.NDArray[np.uint8]


class Snapshot:
    """The state of a learner, to be restored many times.

    If the learner still has the arrays of the last restore, they are overwritten, which is much
    faster than new ones.
    """

    def __init__(self, learner: object) -> None:
        self._state = state_of(learner)
        self._restored: dict[str, tuple[Any, _Bytes, _Bytes]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Once unpickled, the restored arrays no longer share one buffer."""
        return {**vars(self), "_restored": {}}

    def restore(self, learner: object) -> None:
        """Give a learner exactly this state."""
        own = vars(learner)
        if own.keys() != self._state.keys():
            own.clear()
        for name, value in self._state.items():
            if (last := self._restored.get(name)) and own.get(name) is last[0]:
                if len(last[1]):
                    np.copyto(last[1], last[2])
            elif _fixed(value):
                memory = np.empty(_size(value), np.uint8)
                own[name] = _packed(value, memory, [0])
                self._restored[name] = own[name], memory, memory.copy()
            else:
                own[name] = _copy(value)


def _fixed(value: Any) -> bool:
    """Whether only the contents of its arrays can change."""
    if isinstance(value, tuple):
        return all(map(_fixed, value))
    return isinstance(value, (np.ndarray, *_CONSTANTS))


def _size(value: Any) -> int:
    """The bytes of all its arrays, each aligned."""
    if isinstance(value, tuple):
        return sum(map(_size, value))
    return -(-value.nbytes // _ALIGNMENT) * _ALIGNMENT if isinstance(value, np.ndarray) else 0


def _packed(value: Any, memory: _Bytes, used: list[int]) -> Any:
    """A copy whose arrays share one buffer, so that a single copy restores them all."""
    if isinstance(value, tuple):
        parts = [_packed(part, memory, used) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not isinstance(value, np.ndarray):
        return _copy(value)
    part = memory[used[0] : used[0] + value.nbytes].view(value.dtype).reshape(value.shape)
    used[0] += _size(value)
    part[...] = value
    return part


def _copy(value: Any) -> Any:
    # Arrays in a tuple, the bulk of a state, are copied without a call each.
    if isinstance(value, tuple):
        parts = [part.copy() if type(part) is np.ndarray else _copy(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, _CONSTANTS):
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list):
        return [_copy(part) for part in value]
    if isinstance(value, dict):
        return {name: _copy(part) for name, part in value.items()}
    other = object.__new__(type(value))
    vars(other).update(state_of(value))
    return other
