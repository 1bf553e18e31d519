"""The references of a run: those that every run has, and how references are named."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Schema
from streamgauge.learners.base import Learner, Player, name_of
from streamgauge.learners.references.last_value import LastValue
from streamgauge.learners.references.majority import Majority
from streamgauge.learners.references.mean import Mean
from streamgauge.learners.references.persistent import Persistent
from streamgauge.learners.references.seasonal import Seasonal
from streamgauge.learners.references.transition import Transition
from streamgauge.measures.reference import Reference

CLASSIFICATION = tuple(
    each.as_reference for each in (Majority(), Persistent(), Transition(), Seasonal())
)
REGRESSION = tuple(each.as_reference for each in (Mean(), LastValue()))
_COLUMNS = ("row", "y", "prediction", "revealed_at")  # a reference's column is its name


def default_references(schema: Schema, oracle: bool = False) -> list[Learner | Player]:
    """New references for a stream; `oracle` is that of Persistent."""
    if schema.regression:
        return [Mean(), LastValue()]
    return [Majority(), Persistent(oracle=oracle), Transition(), Seasonal()]


def describe_references(learners: Sequence[Learner | Player]) -> tuple[Reference, ...]:
    """The description of each reference: its own, or its name as a learner.

    A second one of a kind, such as Majority(forget=Window(100)), goes by its parameters.
    """
    described: list[Reference] = []
    for learner in learners:
        own = getattr(learner, "as_reference", None)
        if not isinstance(own, Reference | None):
            raise UsageError(
                f"{name_of(learner)}: as_reference={own!r}; expected Reference(name, phrase)"
            )
        taken = [each.column for each in described]
        if own is None or own.column in taken:
            own = (own or Reference("", ""))._replace(name=name_of(learner))
        if own.column in taken or own.column in _COLUMNS:
            raise UsageError(
                f"references: the name {own.name!r} is taken; expected another: give it a `name`"
            )
        described.append(own)
    return tuple(described)
