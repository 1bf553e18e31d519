"""`ablate`: do features add to past labels, or can past labels replace them?"""

from __future__ import annotations

from functools import partial

import streamgauge as sg
from bench.calibration.case import Case, Random
from bench.calibration.inspection import markov
from streamgauge.comparison.ablation import Ablation

_WRONG = 0.25  # labels that are not that of the regime


def _ablated(random: Random, rows: int, run: int, wrong: float) -> Ablation:
    """A label depends on a hidden regime, and the feature is an earlier label of the same regime.

    If it is as often wrong as a label is, it says as much as the last label does. Where it is
    wrong comes in runs, too.
    """
    regime = markov(random, rows, run)
    y = regime ^ (random.random(rows) < _WRONG)
    # The last label is of another regime in 1 of `run` rows.
    off = markov(random, rows, max(2.0, run / 5), wrong + (0.5 - _WRONG) * 2 / run)
    stream = sg.from_arrays((regime ^ off)[:, None].astype(float), y.astype(int))
    found = sg.ablate(stream, "NaiveBayes")
    assert isinstance(found, Ablation)
    return found


def _answers(random: Random, rows: int, run: int, wrong: float, answers: tuple[str, ...]) -> bool:
    return _ablated(random, rows, run, wrong).answer in answers


def _no_difference(random: Random, rows: int) -> bool:
    """Features and last labels are right on different rows: not equal."""
    return _ablated(random, rows, 20, _WRONG).comparison.batch_means.word == "equal"


def cases() -> list[Case]:
    """Regimes of hidden labels; a feature that is as good as the last label, or better."""
    found = []
    for rows in (2_500, 10_000):
        for run in (20, rows // 50, rows // 20):
            none = partial(
                _answers, rows=rows, run=run, wrong=_WRONG, answers=("features", "labels")
            )
            some = partial(_answers, rows=rows, run=run, wrong=0.1, answers=("features",))
            found.append(Case("ablate.better", f"regimes of {run:,}, {rows:,} rows", none, some,
                              trials=300))  # fmt: skip
    none = partial(_no_difference, rows=2_500)
    found.append(Case("ablate.equal", "as good on other rows, 2,500 rows", none, trials=300,
                      most=1.0))  # fmt: skip
    return found
