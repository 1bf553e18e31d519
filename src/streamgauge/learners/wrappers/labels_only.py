"""LabelsOnly: past labels instead of features, to see what the features add (semantics §6)."""

from __future__ import annotations

from typing import Any

from streamgauge.learners.base import shown_as
from streamgauge.learners.wrappers.past_labels import History, PastLabels


class LabelsOnly(PastLabels):
    """Labels-only classifier: the base learner gets past labels and no feature of the row.

    It is `TemporallyAugmented` without the features, so the difference between the two is what the
    features add to the past labels. The labels are nominal features `label-1` (the newest),
    `label-2`, ..., frozen at the row's first prediction. `ablate` makes such comparisons.

    Parameters
    ----------
    base
        The classifier to wrap.
    order
        Number of past labels.
    refresh
        Use newer labels whenever the row is predicted again; it is learned with those of its last
        prediction.
    history
        "revealed": past labels. "predicted": instead of labels, the base's own first predictions
        for the last `order` rows that arrived. "both": both.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.inject(sg.SEA(2000, seed=1), order=2)
    >>> learners = [sg.TemporallyAugmented("NaiveBayes"), sg.LabelsOnly("NaiveBayes")]
    >>> for run in sg.evaluate(stream, learners):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    TemporallyAugmented(NaiveBayes()): 0.827
    LabelsOnly(NaiveBayes()): 0.817
    """

    _keeps_features = False

    def __init__(
        self,
        base: Any,
        order: int = 1,
        refresh: bool = False,
        history: History = "revealed",
    ) -> None:
        super().__init__(base, order, refresh, history)

    @property
    def remedy(self) -> str:
        """Advice where past labels are informative: use features too."""
        with_features = f"try TemporallyAugmented({shown_as(self.base)}), which uses features too"
        return super().remedy or with_features
