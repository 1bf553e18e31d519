"""Alarms of detectors against what they promise: false ones, and how soon the others come.

A false alarm is an alarm in a window of a tenth of the rows promised, which begins anywhere from
once to four times these rows after the start: at most 10 % of such windows may have one.
`python -m bench.calibration.alarms` prints rows per false alarm over long streams, and the delay
of each detector.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.signal import lfilter

import streamgauge as sg
from bench.calibration.case import Case, Random
from streamgauge._support.types import Floats
from streamgauge.detectors.base import all_alarms

RATE, WORSE = 0.2, 0.3  # of errors, before and after a change
_BASELINE, _BASELINES = 40_000, 20  # rows: enough for the promise; how many are calibrated on
_PROMISED = 20_000
_NOTICED = 3000  # rows after a change within which an alarm is soon
_PART, _SETTLED = 10, 4  # of a promise that a window is long; promises before the last one begins
_LIMITS = (("detector.guarantee", 10.0), ("detector.calibrated", 15.0))  # within a factor of 1.5
_TRIALS, _LONG = 20, 25  # long streams without a change, and their length in promises
_CHANGES, _AFTER = 100, 30_000  # streams with a change, and their rows after it


def independent(random: Random, rows: int, rate: float) -> Floats:
    """Errors that do not depend on each other."""
    return np.asarray(random.random(rows) < rate, float)


def in_runs(random: Random, rows: int, rate: float, run: int) -> Floats:
    """Runs of right or of wrong rows, their lengths geometric with mean `run`."""
    lengths = random.geometric(1 / run, int(rows / run + 8 * np.sqrt(rows / run)) + 20)
    return independent(random, len(lengths), rate).repeat(lengths)[:rows]


def latent_ar(random: Random, rows: int, rate: float) -> Floats:
    """Errors whose rate follows a slow process of correlation .99 between rows."""
    noise = random.normal(0, np.sqrt(1 - 0.99**2), rows)
    noise[0] = random.normal()
    slow = rate + 0.08 * lfilter([1.0], [1.0, -0.99], noise)
    return np.asarray(random.random(rows) < np.clip(slow, 0, 2 * rate), float)


def regimes(random: Random, rows: int, rate: float, run: int) -> Floats:
    """Good and bad times in turn, their lengths geometric: rates half as high, and half higher."""
    lengths = random.geometric(1 / run, int(rows / run + 8 * np.sqrt(rows / run)) + 20)
    signs = np.where(np.arange(len(lengths)) % 2 == random.integers(2), 0.5, -0.5)
    return np.asarray(random.random(rows) < rate * (1 + signs.repeat(lengths)[:rows]), float)


Draw = Callable[[Random, int, float], Floats]
KINDS: dict[str, Draw] = {
    "independent": independent,
    "runs of 20": partial(in_runs, run=20),
    "runs of 100": partial(in_runs, run=100),
    "AR .99": latent_ar,
    "regimes of 20": partial(regimes, run=20),
    "regimes of 200": partial(regimes, run=200),
}
_SHORT_DEPENDENCE = ("independent", "runs of 20", "regimes of 20")  # blocks of 100 are long enough


def given(random: Random, kind: str, block: int) -> sg.Detector:
    """An e-detector that is told the limit."""
    return sg.EDetector(above=RATE, guarantee=_PROMISED, block=block)


def learned(random: Random, kind: str) -> sg.Detector:
    """An e-detector with the limit and the block of a baseline."""
    while True:
        try:
            return sg.EDetector.from_baseline(KINDS[kind](random, _BASELINE, RATE), _PROMISED)
        except sg.InputError:  # it is refused: one takes another
            continue


def calibrated(random: Random, kind: str, name: str) -> sg.Detector | None:
    """A detector with the threshold that one of some baselines gives it."""
    return _calibrated(kind, name, int(random.integers(_BASELINES)))


@cache
def _calibrated(kind: str, name: str, number: int) -> sg.Detector | None:
    """None if it is refused."""
    random = np.random.default_rng([7, number])
    while True:
        try:
            rows, block = _OTHERWISE.get(name, (_BASELINE, None))
            losses = KINDS[kind](random, rows, RATE)
            return sg.calibrate(CALIBRATED[name], losses, _PROMISED, block=block).detector
        except sg.InputError:  # the baseline is refused: one takes another
            continue
        except sg.UsageError:
            return None


Make = Callable[[Random, str], "sg.Detector | None"]


def _alarms(detector: sg.Detector, errors: Floats) -> list[int]:
    return [int(each) for each in all_alarms(detector, errors, 1)]


def _false(random: Random, kind: str, make: Make) -> bool:
    """Whether a window of a tenth of the promise, without a change, has an alarm."""
    draw = KINDS[kind]
    if (detector := make(random, kind)) is None:
        return False
    window = _PROMISED // _PART
    start = int(random.integers(_PROMISED, _SETTLED * _PROMISED))
    return any(row >= start for row in _alarms(detector, draw(random, start + window, RATE)))


def _noticed(random: Random, kind: str, make: Make) -> bool:
    """Whether more errors raise an alarm soon."""
    return delay(random, kind, make, _NOTICED) < _NOTICED


def delay(random: Random, kind: str, make: Make, rows: int) -> float:
    """Rows from a change to the first alarm, at most `rows`; NaN if the detector is refused."""
    draw = KINDS[kind]
    if (detector := make(random, kind)) is None:
        return float("nan")
    errors = np.r_[draw(random, 5000, RATE), draw(random, rows, WORSE)]
    return min([row - 5000 for row in _alarms(detector, errors) if row >= 5000], default=rows)


def alarms_per_promise(random: Random, kind: str, make: Make) -> float:
    """Alarms per promise on a long stream without a change; NaN if the detector is refused."""
    draw = KINDS[kind]
    if (detector := make(random, kind)) is None:
        return float("nan")
    return len(_alarms(detector, draw(random, _LONG * _PROMISED, RATE))) / _LONG


CALIBRATED: dict[str, Any] = {
    "PageHinkley": sg.PageHinkley(delta=0.01),
    "PageHinkley of a fading mean": sg.PageHinkley(delta=0.01, on=sg.Fading(0.99)),
    "ADWIN": sg.ADWIN(),
    "DDM": sg.DDM(),
    "EDDM": sg.EDDM(),
    "PageHinkley, too short a baseline": sg.PageHinkley(delta=0.01),
    "PageHinkley, rows in random order": sg.PageHinkley(delta=0.01),
}
_OTHERWISE: dict[str, tuple[int, int | None]] = {  # rows of the baseline and of blocks
    "PageHinkley, too short a baseline": (_BASELINE // 4, None),
    "PageHinkley, rows in random order": (_BASELINE, 1),
}
# In the table of docs/detectors.md alone.
_BESIDE = ("ADWIN", "DDM", "EDDM", "blocks too short: 100", *_OTHERWISE)
_TABLED = ("independent", "runs of 20", "AR .99", "regimes of 200")


def variants(kind: str) -> dict[str, Make]:
    """What is tried on a kind of errors, and how it is made."""
    found: dict[str, Make] = {}
    for block in (100, 200, 400):
        short = block < 200 and kind not in _SHORT_DEPENDENCE
        found[f"blocks {'too short:' if short else 'of'} {block}"] = partial(given, block=block)
    found["from a baseline"] = learned
    for name in CALIBRATED:
        found[name] = partial(calibrated, name=name)
    return found


def cases() -> list[Case]:
    """E-detectors and calibrated ones, on every kind of errors."""
    found = []
    for kind in KINDS:
        for name, make in variants(kind).items():
            if name in _BESIDE:
                continue
            false = partial(_false, kind=kind, make=make)
            some = partial(_noticed, kind=kind, make=make)
            claim, most = _LIMITS[name in CALIBRATED]
            found.append(Case(claim, f"{name}, {kind}", false, some, most=most))
    return found


def _measured(job: tuple[str, str]) -> str:
    """One line: rows per false alarm as a multiple of the promise, and the mean delay."""
    kind, name = job
    make = variants(kind)[name]
    rates = [alarms_per_promise(np.random.default_rng([1, i]), kind, make) for i in range(_TRIALS)]
    if np.isnan(rates).any():
        return f"| {kind} | {name} | refused | |"
    mean, error = np.mean(rates), np.std(rates, ddof=1) / np.sqrt(_TRIALS)
    ratio = f"{1 / mean:.2f} ± {error / mean**2:.2f}"
    delays = [delay(np.random.default_rng([2, i]), kind, make, _AFTER) for i in range(_CHANGES)]
    spread = np.std(delays, ddof=1) / np.sqrt(_CHANGES)
    return f"| {kind} | {name} | {ratio} | {np.mean(delays):,.0f} ± {spread:,.0f} |"


def main() -> None:
    """Print the table."""
    jobs = [(kind, name) for kind in _TABLED for name in variants(kind)]
    print("| errors | detector | rows per false alarm / promised | delay |\n|---|---|--:|--:|")
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for line in pool.imap(_measured, jobs, chunksize=1):
            print(line, flush=True)


if __name__ == "__main__":
    main()
