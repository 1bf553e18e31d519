"""Timing: jobs take turns, so that a busy moment of the machine affects all of them."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One promise and the measured value."""

    what: str
    shown: str
    promised: str
    kept: bool


_TURN = 1.0  # seconds
_PAUSE, _MOST_PAUSES = 0.05, 100  # seconds, to see whether threads still work


def time_against(
    rounds: int, ours: Callable[[], object], peer: Callable[[], object]
) -> dict[str, float]:
    """Median seconds of our job and of CapyMOA's.

    Our job is repeated for as long as the peer's takes, or for a second: right after the peer the
    CPU caches are cold. A turn begins when Java's own threads are done with what the last one left
    them: they would take up to half of the core in ours.
    """
    once = take_turns(1, {"ours": ours, "peer": peer})
    passes = max(1, round(min(_TURN, once["peer"]) / once["ours"]))
    jobs: dict[str, Callable[[], object]] = {
        "ours": lambda: [ours() for _ in range(passes)],
        "capymoa": peer,
    }
    took = take_turns(rounds, jobs, wait_until_idle)
    took["ours"] /= passes
    return took


def wait_until_idle() -> None:
    """Wait until no thread of this process works, but not for long."""
    for _ in range(_MOST_PAUSES):
        used = time.process_time()
        time.sleep(_PAUSE)
        if time.process_time() - used < _PAUSE / 10:
            return


def take_turns(
    rounds: int,
    jobs: dict[str, Callable[[], object]],
    prepare: Callable[[], None] = lambda: None,
) -> dict[str, float]:
    """Median seconds of each job over `rounds` rounds; `prepare` comes before each turn."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            prepare()
            began = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - began)
    return {name: statistics.median(each) for name, each in seconds.items()}


@contextmanager
def all_cores() -> Iterator[None]:
    """Use all cores instead of one."""
    before = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    if before:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        if before:
            os.sched_setaffinity(0, before)
