"""The description of a reference, for tables and verdicts."""

from __future__ import annotations

from typing import NamedTuple


class Reference(NamedTuple):
    """Name and properties of a reference; the reference itself is a learner."""

    name: str  # in tables, and in metrics such as accuracy_persistent
    phrase: str  # what it does, for a sentence: "repeating the last label"
    uses_label_order: bool = False
    tie_rank: int = 9  # of references with equal scores, the verdict names the lowest rank first
