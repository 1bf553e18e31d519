"""Evaluation protocols: which rows are learned and scored, by how many models (semantics §2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from streamgauge._support.argument_types import check_fields
from streamgauge._support.errors import UsageError, check_integer, check_seed
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block, Floats, Longs, Mask
from streamgauge.streams.base import Stream, check_same_columns

_MOST_MODELS = 1000  # each is a learner of its own
_STREAM = 3  # sets the draws apart from other random numbers with the same seed


class RowRoles(Protocol):
    """Decides by row number what each row is used for: one flag per row, or True for all."""

    def learned(self, rows: Longs) -> Mask | bool: ...

    def scored(self, rows: Longs) -> Mask | bool: ...

    @property
    def held_out(self) -> int:
        """How many of the first rows form a test set that is never learned."""
        ...

    @property
    def test_every(self) -> int:
        """The test set is predicted after every `test_every` learned labels."""
        ...

    def test_set(self, stream: Stream) -> Block | None:
        """A test set that is not part of the stream."""
        ...


@dataclass(frozen=True)
class Prequential:
    """Test-then-train: every row is predicted, then learned; the first `warmup` are not scored."""

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
    """Holdout evaluation: test on rows that are never learned, after every `every` learned rows.

    By default each point of the curve is one test: `Window(size)`, every `size` scored rows.

    Parameters
    ----------
    every
        Learned rows between two tests.
    size
        Rows per test.
    test
        "interleaved" tests on the next `size` rows of the stream. "first" tests on the first `size`
        rows, the same ones each time (gama2013, MOA). A stream: tests on the first `size` rows of
        that stream, the same ones each time.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> holdout = sg.Holdout(every=800, size=200)
    >>> run = sg.evaluate(sg.SEA(5000, seed=1), sg.NaiveBayes(), protocol=holdout)
    >>> run.counts.scored, len(run.curve)  # five tests of 200 rows
    (1000, 5)
    """

    every: int
    size: int
    test: Literal["interleaved", "first"] | Stream = "interleaved"

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("every", "size"):
            check_integer(f"Holdout({name})", getattr(self, name))
            if getattr(self, name) < 1:
                raise UsageError(f"{self}: expected {name} >= 1")
        if not isinstance(self.test, Stream) and str(self.test) not in ("interleaved", "first"):
            raise UsageError(f"{self}: expected test='interleaved', test='first' or a stream")

    def __repr__(self) -> str:
        test = self.test.name if isinstance(self.test, Stream) else self.test
        return f"Holdout(every={self.every}, size={self.size}, test={test!r})"

    @property
    def reuses_rows(self) -> bool:
        """Whether one test set is predicted again and again, without a wait for its labels."""
        return self.test != "interleaved"

    @property
    def held_out(self) -> int:
        """How many of the first rows form a test set that is never learned."""
        return self.size if self.test == "first" else 0

    @property
    def test_every(self) -> int:
        """The test set is predicted after every `test_every` learned labels."""
        return self.every

    def learned(self, rows: Longs) -> Mask | bool:
        """Which of these rows are learned."""
        if self.reuses_rows:
            return True
        return np.asarray(rows % (self.every + self.size) < self.every)

    def scored(self, rows: Longs) -> Mask | bool:
        """Which of these rows are scored."""
        return not self.reuses_rows and np.logical_not(self.learned(rows))

    def test_set(self, stream: Stream) -> Block | None:
        """A test set that is not part of the stream."""
        if not isinstance(self.test, Stream):
            return None
        check_same_columns(stream, self.test, "Holdout")
        block = next(self.test.blocks(self.size))
        if len(block) < self.size:
            raise UsageError(
                f"{self}: {self.test.name} has only {len(block):,} rows; expected at least "
                f"{self.size:,}"
            )
        return block

    def check(self, rows: int | None) -> None:
        """Raise an error for a stream that ends before the first test."""
        needed = self.every + self.held_out + (not self.reuses_rows)
        if rows is not None and rows < needed:
            raise UsageError(
                f"{self}: the stream has {rows:,} rows and ends before the first test; expected at "
                f"least {needed:,} rows, or a smaller every or size"
            )


@dataclass(frozen=True, repr=False)
class PrequentialCV:
    """Prequential cross-validation: k models in one pass, each scored on rows it does not learn.

    Row i belongs to fold i mod k.

    Parameters
    ----------
    k
        Number of models, 2 or more.
    mode
        "cv": a row is learned by all models except its fold's. "split": by its fold's model only.
        "bootstrap": by each model with a Poisson(1) weight, which may be 0.
    compat
        "moa" scores each model on all rows, even those it learns, as MOA does.
    seed
        Random seed of the bootstrap weights; by default the run's.

    References
    ----------
    bifet2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.SEA(2000, seed=1)
    >>> folds = sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.PrequentialCV(5))
    >>> [run.counts.scored for run in folds]
    [400, 400, 400, 400, 400]
    """

    k: int = 10
    mode: Literal["cv", "split", "bootstrap"] = "cv"
    compat: Literal["moa"] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        check_integer("PrequentialCV(k)", self.k)
        if not 2 <= self.k <= _MOST_MODELS:
            raise UsageError(
                f"{self}: expected k >= 2, at least two models, up to {_MOST_MODELS:,}"
            )
        if self.mode not in ("cv", "split", "bootstrap"):
            raise UsageError(f"{self}: expected mode='cv', mode='split' or mode='bootstrap'")
        if self.compat not in (None, "moa"):
            raise UsageError(f"{self}: expected compat=None or compat='moa'")
        if self.seed is not None:
            check_seed("PrequentialCV", self.seed)

    def __repr__(self) -> str:
        more = f", compat={self.compat!r}" if self.compat else ""
        more += "" if self.seed is None else f", seed={self.seed}"
        return f"PrequentialCV({self.k}, {self.mode!r}{more})"

    def with_seed(self, seed: int) -> PrequentialCV:
        """The same protocol with this seed, if it draws random numbers and has no seed."""
        draws = self.mode == "bootstrap" and self.seed is None
        return replace(self, seed=seed) if draws else self

    def models(self) -> Iterator[FoldModel]:
        """The k models, each with its own share of the rows to learn."""
        return (FoldModel(self, number) for number in range(self.k))


@dataclass(frozen=True)
class FoldModel:
    """One model of a cross-validation: what it learns and what it is scored on."""

    protocol: PrequentialCV
    number: int

    def with_seed(self, seed: int) -> FoldModel:
        """The same model of a protocol with this seed, unless that has its own."""
        return replace(self, protocol=self.protocol.with_seed(seed))

    def weight(self, rows: Longs) -> Floats:
        """The weight with which it learns each row."""
        match self.protocol.mode:
            case "cv":
                weight: npt.NDArray[Any] = rows % self.protocol.k != self.number
            case "split":
                weight = rows % self.protocol.k == self.number
            case "bootstrap":
                draws = uniform(rows, self.protocol.seed or 0, self.number, _STREAM)
                weight = _poisson(draws)
        return weight.astype(np.float64)

    def scored(self, weight: Floats) -> Mask:
        """Whether it is scored on rows that it learns with these weights."""
        return np.asarray((weight == 0) | (self.protocol.compat == "moa"))


def _poisson(quantile: Floats) -> Longs:
    """The Poisson(1) quantile function."""
    probability = np.exp(-1.0) / np.cumprod([1, *range(1, 20)])
    return np.searchsorted(np.cumsum(probability), quantile, side="right")
