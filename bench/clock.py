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


def take_turns(rounds: int, rivals: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each rival over `rounds` rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, job in rivals.items():
            began = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - began)
    return {name: statistics.median(each) for name, each in seconds.items()}
