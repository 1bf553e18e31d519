"""ADWIN bagging of Hoeffding trees (Bifet et al. 2009)."""

from __future__ import annotations

from streamgauge.learners.ensembles._bagging import Bagging


class ADWINBagging(Bagging):
    """ADWIN bagging: online bagging that resets its worst tree on drift.

    Each tree learns a row with a Poisson(1) weight. An adaptive window (ADWIN) watches each tree's
    errors; when those of any tree increase, the tree whose window has the highest error rate is
    reset. The trees vote with equal weight. Defaults are CapyMOA's (`OnlineAdwinBagging`), except
    that CapyMOA grows 100 trees.

    References
    ----------
    bifet2009b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.ADWINBagging(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.920
    """

    _mean_weight, _has_windows = 1.0, True
