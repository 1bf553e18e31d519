"""A claim of a paper, the criterion by which we judge it, and what our runs say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from streamgauge.rendering.sheet import Sheet, words

Word = Literal["holds", "does not hold", "cannot be told"]
# The order of a table that begins with what fails, and the mark of each word.
CLAIM_MARKS: dict[Word, str] = {"does not hold": "✗", "cannot be told": "?", "holds": "✓"}


class PaperClaim(NamedTuple):
    """What a paper says, when we say that it holds, and the reason for our answer."""

    statement: str
    criterion: str
    word: Word
    reason: str

    def __str__(self) -> str:
        return f"{self.word}: {self.statement} Criterion: {self.criterion} {self.reason}".rstrip()


def judge(
    statement: str, criterion: str, holds: bool | None, values: Mapping[str, float] | str
) -> PaperClaim:
    """Judge a claim; None, or a value that is NaN, means that it cannot be told.

    Parameters
    ----------
    statement
        What the paper says, as a sentence.
    criterion
        When we say that it holds, as a sentence; stated before the numbers are seen.
    holds
        Whether our numbers meet the criterion.
    values
        The numbers that decide it, by name, or the reason in words.

    Examples
    --------
    >>> judge("A beats B.", "A's kappa is above B's.", 2 > 1, {"A": 2.0, "B": 1.0}).word
    'holds'
    >>> print(judge("A beats B.", "A's kappa is above B's.", True, {"A": 2.0, "B": math.nan}))
    cannot be told: A beats B. Criterion: A's kappa is above B's. Not run: B.
    """
    if isinstance(values, Mapping):
        missing = [name for name, value in values.items() if math.isnan(value)]
        if missing:
            return PaperClaim(
                statement, criterion, "cannot be told", f"Not run: {', '.join(missing)}."
            )
        values = ", ".join(f"{name} {value:.4g}" for name, value in values.items()) + "."
    words: dict[bool | None, Word] = {
        True: "holds", False: "does not hold", None: "cannot be told"
    }  # fmt: skip
    return PaperClaim(statement, criterion, words[None if holds is None else bool(holds)], values)


def judge_each(
    statement: str, criterion: str, values: Mapping[str, float], holds: Callable[[float], bool]
) -> PaperClaim:
    """Judge a claim about many numbers: it holds if each of them meets the criterion.

    Parameters
    ----------
    statement, criterion
        As of `judge`.
    values
        The numbers, by name; one that is NaN means that the claim cannot be told.
    holds
        Whether a number meets the criterion.

    Examples
    --------
    >>> print(judge_each("Gains.", "Above 0.", {"A": 2.0, "B": 1.0}, lambda gain: gain > 0))
    holds: Gains. Criterion: Above 0. All 2, from 1 (B) to 2 (A).
    >>> print(judge_each("Gains.", "Above 0.", {"A": -2.0, "B": 1.0}, lambda gain: gain > 0))
    does not hold: Gains. Criterion: Above 0. Not 1 of 2: A -2.
    """
    known = {name: value for name, value in values.items() if not math.isnan(value)}
    if not values or len(known) < len(values):
        return judge(statement, criterion, None, values or "Nothing was run.")
    if len(known) == 1:
        return judge(statement, criterion, all(map(holds, known.values())), known)
    failing = [f"{name} {value:.4g}" for name, value in known.items() if not holds(value)]
    if failing:
        reason = f"Not {len(failing)} of {len(known)}: {', '.join(failing)}."
        return judge(statement, criterion, False, reason)
    low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    reason = f"All {len(known)}, from {known[low]:.4g} ({low}) to {known[high]:.4g} ({high})."
    return judge(statement, criterion, True, reason)


def claims_sheet(claims: Sequence[PaperClaim]) -> Sheet:
    """The claims as a table."""
    lines = [
        [words(each.statement), words(each.word), words(each.criterion), words(each.reason)]
        for each in claims
    ]
    return Sheet(["claim", "", "criterion", "reason"], [lines], prose=True)


def claims_overview(claims: Sequence[tuple[str, PaperClaim]]) -> Sheet:
    """All claims of a paper with the part that each is in, failures first."""
    order = list(CLAIM_MARKS)
    lines = [
        [words(f"{CLAIM_MARKS[each.word]} {each.word}"), words(each.statement), words(part)]
        for part, each in sorted(claims, key=lambda found: order.index(found[1].word))
    ]
    return Sheet(["", "claim", "part"], [lines], prose=True)
