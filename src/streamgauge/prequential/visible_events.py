"""What a learner that is not ours sees of an agenda: copies, and nothing that is still to come."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import LEARN, PREDICT, Floats, Targets
from streamgauge.learners.base import Events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.waiting_room import WaitingRoom


class VisibleEvents:
    """Copies of agendas for one learner, so that it can change nothing but its own predictions.

    X has the features of rows that have had an event, y the labels learned by the end of the
    agenda; everything else is NaN or -1. Our own kernels get the originals, which is faster.
    """

    def __init__(self) -> None:
        self._X: Floats | None = None
        self._y: Targets | None = None

    def events(
        self, agenda: Agenda, room: WaitingRoom, label: Targets, proba: Floats, context: int
    ) -> Events:
        """The part of an agenda that a learner may see."""
        ops, slots, weight = agenda.ops.copy(), agenda.slots.copy(), agenda.weight.copy()
        row_ids = agenda.row_ids.copy() if agenda.evolving else slots
        X = room.rows(context)
        unknown = -1 if room.y.dtype == np.int32 else np.nan
        self._X = shown = _grown(self._X, X, np.nan)
        self._y = y = _grown(self._y, room.y, unknown)
        shown[slots] = X[slots]
        y[slots[ops == PREDICT]] = unknown  # a slot taken again
        learned = slots[(ops == LEARN) & (weight > 0)]
        y[learned] = room.y[learned]
        return Events(shown, y, ops, slots, row_ids, weight, label, proba)


def _grown(array: Targets | None, like: Targets, fill: float) -> Targets:
    """The array, as long as another one."""
    if array is not None and len(array) >= len(like):
        return array
    grown = np.full(like.shape, fill, like.dtype)
    if array is not None:
        grown[: len(array)] = array
    return grown


def check_returned(events: Events, label: Targets, proba: Floats) -> None:
    """Raise if a learner changed the shape or the type of the arrays for its predictions.

    `label` and `proba` are arrays as they should be.
    """
    for name, found, expected in (
        ("label", events.label, label),
        ("proba", events.proba, proba),
    ):
        if found.shape != expected.shape or found.dtype != expected.dtype:
            raise ValueError(
                f"play changed events.{name} to {found.dtype} of shape {found.shape}; expected "
                f"{expected.dtype} of shape {expected.shape}: write the predictions in place"
            )
