"""Online bagging of Hoeffding trees (Oza and Russell 2001)."""

from __future__ import annotations

from streamgauge.learners.ensembles._bagging import Bagging


class OnlineBagging(Bagging):
    """Hoeffding trees, each of which learns a row as often as a Poisson(1) number says.

    The trees vote with equal weight.
    """
