"""What tables and verdicts know about a reference, a baseline every learner is compared with."""

from __future__ import annotations

from typing import NamedTuple


class Reference(NamedTuple):
    """The facts about a reference that its measures need; the reference itself is a learner."""

    name: str  # in tables, and in metrics such as accuracy_persistent
    phrase: str  # what it does, in a sentence: "repeating the last label"
    uses_label_order: bool = False
    tie_rank: int = 9  # of references with equal scores, the verdict names the lowest rank first
