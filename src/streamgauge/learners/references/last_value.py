"""LastValue: the target revealed last, a reference for regression (semantics §5)."""

from __future__ import annotations

from streamgauge.learners.references.mean import Mean


class LastValue(Mean):
    """Last value: predicts the target revealed last; abstains before any."""

    _keeps_all = False
