"""LastValue: the target revealed last, a reference for regression (semantics §5)."""

from __future__ import annotations

from streamgauge.learners.references.mean import Mean
from streamgauge.measures.reference import Reference


class LastValue(Mean):
    """Last value: predicts the target revealed last.

    Abstains before any target.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0]] * 4, [2.0, 4.0, 9.0, 1.0], task="regression")
    >>> run = sg.evaluate(stream, sg.LastValue())
    >>> run.predictions["prediction"].to_pylist()[1:]  # the first row has no target before it
    [2.0, 4.0, 9.0]
    """

    as_reference = Reference(
        "LastValue", "repeating the last value", uses_label_order=True, tie_rank=2
    )

    _keeps_all = False
