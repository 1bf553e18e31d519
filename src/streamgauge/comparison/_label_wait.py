"""How long rows wait for their labels: needed by time windows and by the anytime bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support import registry
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Longs
from streamgauge.comparison._inputs import Participants
from streamgauge.measures.forgetting import Forgetting, TimeWindow
from streamgauge.prequential.labels import Chunks, Delay, LabelPolicy, needs_reveal_times
from streamgauge.prequential.random_delay import RandomDelay
from streamgauge.prequential.sampled import Sampled


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
    policy = _known_policy(participants)
    wait = _longest(policy)
    if wait is None:
        if asked is None:
            when = "the times in the data" if needs_reveal_times(policy) else "random times"
            return (
                f"labels are revealed at {when}; pass wait=n if every label is known before the "
                "n-th row after its own is predicted"
            )
        _check_wait(asked, participants.ids)
        return asked
    return wait if asked is None else max(wait, asked)


def _longest(policy: LabelPolicy) -> int | None:
    """After how many rows a policy reveals every label; None if that has no bound."""
    match policy:
        case Delay(n=n) | Chunks(n=n):
            return n
        case RandomDelay():
            return policy.longest
        case Sampled():
            return _longest(policy.labels)
    return None if needs_reveal_times(policy) else 1


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


def _check_wait(wait: int, ids: Longs) -> None:
    """A label that arrived after a later row's label was unknown when that row was predicted."""
    latest = np.maximum.accumulate(ids)
    lag = latest - ids
    if (lag >= wait).any():
        i = int(np.argmax(lag >= wait))
        raise UsageError(
            f"wait={wait}: the label of row {int(ids[i]):,} came after that of row "
            f"{int(latest[i]):,}; expected a wait of more than {int(lag.max())}"
        )
