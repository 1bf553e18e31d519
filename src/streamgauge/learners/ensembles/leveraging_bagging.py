"""Leveraging bagging of Hoeffding trees (Bifet, Holmes and Pfahringer 2010)."""

from __future__ import annotations

from streamgauge.learners.ensembles._bagging import Bagging


class LeveragingBagging(Bagging):
    """Leveraging bagging: online bagging with Poisson(6) weights that resets its worst tree.

    An adaptive window (ADWIN) watches each tree's errors; when those of any tree increase, the tree
    whose window has the highest error rate is reset. The trees vote with equal weight.

    References
    ----------
    bifet2010 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.LeveragingBagging(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.936
    """

    _mean_weight, _has_windows = 6.0, True
