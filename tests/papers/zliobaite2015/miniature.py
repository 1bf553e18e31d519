"""A miniature of zliobaite2015: small streams and fast learners of the same names."""

from __future__ import annotations

from typing import Any

import streamgauge as sg
from streamgauge.papers.zliobaite2015.plan import Zliobaite2015Plan

_RUNS = {"generate": "inject(SEA(1200), order=2)"}
_INDEPENDENT = {"generate": "SEA(600)"}
STREAMS: dict[str, dict[str, Any]] = {
    "Elec2": _RUNS,
    "Cover": {"generate": "inject(SEA(1000), order=4)"},
    "KDD99": {"generate": "inject(Sine1(1000), order=4)"},
    "Ozone": _INDEPENDENT,
}
MINIATURE = Zliobaite2015Plan(
    streams=STREAMS,
    learners={
        "NB": "NaiveBayes()",
        "DDM": "Resetting(NaiveBayes(), DDM(compat='moa'))",
        "LBAG": "HoeffdingTree(grace_period=50)",
    },
    figure6={"Elec2": STREAMS["Elec2"]},
    orders=(1, 2),
    long_order=5,
    figure7={"Elec2": (STREAMS["Elec2"], 1)},
)


def load_small(name: str, variant: str | None = None) -> sg.Stream:
    """In place of every data set: labels that come in runs."""
    return sg.inject(sg.SEA(1200, seed=1), order=2)
