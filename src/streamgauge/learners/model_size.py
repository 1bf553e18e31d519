"""The size of a model in bytes, and how it was measured."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from streamgauge._support.pickled_size import pickled_bytes

Measured = Literal["own", "pickled"]


class ModelSize(NamedTuple):
    """The bytes of a model, and how they were measured; None, None if they are unknown."""

    bytes: int | None
    measured_by: Measured | None


def size_of(learner: object) -> ModelSize:
    """The size that a learner or detector reports (`nbytes`, a property or a method), or else its
    pickled size.

    One that reports another size than its own declares it: `measured_by = "pickled"`.
    """
    size: Any = getattr(learner, "nbytes", None)
    if callable(size):
        size = size()
    if size is not None:
        return ModelSize(int(size), measured_by_of(learner))
    pickled = pickled_bytes(learner)
    return ModelSize(pickled, None if pickled is None else "pickled")


def bytes_of(learner: object) -> int | None:
    """The size of a model; None if it is unknown."""
    return size_of(learner).bytes


def measured_by_of(*parts: object) -> Measured:
    """How the size of what consists of these parts is measured: one pickled part is enough."""
    for each in parts:
        default = "own" if hasattr(each, "nbytes") else "pickled"
        if getattr(each, "measured_by", default) == "pickled":
            return "pickled"
    return "own"
