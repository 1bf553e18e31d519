"""How long rows wait for their labels: what windows of time and the anytime bounds must know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support import registry
from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Longs
from streamgauge.comparison._inputs import AT_ONCE, Entrants
from streamgauge.measures.forgetting import Forgetting, TimeWindow
from streamgauge.prequential.labels import (
    Chunks,
    Delay,
    FromStream,
    Immediate,
    LabelPolicy,
)


def _policy(entrants: Entrants) -> LabelPolicy:
    if entrants.labels == AT_ONCE:
        return Immediate()
    text = entrants.labels.split(" · ")[0]
    policy: LabelPolicy = build(text, registry.names("label policy"), "label policy")
    return policy


def reveal_times(entrants: Entrants, forget: Sequence[Forgetting]) -> Longs | None:
    """When labels came, for windows of time: logs keep rows, from which most policies tell."""
    if not any(isinstance(each, TimeWindow) for each in forget):
        return None
    policy = _policy(entrants)
    if isinstance(policy, FromStream) or _repeats(entrants):
        raise UsageError(
            f"TimeWindow: a run's log does not tell when labels came by {entrants.labels}; use "
            "Window(w) or Fading(a)"
        )
    rows = int(entrants.ids.max()) + 1
    nothing = Block(0, np.empty((rows, 0)), np.zeros(rows, np.int32))
    return policy.timetable(nothing).revealed[entrants.ids]


def _repeats(entrants: Entrants) -> bool:
    """Were the same rows asked again, as a held-out test set is?"""
    return bool(np.bincount(entrants.ids).max() > 1)


def longest_wait(entrants: Entrants, told: int | None) -> int | str:
    """How many rows later a label is known for sure; or why there is no such number."""
    if _repeats(entrants):
        return "the same rows are asked again and again, their labels known since the first time"
    policy = _policy(entrants)
    known = {Delay: "n", Chunks: "n"}.get(type(policy))
    wait = 1 if known is None else int(getattr(policy, known))
    if isinstance(policy, FromStream):
        if told is None:
            return (
                "labels come at the data's own times; say wait=n if every label is known before "
                "the n-th row after its own is predicted"
            )
        wait = told
        # A label that came after a later row's own cannot have been known before that row.
        latest = np.maximum.accumulate(entrants.ids)
        if (latest - entrants.ids >= wait).any():
            i = int(np.argmax(latest - entrants.ids >= wait))
            raise UsageError(
                f"wait={wait}: the label of row {int(entrants.ids[i]):,} came after that of row "
                f"{int(latest[i]):,}; expected a wait of more than "
                f"{int((latest - entrants.ids).max())}"
            )
    elif told is not None:
        wait = max(wait, told)
    return wait
