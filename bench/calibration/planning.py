"""`rows_needed`: are as many rows as it says enough to find the effect?"""

from __future__ import annotations

from functools import partial

import numpy as np

import streamgauge as sg
from bench.calibration.case import Case, Random
from bench.calibration.streams import DISAGREE
from bench.calibration.verdict import draw, given_of, named, spread
from streamgauge._support.types import Floats
from streamgauge.comparison.result import Comparison

_PILOT = 2_500
_MISSED = 20.0  # per cent: the power that is promised is 80 %
_MISSED_LONG = 25.0  # where differences depend on each other over a twentieth of the pilot
_TIMES = 4  # rows that an oracle would say, in pilots


def _compared(d: Floats) -> Comparison:
    found = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1)
    assert isinstance(found, Comparison)
    return found


def _missed(random: Random, kind: str, run: int, rows: int) -> bool:
    """Plan by a pilot of this many rows; the effect is such that an oracle says four times that."""
    effect = min(3.417 * spread(kind, run, rows) / _TIMES**0.5, 0.9 * DISAGREE)
    pilot = _compared(draw(random, kind, run, rows, effect))
    try:
        planned = rows + sg.rows_needed(effect, pilot)
    except sg.UsageError:  # it says that the pilot is too short: no claim
        return False
    return _compared(draw(random, kind, run, planned, effect)).answer != "B"


def cases() -> list[Case]:
    """Pilots whose differences come in runs."""
    found = []
    for rows in (_PILOT, 4 * _PILOT):
        for kind, run in (
            ("independent rows", 1),
            ("geometric runs", 20),
            ("geometric runs", rows // 50),
            ("geometric runs", rows // 20),
            ("sign regimes", rows // 50),
        ):
            missed = partial(_missed, **given_of(kind, run, rows))
            data = f"pilot: {named(kind, run, rows)}"
            found.append(Case("plan.rows", data, missed, trials=500,
                              most=_MISSED_LONG if run == rows // 20 else _MISSED))  # fmt: skip
    return found
