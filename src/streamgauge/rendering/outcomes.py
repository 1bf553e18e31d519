"""The outcomes of a comparison: one word, one mark and one meaning each, everywhere."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """What a comparison found."""

    mark: str
    meaning: str  # in one line, after the word


OUTCOMES = {
    "better": Outcome("▲", "more than chance, also where errors come in runs"),
    "worse": Outcome("▼", "more than chance, also where errors come in runs"),
    "equal": Outcome("=", "the predictions are equally good, within the margin asked for"),
    "no clear difference": Outcome("·", "a valid test does not tell the two apart"),
    "open": Outcome("○", "errors depend on each other for too long for these rows to tell"),
}
MARKS = {word: outcome.mark for word, outcome in OUTCOMES.items()}


def outcome_text(word: str) -> str:
    """An outcome as it stands in a table: its mark and its word.

    >>> outcome_text("better"), outcome_text("too few rows to say")
    ('▲ better', '  too few rows to say')
    """
    return f"{MARKS.get(word, ' ')} {word}"


def meaning_text(word: str) -> str:
    """What an outcome means, in one line.

    >>> meaning_text("no clear difference")
    '· no clear difference: a valid test does not tell the two apart'
    """
    return f"{outcome_text(word)}: {OUTCOMES[word].meaning}"
