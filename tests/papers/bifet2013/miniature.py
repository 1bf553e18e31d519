"""A miniature of bifet2013: small streams and fast learners of the same names."""

from __future__ import annotations

import streamgauge as sg
from streamgauge.papers.bifet2013.plan import Bifet2013Plan

_TREE = "HoeffdingTree(grace_period=50)"
MINIATURE = Bifet2013Plan(
    electricity={
        "Electricity, 6 features": {"generate": "inject(SEA(1200), order=2)"},
        "Electricity, 8 features": {"generate": "inject(Sine1(1200), order=2)"},
    },
    cover={"generate": "inject(SEA(1500), order=4)"},
    learners={
        "NB": "NaiveBayes()",
        "VFDT": _TREE,
        "HAT": "HoeffdingTree(grace_period=100)",
        "LB": "HoeffdingTree(grace_period=150)",
    },
    orders=(1, 3),
)


def load_small(name: str, variant: str | None = None) -> sg.Stream:
    """In place of every data set: labels that come in runs."""
    return sg.inject(sg.SEA(3000, seed=1), order=2)
