"""One row of the page: a claim on one kind of stream, and what its trials found."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Random = np.random.Generator
Trial = Callable[[Random], bool]

TRIALS = 2000
MOST_FALSE = 3.5  # per cent, where dependence is at most a twentieth of the rows
MOST_FALSE_LONG = 5.0  # where it is a tenth


@dataclass(frozen=True)
class Case:
    """A claim on streams of one kind; trials are functions at the top of a module, or partials."""

    claim: str  # id in streamgauge._support.claims
    data: str  # the kind of stream: "runs of 200, 10,000 rows"
    false: Trial  # draw a stream on which the claim is not true; was it made?
    power: Trial | None = None  # draw one on which it is true; was it made?
    oracle: Trial | None = None  # would one who knows the dependence make it there?
    trials: int = TRIALS
    most: float = MOST_FALSE  # per cent that may be false
    quick: bool = False  # part of the short form, in the long tests


@dataclass(frozen=True)
class Measured:
    """Per cent of the trials."""

    claim: str
    data: str
    trials: int
    most: float
    false: float
    power: float = math.nan
    oracle: float = math.nan

    @property
    def error(self) -> float:
        """Standard error of `false`, with half a trial added so that it is never 0."""
        share = (self.false / 100 * self.trials + 0.5) / (self.trials + 1)
        return 100 * math.sqrt(share * (1 - share) / self.trials)

    @property
    def holds(self) -> bool:
        """Whether `false` is at most `most`, or above it by less than two standard errors."""
        return self.false <= self.most + 2 * self.error


def measure(case: Case, trials: int | None = None) -> Measured:
    """Run the trials of a case; the same streams each time."""
    count = case.trials if trials is None else min(trials, case.trials)
    start = zlib.crc32(f"{case.claim} {case.data}".encode())

    def share(trial: Trial | None, kind: int) -> float:
        if trial is None:
            return math.nan
        made = sum(bool(trial(np.random.default_rng([start, kind, i]))) for i in range(count))
        return 100 * made / count

    shares = share(case.false, 0), share(case.power, 1), share(case.oracle, 1)
    return Measured(case.claim, case.data, count, case.most, *shares)
