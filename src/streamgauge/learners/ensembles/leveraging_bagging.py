"""Leveraging bagging of Hoeffding trees (Bifet, Holmes and Pfahringer 2010)."""

from __future__ import annotations

from streamgauge.learners.ensembles._bagging import Bagging


class LeveragingBagging(Bagging):
    """Online bagging with Poisson(6) weights that resets its worst tree when errors increase.

    An adaptive window (ADWIN) watches each tree's errors; when those of any tree increase, the tree
    with the most errors is reset.
    """

    _mean_weight, _has_windows = 6.0, True
