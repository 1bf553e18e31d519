"""Drift detectors over ten million errors, one `detect` call each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import streamgauge as sg
from bench.clock import Line, take_turns

_ROWS = 10_000_000


def measure() -> Iterator[Line]:
    """Only Page–Hinkley has a promise; the other times are printed for comparison."""
    rate = np.repeat([0.3, 0.6], _ROWS // 2)  # one drift, and many rows without one
    errors = (np.random.default_rng(1).random(_ROWS) < rate).astype(np.float64)
    detectors = [
        sg.PageHinkley(), sg.PageHinkley(on=sg.Fading(0.997)), sg.PageHinkley(on=sg.Window(1000)),
        sg.RatioPageHinkley(), sg.DDM(), sg.EDDM(), sg.ADWIN(), sg.EDetector(above=0.3),
    ]  # fmt: skip
    jobs: dict[str, Callable[[], object]] = {
        repr(each): partial(sg.detect, errors, [each]) for each in detectors
    }
    for job in jobs.values():
        job()  # compile
    took = take_turns(3, jobs)
    for name, seconds in took.items():
        print(f"{name} over {_ROWS:,} errors: {seconds:.2f} s")
    seconds = took["PageHinkley()"]
    yield Line("Page-Hinkley over 10 M errors", f"{seconds:.2f} s", "< 2 s", seconds < 2)
