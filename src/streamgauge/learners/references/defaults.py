"""The references that every run is compared with."""

from __future__ import annotations

from streamgauge._support.types import Schema
from streamgauge.learners.references.last_value import LastValue
from streamgauge.learners.references.majority import Majority
from streamgauge.learners.references.mean import Mean
from streamgauge.learners.references.persistent import Persistent
from streamgauge.learners.references.transition import Transition

ReferenceLearner = Majority | Persistent | Transition | Mean


def default_references(
    schema: Schema, start_as: int | None = None, oracle: bool = False
) -> list[ReferenceLearner]:
    """New references for a stream; `start_as` and `oracle` are those of Persistent."""
    if schema.regression:
        return [Mean(), LastValue()]
    return [Majority(), Persistent(start_as, oracle), Transition()]


CLASSIFICATION = tuple(kind.as_reference for kind in (Majority, Persistent, Transition))
REGRESSION = tuple(kind.as_reference for kind in (Mean, LastValue))
