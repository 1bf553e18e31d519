"""The votes of members that play many events each before their votes are counted."""

from __future__ import annotations

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import LEARN, Flags, Floats, Targets
from streamgauge.learners._probabilities import normalise_votes

_MAX_VOTES = 2_000_000  # kept at a time


def events_at_once(n_models: int, k: int) -> int:
    """Return for how many events the votes of all members on k classes are kept at a time."""
    return max(1, _MAX_VOTES // (n_models * (k + 1)))


@lean_kernel
def count_votes(
    votes: Floats, start: int, stop: int, ops: Flags, label: Targets, proba: Floats, sums: Floats
) -> None:
    """Write the class with the highest sum of votes to `label`; -1 if all members abstain.

    votes[i, e - start] has the votes of member i at event e for each class, then 1 if it votes,
    else 0.
    """
    k = len(sums)
    for e in range(start, stop):
        if ops[e] == LEARN:
            continue
        any_vote, best = False, 0
        for c in range(k):
            sums[c] = 0.0
        for i in range(len(votes)):
            if votes[i, e - start, k] > 0:
                any_vote = True
                for c in range(k):
                    sums[c] += votes[i, e - start, c]
        for c in range(1, k):
            if sums[c] > sums[best]:
                best = c
        label[e] = best if any_vote else -1
        if len(proba):
            normalise_votes(sums, not any_vote, proba, e)
