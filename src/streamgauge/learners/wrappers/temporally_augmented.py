"""TemporallyAugmented: past labels as extra features (semantics §6; SWT of bifet2013 §5)."""

from __future__ import annotations

from typing import Any

from streamgauge.learners.wrappers.past_labels import History, PastLabels


class TemporallyAugmented(PastLabels):
    """Temporally augmented classifier: past labels become extra features of the base learner.

    They are the last labels revealed before the row's first prediction, as nominal features
    `label-1` (the newest), `label-2`, ..., missing at the start of the stream. A row keeps them
    when it is predicted again, and is learned with them.

    Parameters
    ----------
    base
        The classifier to wrap.
    order
        Number of past labels.
    features
        Also append the last `order` feature vectors that arrived before the row, as they arrived.
    refresh
        Use newer labels whenever the row is predicted again; it is learned with those of its last
        prediction.
    history
        "revealed": past labels. "predicted": instead of labels, the base's own first predictions
        for the last `order` rows that arrived, which are available even if labels are late. "both":
        both. With predictions the base must predict row by row, so a compiled one is far slower.

    References
    ----------
    bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.inject(sg.SEA(2000, seed=1), order=2)
    >>> learners = ["NaiveBayes", sg.TemporallyAugmented("NaiveBayes", order=2)]
    >>> for run in sg.evaluate(stream, learners):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    NaiveBayes: 0.763
    TemporallyAugmented(NaiveBayes(), order=2): 0.820
    """

    _keeps_features = True

    def __init__(
        self,
        base: Any,
        order: int = 1,
        features: bool = False,
        refresh: bool = False,
        history: History = "revealed",
    ) -> None:
        super().__init__(base, order, refresh, history)
        self.features = features

    @property
    def remedy(self) -> str:
        """Advice where past labels are informative: more of them, or another base learner."""
        if self.history == "predicted":
            return "try past labels besides its own predictions (history='both')"
        return f"try another base learner or a longer history (order={self.order + 1})"


SWT = TemporallyAugmented  # its name in bifet2013 and MOA
