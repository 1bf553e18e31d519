"""What a monitor says: false alarms without a drift, early labels that mislead, scores to come."""

from __future__ import annotations

import copy
from functools import lru_cache, partial
from typing import Any

import numpy as np

from bench.calibration.case import Case, Random
from bench.calibration.inspection import markov
from streamgauge._support.call_parser import build
from streamgauge._support.types import Floats, Longs
from streamgauge.detectors.base import all_alarms
from streamgauge.monitoring._error_detector import false_alarms
from streamgauge.monitoring._maturity import Maturity

ROWS = 16_384  # errors that a monitor keeps
_TRUTH = 200  # streams that the true rate is the mean of
_TIMEOUT, _COHORT = 100, 50
_NOW = 5_000
_YOUNG = _NOW - _TIMEOUT - _COHORT  # cohorts that begin here, or later, may still get labels
_SLOW = 5  # cohorts: how long an office that is slow, or a bad time of the model, lasts


def errors(random: Random, run: int) -> Floats:
    """One error in five rows, in runs of this mean length."""
    return markov(random, ROWS, run if run > 1 else 1.25, 0.2).astype(float)


@lru_cache
def true_rate(detector: str, run: int) -> float:
    """Alarms per 1,000 rows of such errors, without a drift."""
    fresh = build(detector, "detector")
    random = np.random.default_rng([run, len(detector)])
    found = [len(all_alarms(copy.deepcopy(fresh), errors(random, run), 1)) for _ in range(_TRUTH)]
    return 1000 * float(np.mean(found)) / ROWS


def _stated(random: Random, detector: str, run: int) -> tuple[bool, bool]:
    """Whether an interval is given, and whether it covers the true rate."""
    found = false_alarms(build(detector, "detector"), errors(random, run))
    return bool(found.block), found.low <= true_rate(detector, run) <= found.high


def _misses_rate(random: Random, detector: str, run: int) -> bool:
    stated, covers = _stated(random, detector, run)
    return stated and not covers


def _states_rate(random: Random, detector: str, run: int) -> bool:
    return all(_stated(random, detector, run))


def cohorts(random: Random, kind: str, rows: int) -> tuple[Longs, Longs, Longs, Floats]:
    """Arrivals, waits, classes and errors of rows; times are up to _NOW."""
    arrives = np.sort(random.integers(0, _NOW, rows))
    y = (random.random(rows) < (0.05 if kind == "5 % minority" else 0.5)).astype(np.int64)
    wrong, mean = np.full(rows, 0.3), np.full(rows, 25.0)
    place = arrives / _NOW
    if "drift" in kind:
        wrong, mean = 0.1 + 0.4 * place, 10 + 30 * place
    if "in runs" in kind:
        regimes = _NOW // (_SLOW * _COHORT) + 2
        at = arrives // (_SLOW * _COHORT)
        wrong = random.choice([0.1, 0.5], regimes)[at]
        mean = random.choice([10.0, 40.0], regimes)[at]
    e = random.random(rows) < wrong
    if (
        "by class" in kind or "minority" in kind
    ):  # the class that waits longer is not predicted worse
        mean = mean * np.where(y == 1, 2.0, 1.0)
    if "errors sooner" in kind:
        mean = mean * np.where(e, 0.4, 1.2)
    if "class worse and later" in kind:
        e = random.random(rows) < np.where(y == 1, 0.5, 0.1)
        mean = np.where(y == 1, 40.0, 10.0)
    waits = random.exponential(mean).astype(np.int64)
    waits[waits > _TIMEOUT] = _TIMEOUT
    return arrives, waits, y, e.astype(np.float64)


def matured(arrives: Longs, waits: Longs, y: Longs, e: Floats) -> Maturity:
    """A monitor's cohorts at the end."""
    maturity = Maturity(_COHORT, _TIMEOUT, 2, False)
    known = arrives + waits < _NOW
    maturity.add(arrives, arrives[known], waits[known], y[known].astype(np.int32), e[known])
    return maturity


def _misleads(random: Random, kind: str, rows: int) -> bool:
    return matured(*cohorts(random, kind, rows)).bias(_NOW) is not None


def _reweighted(random: Random, kind: str, rows: int) -> tuple[bool, bool]:
    """Whether an interval is given, and whether the score of all labels is within it."""
    arrives, waits, y, e = cohorts(random, kind, rows)
    recent = matured(arrives, waits, y, e).recent(_NOW)
    final = 1 - e[arrives >= _YOUNG].mean()
    covers = recent["reweighted_low"] <= final <= recent["reweighted_high"]
    return not np.isnan(recent["reweighted_low"]), covers


def _misses_score(random: Random, kind: str, rows: int) -> bool:
    given, covers = _reweighted(random, kind, rows)
    return given and not covers


def _finds_score(random: Random, kind: str, rows: int) -> bool:
    return all(_reweighted(random, kind, rows))


def cases() -> list[Case]:
    """No drift; waits that have nothing to do with errors, and waits that do."""
    found = []
    for detector in ("DDM()", "ADWIN()", "EDDM()", "PageHinkley()"):
        for run in (1, 5, 20, 100, 300):
            given: dict[str, Any] = {"detector": detector, "run": run}
            data = f"{detector}, {'independent errors' if run == 1 else f'errors in runs of {run}'}"
            found.append(Case("monitor.false_alarms", data, partial(_misses_rate, **given),
                              partial(_states_rate, **given), trials=200))  # fmt: skip
    for rows in (5_000, 20_000):
        for kind in ("waits at random", "waits by class", "5 % minority", "drift of both",
                     "both in runs", "both in runs, waits by class"):  # fmt: skip
            none, some = (
                partial(_misleads, kind=each, rows=rows)
                for each in (kind, f"{kind}, errors sooner")
            )
            found.append(Case("monitor.early", f"{kind}, {rows:,} rows", none, some, trials=500,
                              quick=rows == 5_000))  # fmt: skip
        for kind in ("waits at random", "waits by class", "class worse and later", "errors sooner",
                     "drift of both", "both in runs", "both in runs, errors sooner"):  # fmt: skip
            given = {"kind": kind, "rows": rows}
            found.append(Case("monitor.reweighted", f"{kind}, {rows:,} rows",
                              partial(_misses_score, **given), partial(_finds_score, **given),
                              trials=500))  # fmt: skip
    return found
