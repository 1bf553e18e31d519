"""Label policies: when each row arrives and when its label is revealed (semantics §1)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Literal, NamedTuple, Protocol

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.rng import uniform
from streamgauge._support.types import NEVER, Block, Floats, Longs


class Timetable(NamedTuple):
    """Of each row of a block: when it arrives, when its label comes, what it weighs in learning.

    A weight of 0 means: scored when revealed, never learned.
    """

    arrives: Longs
    revealed: Longs
    weight: Floats


class LabelPolicy(Protocol):
    """Turns rows into times. `labels_first` orders a label and a row that come at one moment."""

    @property
    def labels_first(self) -> bool: ...

    def timetable(self, block: Block) -> Timetable: ...


def _rows(block: Block) -> Longs:
    return np.arange(block.start, block.start + len(block), dtype=np.int64)


@dataclass(frozen=True)
class Immediate:
    """The label comes right after the row's own prediction."""

    labels_first = True

    def timetable(self, block: Block) -> Timetable:
        rows = _rows(block)
        return Timetable(rows, rows, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class Delay:
    """Row t's label comes just before row t+n is predicted; `Delay(1)` is `Immediate`."""

    n: int
    labels_first = True

    def __post_init__(self) -> None:
        check_integer("Delay", self.n)
        if self.n < 1:
            raise UsageError(
                f"Delay({self.n}): a label cannot come before its own row is predicted; "
                "use Delay(1) or Immediate() for labels that come at once"
            )

    def __repr__(self) -> str:
        return f"Delay({self.n})"

    def timetable(self, block: Block) -> Timetable:
        rows = _rows(block)
        return Timetable(rows, rows + self.n, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class Chunks:
    """All labels of a chunk of n rows come together, after its last row."""

    n: int
    labels_first = False

    def __post_init__(self) -> None:
        check_integer("Chunks", self.n)
        if self.n < 1:
            raise UsageError(f"Chunks({self.n}): a chunk has at least one row")

    def __repr__(self) -> str:
        return f"Chunks({self.n})"

    def timetable(self, block: Block) -> Timetable:
        rows = _rows(block)
        return Timetable(rows, (rows // self.n + 1) * self.n - 1, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class FromStream:
    """The data carry a reveal time per row, and an arrival time unless that is the row number."""

    ties: Literal["arrivals_first", "labels_first"] = "arrivals_first"

    def __post_init__(self) -> None:
        if self.ties not in ("arrivals_first", "labels_first"):
            raise UsageError(
                f"FromStream(ties={self.ties!r}): ties is 'arrivals_first' or 'labels_first'"
            )

    def __repr__(self) -> str:
        return f"FromStream({self.ties!r})" if self.labels_first else "FromStream()"

    @property
    def labels_first(self) -> bool:
        return self.ties == "labels_first"

    def timetable(self, block: Block) -> Timetable:
        if block.revealed is None:
            raise UsageError(
                "FromStream() needs a stream with reveal times: name their column, "
                "e.g. read(..., arrives='planned', revealed='actual')"
            )
        arrives = _rows(block) if block.arrives is None else block.arrives
        early = np.flatnonzero((block.revealed < arrives) & block.known)
        if len(early):
            i = early[0]
            raise InputError(
                f"row {block.start + i}: its label is revealed at {block.revealed[i]}, before the "
                f"row arrives at {arrives[i]}; expected a reveal time at or after the arrival: "
                "check that the two columns are not swapped and use one unit and time zone",
                row=int(block.start + i),
            )
        return Timetable(arrives, block.revealed, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class Sampled:
    """Each label comes with probability p, right after the prediction; the others never come.

    `score="all"` scores every row all the same: a label that is not revealed is used to score,
    never to learn, and no learner or reference sees it.
    """

    p: float
    score: Literal["revealed", "all"] = "revealed"
    seed: int = 0
    labels_first = True

    def __post_init__(self) -> None:
        if not isinstance(self.p, Real) or not 0 < self.p <= 1:
            raise UsageError(f"Sampled({self.p!r}): p is a probability, 0 < p <= 1")
        if self.score not in ("revealed", "all"):
            raise UsageError(f"Sampled(score={self.score!r}): score is 'revealed' or 'all'")

    def __repr__(self) -> str:
        more = f", score={self.score!r}" if self.score != "revealed" else ""
        return f"Sampled({self.p!r}{more}{f', seed={self.seed}' if self.seed else ''})"

    def timetable(self, block: Block) -> Timetable:
        rows = _rows(block)
        chosen = uniform(rows, self.seed) < self.p
        if self.score == "all":
            return Timetable(rows, rows, chosen.astype(np.float64))
        return Timetable(rows, np.where(chosen, rows, NEVER), np.ones(len(block)))
