"""`Reevaluate`: predict waiting rows again and score them in bins of the wait (semantics §8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from streamgauge._support.argument_types import check_fields
from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Schema
from streamgauge.learners.base import moa_never_abstains
from streamgauge.prequential.reevaluation._moa_fork import MoaForkNewest, MoaForkOutcomes
from streamgauge.prequential.reevaluation.outcomes import (
    Aggregate,
    CustomOutcomes,
    DominantOrMean,
    OutcomeTracker,
)

_MOST_BINS = 1000


@dataclass(frozen=True, repr=False)
class Reevaluate:
    """Continuous re-evaluation: predict a row again while it waits for its label (grzenda2019).

    The wait is divided into `bins` equal parts. Bin 0 is the first prediction, bin `bins` + 1 the
    final one, made just before the label is learned. Every scored row counts once in every bin.
    See `run.bins`.

    Parameters
    ----------
    every
        Predict a waiting row again each time `every` more labels have been learned, 1 or more.
    bins
        Number of parts of the wait, 0 or more.
    compat
        "moa-fork" follows the program published with grzenda2019 instead of the definition. There
        an abstention counts as class 0, or in regression as 0, in all of the run's metrics.
    aggregate
        How the predictions of a bin become one outcome. "dominant", the default for
        classification, takes the class on display longest. "mean", the default for regression,
        takes the time-weighted mean. A function of (predictions, durations) gets the predictions
        on display in the bin, oldest first (class codes, -1 = abstention), and the fraction of the
        bin for which each was on display.

    References
    ----------
    grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(
    ...     sg.SEA(2000, seed=1),
    ...     sg.NaiveBayes(),
    ...     labels=sg.Delay(200),
    ...     reevaluate=sg.Reevaluate(every=10, bins=4),
    ... )
    >>> [f"{accuracy:.2f}" for accuracy in run.bins["accuracy"]]  # from first to final prediction
    ['0.84', '0.85', '0.87', '0.89', '0.92', '0.93']
    """

    every: int = 10
    bins: int = 50
    compat: Literal["moa-fork"] | None = None
    aggregate: Literal["dominant", "mean"] | Aggregate | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        check_integer("Reevaluate(every)", self.every)
        check_integer("Reevaluate(bins)", self.bins)
        if self.every < 1 or self.bins < 0:
            raise UsageError(f"{self}: expected every >= 1 and bins >= 0")
        if self.bins > _MOST_BINS:
            raise UsageError(f"{self}: expected at most {_MOST_BINS:,} bins; each row has them all")
        if self.compat not in (None, "moa-fork"):
            raise UsageError(f"{self}: expected compat=None or compat='moa-fork'")
        if self.compat and self.bins < 1:
            raise UsageError(f"{self}: compat='moa-fork' needs at least one bin")
        if self.compat and self.aggregate is not None:
            raise UsageError(
                f"{self}: compat='moa-fork' has its own way to aggregate a bin; drop aggregate="
            )
        if not (self.aggregate in (None, "dominant", "mean") or callable(self.aggregate)):
            raise UsageError(
                f"{self}: expected aggregate='dominant', aggregate='mean' or a function"
            )

    def __repr__(self) -> str:
        more = f", compat={self.compat!r}" if self.compat else ""
        if self.aggregate is not None:
            how = self.aggregate
            more += f", aggregate={how if isinstance(how, str) else _name(how)!r}"
        return f"Reevaluate(every={self.every}, bins={self.bins}{more})"

    def check(self, schema: Schema) -> None:
        """Raise an error for options that do not fit the kind of target."""
        wrong, right = ("dominant", "mean") if schema.regression else ("mean", "dominant")
        if self.aggregate == wrong:
            task = "regression" if schema.regression else "classification"
            raise UsageError(
                f"{self}: aggregate={wrong!r} does not work for {task}; expected {right!r} or a "
                "function"
            )

    def tracker(self, schema: Schema, learner: object) -> OutcomeTracker:
        """A new tracker of this learner's outcomes."""
        k = len(schema.classes)
        if self.compat and k:
            return MoaForkOutcomes(self.bins, k, moa_never_abstains(learner))
        if self.compat:
            return MoaForkNewest(self.bins, k)
        if callable(self.aggregate):
            return CustomOutcomes(self.bins, k, self.aggregate)
        return DominantOrMean(self.bins, k)


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__name__)}"
