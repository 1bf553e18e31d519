"""LastValue: the target revealed last, a reference for regression (semantics §5)."""

from __future__ import annotations

from streamgauge.learners.references.mean import Mean
from streamgauge.measures.reference import Reference


class LastValue(Mean):
    """Last value: predicts the target revealed last. Abstains before any target."""

    as_reference = Reference(
        "LastValue", "repeating the last value", uses_label_order=True, tie_rank=2
    )

    _keeps_all = False
