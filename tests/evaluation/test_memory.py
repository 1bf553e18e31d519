"""Memory follows the rows seen and what must be remembered of them, not the sizes asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import real_data

_PEAK = """
import re
status = open("/proc/self/status").read()  # getrusage would report the parent's peak if larger
print(int(re.search(r"VmHWM:\\s+(\\d+)", status).group(1)) / 1024)
"""
_BEGIN = """
import sys
import numpy as np
import streamgauge as sg
huge, rows = 10**9, int(sys.argv[1])
"""
_MANY_CLASSES = """
k = int(sys.argv[2])
y = np.random.default_rng(1).integers(0, k, rows)
X = np.c_[y / 10, y % 7] + np.random.default_rng(2).normal(size=(rows, 2))
stream = sg.from_arrays(X, y, classes=list(range(k)))
run = sg.evaluate(stream, sg.NaiveBayes(), metrics="all", every=rows // int(sys.argv[3]))
assert run.confusion.sum() == rows and len(run.curve) == int(sys.argv[3])
str(run)
"""
_HUGE_SIZES = """
stream = sg.SEA(rows, seed=1)
forget = [sg.Window(huge), sg.TimeWindow(huge), sg.Fading(0.99)]
base = sg.TemporalCorrection(sg.NaiveBayes(), forget=sg.Window(huge))
on = sg.Resetting(base, sg.PageHinkley(on=sg.Window(huge)))
learners = [sg.KNN(window_size=huge), sg.Majority(forget=sg.Window(huge)), on]
sg.evaluate(stream, learners, forget=forget, block_rows=huge)
sg.evaluate(stream, sg.Majority(), labels=sg.Chunks(huge))
waiting = sg.Reevaluate(every=huge, bins=2)
sg.evaluate(stream, sg.Majority(), labels=sg.Delay(huge), reevaluate=waiting)
sg.ADWIN(max_buckets=huge).detect(np.zeros(rows))
sg.inspect(stream, window=huge)
"""
_LONG_STREAMS = {
    "plain": "sg.evaluate(stream, sg.Majority(), predictions=False)",
    "delayed": "sg.evaluate(stream, sg.Majority(), labels=sg.Delay(500), predictions=False)",
    "late": "sg.evaluate(stream, sg.Majority(), labels=sg.RandomDelay('poisson(20)'),"
    " predictions=False)",
    "again": "sg.evaluate(stream, sg.Majority(), labels=sg.Delay(100), predictions=False,"
    " reevaluate=sg.Reevaluate(50, 4))",
    "time": "sg.evaluate(stream, sg.Majority(), forget=[sg.TimeWindow(1000)], predictions=False)",
    "folds": "sg.evaluate(stream, sg.Majority(), protocol=sg.PrequentialCV(2), predictions=False)",
    "holdout": "sg.evaluate(stream, sg.Majority(), protocol=sg.Holdout(900, 100),"
    " predictions=False)",
    "wrapped": "sg.evaluate(stream, sg.SWT(sg.NaiveBayes()), predictions=False)",
    "profile": "sg.inspect(stream)",
}  # fmt: skip


def _peak(code: str, *arguments: int) -> float:
    """The largest memory of a process that runs this code, in megabytes."""
    command = [sys.executable, "-c", _BEGIN + code + _PEAK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return float(done.stdout.split()[-1])


@pytest.mark.long
def test_huge_windows_and_delays_take_no_more_than_the_rows_seen() -> None:
    assert _peak(_HUGE_SIZES, 3000) < 400


@pytest.mark.long
def test_points_of_many_classes_are_measured_a_few_at_a_time() -> None:
    assert _peak(_MANY_CLASSES, 2000, 300, 200) < 450


@pytest.mark.long
def test_thousand_classes_and_all_metrics_stay_under_a_gigabyte() -> None:
    assert _peak(_MANY_CLASSES, 100_000, 1000, 500) < 1000


@pytest.mark.long
@pytest.mark.parametrize("case", list(_LONG_STREAMS))
def test_memory_stays_flat_over_two_million_rows(case: str) -> None:
    code = f"stream = sg.SEA(rows, seed=1)\n{_LONG_STREAMS[case]}\n"
    assert _peak(code, 2_000_000) - _peak(code, 1_000_000) < 20


@pytest.mark.long
def test_forest_on_airlines_stays_under_a_gigabyte() -> None:
    """Splits into 293 airports make leaves of a few rows each; a tree has tens of thousands."""
    real_data("airlines")
    forest = "sg.AdaptiveRandomForest()"
    code = f"sg.evaluate(sg.load('airlines').take(rows), {forest}, predictions=False)\n"
    _peak(code, 1000)  # compiles, which takes memory of its own
    assert _peak(code, 539_383) < 1000
