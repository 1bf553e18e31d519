"""How long rows wait for their labels: needed by time windows and by the anytime bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support import registry
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Longs
from streamgauge.comparison._inputs import Participants
from streamgauge.measures.forgetting import Forgetting, TimeWindow
from streamgauge.prequential.labels import LabelPolicy, needs_reveal_times


def reveal_times(participants: Participants, forget: Sequence[Forgetting]) -> Longs | None:
    """When the labels were revealed; None unless a time window needs it.

    A run keeps row numbers, not times; most label policies derive one from the other.
    """
    if not any(isinstance(each, TimeWindow) for each in forget):
        return None
    policy = _known_policy(participants)
    for each in forget:
        if isinstance(each, TimeWindow) and each.is_duration:
            raise UsageError(
                f"{each}: a comparison counts rows, since a run does not record when labels are "
                "revealed; use Window(w), Fading(a) or TimeWindow(rows)"
            )
    if needs_reveal_times(policy) or _rows_repeat(participants):
        raise UsageError(
            "TimeWindow: a run does not record when labels are revealed under "
            f"{participants.conditions.labels_text()}; use Window(w) or Fading(a)"
        )
    rows = int(participants.ids.max()) + 1
    empty = Block(0, np.empty((rows, 0)), np.zeros(rows, np.int32))
    return policy.timetable(empty).revealed[participants.ids]


def longest_wait(participants: Participants, asked: int | None) -> int | str:
    """After how many rows every label is known; a text if that is unknown, with the reason."""
    if _rows_repeat(participants):
        return (
            "the same rows are predicted repeatedly, with their labels known after the first time"
        )
    conditions = participants.conditions
    declared = conditions.longest_wait
    if declared is not None:
        _check_wait(declared, participants, f"{conditions.labels_text()} declares longest_wait=")
    if asked is not None:
        _check_wait(asked, participants, "wait=")
    known = [wait for wait in (declared, asked) if wait is not None]
    if known:
        return max(known)
    return (
        f"{conditions.labels_text()} does not say how late a label may come; pass wait=n if "
        "every label is known before the n-th row after its own is predicted"
    )


def _known_policy(participants: Participants) -> LabelPolicy:
    policy = participants.conditions.labels
    if isinstance(policy, str):
        raise UsageError(
            f"labels: {policy} is not a built-in label policy, so it is unknown how long labels "
            f"take; expected one of {', '.join(registry.names('label policy'))}"
        )
    return policy


def _rows_repeat(participants: Participants) -> bool:
    """Whether a row is predicted more than once, as in a held-out test set."""
    return bool(np.bincount(participants.ids).max() > 1)


def _check_wait(wait: int, participants: Participants, given: str) -> None:
    """Raise an error if a label came later than after `wait` rows."""
    waits = participants.revealed_at + 1 - participants.ids
    if (waits > wait).any():
        i = int(np.argmax(waits > wait))
        raise UsageError(
            f"{given}{wait}: the label of row {int(participants.ids[i]):,} came after row "
            f"{int(participants.revealed_at[i]):,} was predicted; expected a wait of at least "
            f"{int(waits.max()):,} rows"
        )
