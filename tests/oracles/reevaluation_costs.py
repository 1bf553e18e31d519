"""Oracle for the effort of re-evaluation: counts repeated predictions, semantics §8."""

import math
from collections.abc import Sequence

from tests.oracles.reevaluation import Event, Played


def counts(played: Sequence[Event] | Sequence[Played]) -> tuple[int, int, float]:
    """(N_C, N_B, N_R) after the last of these events.

    "N_C = extra predictions in the last 100 events, N_B = those held for waiting rows, N_R = per
    labelled row"; NaN before any row is labelled. A row that has left without a label (X) does not
    wait.
    """
    labelled = {event[1] for event in played if event[0] == "L"}
    repeated = [event[1] for event in played if event[0] == "A"]
    n_c = sum(repeated_per_stream_event(played)[-100:])
    gone = labelled | {event[1] for event in played if event[0] == "X"}
    n_b = len([row for row in repeated if row not in gone])
    for_labelled = len([row for row in repeated if row in labelled])
    n_r = for_labelled / len(labelled) if labelled else math.nan
    return n_c, n_b, n_r


def counts_after(played: Sequence[Event] | Sequence[Played], m: int) -> tuple[int, int, float]:
    """(N_C, N_B, N_R) just after the m-th label is revealed (m >= 1), with its re-predictions."""
    reveals = [place for place, event in enumerate(played) if event[0] == "L"]
    return counts(played[: reveals[m - 1] + 1])


def repeated_per_stream_event(played: Sequence[Event] | Sequence[Played]) -> list[int]:
    """Number of A events caused by each stream event (P or L); those of an L precede it."""
    out: list[int] = []
    repeated = 0
    for event in played:
        if event[0] == "A":
            repeated += 1
        elif event[0] in ("P", "L"):
            out.append(repeated)
            repeated = 0
    return out
