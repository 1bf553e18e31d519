"""Online bagging of Hoeffding trees (Oza and Russell 2001)."""

from __future__ import annotations

from streamgauge.learners.ensembles._bagging import Bagging


class OnlineBagging(Bagging):
    """Online bagging: Hoeffding trees that learn each row with a Poisson(1) weight.

    The trees vote with equal weight.

    References
    ----------
    oza2001 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.OnlineBagging(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.920
    """
