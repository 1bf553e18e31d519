"""How things are timed: the rivals take turns, so that a busy moment hits them all."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One promise and what was measured."""

    what: str
    shown: str
    promised: str
    kept: bool


_PASSES = 5


def beside(rounds: int, ours: Callable[[], object], peer: Callable[[], object]) -> dict[str, float]:
    """The median seconds of ours and of CapyMOA's. Ours has several passes a turn: the peer's one
    takes longer still, and leaves the caches, and the core to Java's own threads, for a while."""
    jobs: dict[str, Callable[[], object]] = {
        "ours": lambda: [ours() for _ in range(_PASSES)],
        "capymoa": peer,
    }
    took = take_turns(rounds, jobs)
    took["ours"] /= _PASSES
    return took


def take_turns(rounds: int, rivals: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each rival over `rounds` rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, job in rivals.items():
            began = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - began)
    return {name: statistics.median(each) for name, each in seconds.items()}
