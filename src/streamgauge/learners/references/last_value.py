"""LastValue: the value revealed last, a reference of regression (semantics §5)."""

from __future__ import annotations

from streamgauge.learners.references.mean import Mean


class LastValue(Mean):
    """The value revealed last; abstains before any."""

    _keeps_all = False
