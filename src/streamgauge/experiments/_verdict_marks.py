"""The verdicts of a table's cell in one mark: better than every reference, worse than one, open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

MEANING = (
    "Against the references, by the batch means of each run: {better} better than all of them, "
    "{worse} worse than at least one, {open} neither is clear"
)
IN_WORDS = (
    "Against the references, by the batch means of each run, the strongest first; open: neither "
    "better nor worse is clear, or the seeds disagree."
)


class Mark(NamedTuple):
    """A verdict in a word, and the references that it is about, the strongest first."""

    word: str  # better, worse or open
    references: tuple[str, ...]

    def __str__(self) -> str:
        if self.word == "better":
            return "better than all"
        first, *others = self.references
        more = f" and {len(others)} more" if others else ""
        return f"worse than {first}{more}" if self.word == "worse" else f"open: {first}{more}"


def mark_of(verdicts: Sequence[Mapping[str, str]]) -> Mark | None:
    """The mark of one or more runs of a learner; several must agree. None without references."""
    references = list(dict.fromkeys(name for each in verdicts for name in each))
    if not references:
        return None
    words = {name: [each.get(name, "") for each in verdicts] for name in references}
    worse = tuple(name for name in references if all(word == "worse" for word in words[name]))
    if worse:
        return Mark("worse", worse)
    unclear = tuple(name for name in references if any(word != "better" for word in words[name]))
    return Mark("open", unclear) if unclear else Mark("better", tuple(references))
