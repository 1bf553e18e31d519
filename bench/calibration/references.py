"""Which references a verdict says more of: does the order of the labels carry information?"""

from __future__ import annotations

from functools import partial

import numpy as np

import streamgauge as sg
from bench.calibration.case import Case, Random
from bench.calibration.inspection import Labels, independent, markov, slow


def _informs(random: Random, labels: Labels) -> bool:
    """A learner that is worse than any reference: is the order said to carry information?"""
    y = labels(random)
    predictions = np.where(random.random(len(y)) < 0.7, 1 - y, y)
    run = sg.score(y, predictions)
    return any("carries information" in note for note in run.verdict.notes)


def cases() -> list[Case]:
    """Labels whose order says nothing, or nothing that the most frequent label does not."""
    found = []
    for rows, trials in ((2_500, 500), (10_000, 200)):
        for share in (0.5, 0.6):
            none = partial(independent, rows=rows, share=share)
            some = partial(markov, rows=rows, run=2.5 if share == 0.5 else 4, share=share)
            data = f"independent labels, {share:.0%} of class 1, {rows:,} rows"
            found.append(Case("verdict.order", data, partial(_informs, labels=none),
                              partial(_informs, labels=some), trials=trials))  # fmt: skip
        regimes = partial(slow, rows=rows, run=rows // 50, low=0.2, high=0.45)
        data = f"shares of 20 and 45 % in regimes of n/50, {rows:,} rows"
        found.append(Case("verdict.order", data, partial(_informs, labels=regimes), trials=trials))
    return found
