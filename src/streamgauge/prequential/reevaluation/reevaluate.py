"""Continuous re-evaluation: how waiting rows are asked again, and what it costs (semantics §8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import AGAIN, LEARN, PREDICT, Flags, Floats, Longs, Schema
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.reevaluation._moa_fork import ForkDisplay
from streamgauge.prequential.reevaluation.display import (
    Aggregate,
    Aggregated,
    Display,
    LongestShown,
)

_RECENT = 100  # events over which N_C counts


@dataclass(frozen=True, repr=False)
class Reevaluate:
    """While a row waits, ask again after every `every` further labels; score in `bins` equal parts
    of the wait, between the first prediction (bin 0) and the final one (bin `bins` + 1).

    In a bin counts the class on display longest, or the time-weighted mean of numbers; `aggregate`
    may be a function of your own, of the predictions shown in the bin (class codes, -1 abstains)
    and their shares of it. `compat="moa-fork"` follows grzenda2019's published program instead.
    """

    every: int = 10
    bins: int = 50
    compat: Literal["moa-fork"] | None = None
    aggregate: Literal["dominant", "mean"] | Aggregate | None = None

    def __post_init__(self) -> None:
        check_integer("Reevaluate(every)", self.every)
        check_integer("Reevaluate(bins)", self.bins)
        if self.every < 1 or self.bins < 0:
            raise UsageError(f"{self}: expected every >= 1 and bins >= 0")
        if self.compat not in (None, "moa-fork"):
            raise UsageError(f"{self}: compat is None or 'moa-fork'")
        if self.compat and self.bins < 1:
            raise UsageError(f"{self}: the authors' program has at least one bin")
        if self.compat and self.aggregate is not None:
            raise UsageError(f"{self}: the authors' program has its own way to aggregate a bin")
        if not (self.aggregate in (None, "dominant", "mean") or callable(self.aggregate)):
            raise UsageError(f"{self}: aggregate is 'dominant', 'mean' or a function")

    def __repr__(self) -> str:
        more = f", compat={self.compat!r}" if self.compat else ""
        if self.aggregate is not None:
            how = self.aggregate
            more += f", aggregate={how if isinstance(how, str) else _name(how)!r}"
        return f"Reevaluate(every={self.every}, bins={self.bins}{more})"

    def check(self, schema: Schema) -> None:
        """Does it fit the kind of target?"""
        if schema.regression and self.compat:
            raise UsageError(f"{self}: the authors' rules are settled for classification only")
        wrong = "dominant" if schema.regression else "mean"
        if self.aggregate == wrong:
            kind = "regression" if schema.regression else "classification"
            raise UsageError(f"{self}: aggregate={wrong!r} makes no sense in {kind}")

    def display(self, schema: Schema) -> Display:
        """Something to follow one learner's answers with."""
        k = len(schema.classes)
        if self.compat:
            return ForkDisplay(self.bins, k)
        if callable(self.aggregate):
            return Aggregated(self.bins, k, self.aggregate)
        return LongestShown(self.bins, k)


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__name__)}"


class Effort:
    """Counts the extra predictions, which are the same for every learner."""

    def __init__(self) -> None:
        self._held = np.empty(0, np.int64)  # of each home: re-predictions of the row there
        self._recent = np.zeros(_RECENT, np.int64)  # re-predictions at each of the last events
        self._totals = np.zeros(4, np.int64)  # events, held now, those of labelled rows, labels

    def add(self, agenda: Agenda, capacity: int) -> Floats:
        """Of each scored row, as its label has come: N_C, N_B, N_R."""
        if len(self._held) < capacity:
            more = np.zeros(capacity - len(self._held), np.int64)
            self._held = np.concatenate([self._held, more])
        labels = int(np.count_nonzero(agenda.ops == LEARN))
        out = np.empty((labels, 3))
        state = self._held, self._recent, self._totals
        rows = _count(agenda.ops, agenda.homes, agenda.scored, *state, out)
        return out[:rows]


@kernel
def _count(
    ops: Flags, homes: Longs, scored: Flags,
    held: Longs, recent: Longs, totals: Longs, out: Floats,
) -> int:  # fmt: skip
    row = 0
    asked = 0  # since the last arrival or label
    for e in range(len(ops)):
        home = homes[e]
        if ops[e] == AGAIN:
            held[home] += 1
            totals[1] += 1
            asked += 1
        elif ops[e] == PREDICT:
            held[home] = 0
            recent[totals[0] % len(recent)] = 0
            totals[0] += 1
        elif ops[e] == LEARN:
            recent[totals[0] % len(recent)] = asked
            totals[0] += 1
            asked = 0
            totals[1] -= held[home]
            totals[2] += held[home]
            totals[3] += 1
            if scored[e]:
                out[row, 0] = recent.sum()
                out[row, 1] = totals[1]
                out[row, 2] = totals[2] / totals[3]
                row += 1
    return row
