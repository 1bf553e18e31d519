"""Scorecards: better than chance, by shifts of a detector's own alarms; errors that depend."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import streamgauge as sg
from bench.calibration.case import Case, Random
from bench.calibration.inspection import markov
from streamgauge._support.types import Drift, Floats, Longs
from streamgauge.detection.alarm_draws import shift_scores
from streamgauge.detection.alarms import as_drifts
from streamgauge.detection.independence import dependence_of

_DETECTORS = 4


def blind_alarms(random: Random, kind: str, n: int, count: int) -> Longs:
    """About `count` alarms that ignore the drifts."""
    if kind == "periodic":
        every = int(random.integers(n // count // 2 + 1, 2 * n // count))
        return np.arange(every - 1, n, every)
    if kind == "in bursts":
        starts = random.choice(n, max(1, count // 5), replace=False)
        rows = (starts[:, None] + np.arange(5) * (1 + n // 500)).ravel()
        return np.unique(rows[rows < n])
    return np.sort(random.choice(n, count, replace=False))


def true_drifts(random: Random, places: str, n: int, count: int) -> tuple[Drift, ...]:
    """Drifts at random rows, or equally far apart."""
    if places == "equally far apart":
        return as_drifts([n * (i + 1) // (count + 1) for i in range(count)], n)
    return as_drifts(np.sort(random.choice(np.arange(n // 20, n), count, replace=False)), n)


def _blind(
    random: Random, kind: str, alarms: int, drifts: int, places: str, accept: int | None, runs: int
) -> bool:
    """Alarms that ignore the drifts."""
    n = 10_000
    made = []
    for _ in range(runs):
        truth = true_drifts(random, places, n, drifts)
        made.append((blind_alarms(random, kind, n, alarms), truth, n))
    return shift_scores("x", made, accept, 1, draws=1).beaten


def _early(random: Random, alarms: int, drifts: int) -> bool:
    """Every drift has an alarm shortly before it."""
    n = 10_000
    truth = true_drifts(random, "at random rows", n, drifts)
    before = [max(0, each.position - int(random.integers(1, 50))) for each in truth]
    rows = np.unique(np.r_[before, blind_alarms(random, "at random rows", n, alarms)])
    return shift_scores("x", [(rows, truth, n)], None, 1, draws=1).beaten


def _quick(
    random: Random, kind: str, alarms: int, drifts: int, places: str, accept: int | None, runs: int
) -> bool:
    """Every drift has an alarm up to 100 rows after it, beside those that are false."""
    n = 10_000
    made = []
    for _ in range(runs):
        truth = true_drifts(random, places, n, drifts)
        after = [each.position + int(random.integers(1, 100)) for each in truth]
        rows = np.unique(np.r_[after, blind_alarms(random, kind, n, alarms)])
        made.append((rows[rows < n], truth, n))
    return shift_scores("x", made, accept, 1, draws=1).beaten


def _any(random: Random, quick: bool) -> bool:
    """Several detectors in one scorecard; if one is quick, whether it is called better."""
    n = 10_000
    truth = true_drifts(random, "at random rows", n, 4)
    rows = {f"D{i}": blind_alarms(random, "at random rows", n, 10) for i in range(_DETECTORS)}
    if quick:
        rows["D0"] = np.unique(np.r_[rows["D0"], [min(n - 1, d.position + 5) for d in truth]])
    card = sg.score_detectors(rows, drifts=[each.position for each in truth], n=n)
    better = [name for name, shifted in card.chance.items() if shifted.beaten]
    return "D0" in better if quick else bool(better)


def independent_errors(random: Random, n: int, rate: float, drift: str) -> Floats:
    """Errors that do not depend on each other; their rate may change."""
    place = np.arange(n) / n
    rates = {
        "no drift": np.full(n, rate),
        "one sudden drift": np.where(place < 0.4, rate, min(1.0, 4 * rate)),
        "a slow drift": rate * (1 + 3 * place),
        "four drifts": rate * np.array([1, 3, 1, 4, 2])[np.minimum(4, (5 * place).astype(int))],
    }[drift]
    return np.asarray(random.random(n) < rates, np.float64)


def _dependent(random: Random, n: int, rate: float, drift: str, known: bool) -> bool:
    errors = independent_errors(random, n, rate, drift)
    cuts = {"one sudden drift": [n * 2 // 5], "four drifts": [n * i // 5 for i in range(1, 5)]}
    return dependence_of(errors, cuts.get(drift, []) if known else None).fails


def _dependent_indeed(random: Random, n: int, rate: float, run: float, known: bool) -> bool:
    errors = markov(random, n, run, rate).astype(float)
    return dependence_of(errors, [] if known else None).fails


def cases() -> list[Case]:
    """Alarms that ignore the drifts, and errors that do not depend on each other."""
    found = []
    settings = (
        ("at random rows", 10, 1, "at random rows", None, 1),
        ("at random rows", 10, 4, "at random rows", None, 1),
        ("at random rows", 100, 4, "at random rows", None, 1),
        ("at random rows", 10, 4, "at random rows", 200, 1),
        ("at random rows", 10, 3, "equally far apart", None, 1),
        ("at random rows", 2, 3, "equally far apart", None, 10),
        ("periodic", 10, 4, "at random rows", None, 1),
        ("periodic", 10, 3, "equally far apart", None, 1),
        ("periodic", 10, 3, "equally far apart", None, 10),
        ("in bursts", 20, 4, "at random rows", None, 1),
        ("in bursts", 20, 3, "equally far apart", 500, 1),
    )
    for kind, alarms, drifts, places, accept, runs in settings:
        given: dict[str, Any] = {"kind": kind, "alarms": alarms, "drifts": drifts, "places": places}
        given |= {"accept": accept, "runs": runs}
        of = f"{alarms} alarms {kind}" if kind != "periodic" else f"about {alarms} periodic alarms"
        within = "" if accept is None else f" within {accept} rows"
        many = "" if runs == 1 else f", {runs} runs"
        data = f"{of}, {drifts} drift{'s' * (drifts > 1)} {places}{within}{many}"
        found.append(Case("scorecard.better", data, partial(_blind, **given),
                          partial(_quick, **given), trials=1000, quick=True))  # fmt: skip
    early = partial(_early, alarms=10, drifts=4)
    found.append(
        Case("scorecard.better", "an alarm just before each of 4 drifts", early, trials=1000)
    )
    none, some = (partial(_any, quick=each) for each in (False, True))
    data = f"{_DETECTORS} detectors, 10 alarms, 4 drifts at random rows"
    found.append(Case("scorecard.any", data, none, some, trials=200))
    for rows in (500, 5_000, 20_000):
        for rate in (0.01, 0.2):
            for drift in ("no drift", "one sudden drift", "a slow drift", "four drifts"):
                for known in (True, False):
                    if (drift == "a slow drift" and known) or 4 * rate * rows < 100:
                        continue
                    of = "" if drift == "no drift" else ", drifts given" * known
                    data = f"independent, error rate {rate:.0%}, {drift}{of}, {rows:,} rows"
                    if drift == "no drift":
                        data += "" if known else ", drifts unknown"
                    trial = partial(_dependent, n=rows, rate=rate, drift=drift, known=known)
                    power = (
                        partial(_dependent_indeed, n=rows, rate=rate, run=2, known=known)
                        if drift == "no drift"
                        else None
                    )
                    found.append(Case("scorecard.dependence", data, trial, power, trials=1000))
    return found
