"""Ways to test: which rows are learned, which scored, by one model or several (semantics §2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block, Floats, Longs, Mask
from streamgauge.streams.base import Stream, check_same_columns


class Rows(Protocol):
    """Says of rows, by number, what they are for: of each, or True for all."""

    def learned(self, rows: Longs) -> Mask | bool: ...

    def scored(self, rows: Longs) -> Mask | bool: ...

    @property
    def held_out(self) -> int:
        """The first so many rows are a test set: asked again and again, never learned."""
        ...

    @property
    def test_every(self) -> int:
        """The test set is asked after so many learned labels."""
        ...

    def test_set(self, stream: Stream) -> Block | None:
        """A test set from elsewhere."""
        ...


@dataclass(frozen=True)
class Prequential:
    """Every row is a test, then a lesson; the first `warmup` rows are lessons only."""

    warmup: int = 0
    held_out = 0
    test_every = 1

    def learned(self, rows: Longs) -> bool:
        return True

    def scored(self, rows: Longs) -> Mask | bool:
        return rows >= self.warmup if self.warmup else True

    def test_set(self, stream: Stream) -> Block | None:
        return None


@dataclass(frozen=True, repr=False)
class Holdout:
    """Test on rows that are never learned, after every `every` learned ones.

    `test="interleaved"`: on the `size` rows that come next. "first": on the stream's first `size`
    rows, the same each time. A stream: on that stream's first `size` rows, the same each time.
    A point of the curve is then a test: `Window(size)`, every `size` scored rows.
    """

    every: int
    size: int
    test: Literal["interleaved", "first"] | Stream = "interleaved"

    def __post_init__(self) -> None:
        for name in ("every", "size"):
            check_whole(f"Holdout({name})", getattr(self, name))
            if getattr(self, name) < 1:
                raise UsageError(f"{self}: {name} is 1 row or more")
        if not (self.test in ("interleaved", "first") or isinstance(self.test, Stream)):
            raise UsageError(f"{self}: test is 'interleaved', 'first' or a stream")

    def __repr__(self) -> str:
        test = self.test.name if isinstance(self.test, Stream) else self.test
        return f"Holdout(every={self.every}, size={self.size}, test={test!r})"

    @property
    def held_out(self) -> int:
        return self.size if self.test == "first" else 0

    @property
    def test_every(self) -> int:
        return self.every

    def learned(self, rows: Longs) -> Mask | bool:
        if self.test != "interleaved":
            return True
        return np.asarray(rows % (self.every + self.size) < self.every)

    def scored(self, rows: Longs) -> Mask | bool:
        return self.test == "interleaved" and np.logical_not(self.learned(rows))

    def test_set(self, stream: Stream) -> Block | None:
        if not isinstance(self.test, Stream):
            return None
        check_same_columns(stream, self.test, "Holdout")
        block = next(self.test.blocks(self.size))
        if len(block) < self.size:
            raise UsageError(f"{self}: {self.test.name} has {len(block):,} rows only")
        return block

    def check(self, rows: int | None) -> None:
        """A stream that ends before the first test tells nothing."""
        needed = self.every + self.held_out + (self.test == "interleaved")
        if rows is not None and rows < needed:
            raise UsageError(
                f"{self}: the stream's {rows:,} rows end before the first test; expected "
                f"{needed:,} or more, or a smaller every or size"
            )


@dataclass(frozen=True, repr=False)
class PrequentialCV:
    """k models over one pass; row i belongs to fold i mod k.

    "cv": a row is learned by all models but its fold's. "split": by its fold's alone. "bootstrap":
    by each with a Poisson(1) weight. A model is scored on the rows it does not learn;
    `compat="moa"` scores it on all.
    """

    k: int = 10
    mode: Literal["cv", "split", "bootstrap"] = "cv"
    compat: Literal["moa"] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("PrequentialCV(k)", self.k)
        if self.k < 2:
            raise UsageError(f"{self}: expected two models or more")
        if self.mode not in ("cv", "split", "bootstrap"):
            raise UsageError(f"{self}: mode is 'cv', 'split' or 'bootstrap'")
        if self.compat not in (None, "moa"):
            raise UsageError(f"{self}: compat is None or 'moa'")

    def __repr__(self) -> str:
        more = f", compat={self.compat!r}" if self.compat else ""
        more += f", seed={self.seed}" if self.seed else ""
        return f"PrequentialCV({self.k}, {self.mode!r}{more})"

    def models(self) -> Iterator[OneModel]:
        """Each model's share of the lessons."""
        return (OneModel(self, m) for m in range(self.k))


@dataclass(frozen=True)
class OneModel:
    """What one model of a cross-validation learns and is scored on."""

    protocol: PrequentialCV
    number: int

    def weight(self, rows: Longs) -> Floats:
        """How often it learns a row."""
        match self.protocol.mode:
            case "cv":
                times: npt.NDArray[Any] = rows % self.protocol.k != self.number
            case "split":
                times = rows % self.protocol.k == self.number
            case "bootstrap":
                times = _poisson(uniform(rows, self.protocol.seed * self.protocol.k + self.number))
        return times.astype(np.float64)

    def scored(self, weight: Floats) -> Mask:
        """Is it scored on a row of this weight?"""
        return np.asarray((weight == 0) | (self.protocol.compat == "moa"))


def _poisson(share: Floats) -> Longs:
    """The Poisson(1) variate whose distribution function reaches this share."""
    probability = np.exp(-1.0) / np.cumprod([1, *range(1, 20)])
    return np.searchsorted(np.cumsum(probability), share, side="right")
