"""The base of generators: rows are made in fixed chunks, each with its own random source."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.java_random import MOST_SEED
from streamgauge._support.parameters import Parametrized
from streamgauge._support.registry import find, names
from streamgauge._support.types import Block, Codes, Floats, Schema
from streamgauge.rendering.plain_values import plain
from streamgauge.streams.base import DEFAULT_SEED, Stream
from streamgauge.streams.blocks import recut
from streamgauge.streams.generators._checks import check_compat, check_count
from streamgauge.streams.origin import Origin

Random = np.random.Generator
Rows = tuple[Floats, Codes]  # features and labels
Fill = Callable[[Floats, Codes], object]  # writes the next rows into features and labels

_CHUNK = 8192  # even, so that alternating classes still alternate across chunks


class Generator(Parametrized, Stream):
    """A stream of n synthetic rows.

    Subclasses define `run`, or derive from Memoryless and define `make`. They store their
    parameters in attributes before they call this constructor. Those with a parameter `compat`
    also define `start_moa`. Their parameter `seed` is None by default: then a run draws the rows
    from its own seed.
    """

    rows: int
    compat: str | None = None
    compats: tuple[str, ...] = ("moa",)  # what `compat` may be

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        default = signature(cls).parameters.get("seed")
        if default is not None and isinstance(default.default, int):
            raise UsageError(
                f"{cls.__name__}: the default of seed is {default.default}, so every run would "
                "have the same rows; expected None, which stands for the seed of the run"
            )

    def __init__(self, n: int, seed: int | None, schema: Schema) -> None:
        where = type(self).__name__
        check_integer(where, n)
        if n < 1:
            raise UsageError(f"{where}({n}): expected at least one row")
        self.n, self.seed, self.rows, self.schema = n, seed, n, schema
        check_compat(where, self.compat, self.compats)
        for name, value in self.get_params().items():
            if (name == "seed" and value is not None) or name.startswith("seed_"):
                check_count(where, name, value, 0, MOST_SEED if self.compat else None)
        defaults = self._defaults()
        others = [
            f", {name}={value!r}" if isinstance(value, str) else f", {name}={value}"
            for name, value in self.get_params().items()
            if name not in ("n", "seed") and value != defaults[name]
        ]
        drawn = "" if seed is None else f", seed={seed}"
        self.name = f"{where}({n}{drawn}{''.join(others)})"

    @property
    def drawn_seed(self) -> int:
        """The seed that rows are drawn from: its own, or that of a run by default."""
        return DEFAULT_SEED if self.seed is None else self.seed

    @property
    def origin(self) -> Origin:
        """The generator and its parameters; one that is not registered is only in this process."""
        name, defaults = type(self).__name__, self._defaults()
        if name not in names("generator") or find(name, "generator") is not type(self):
            return super().origin
        given = {key: each for key, each in self.get_params().items() if each != defaults[key]}
        return Origin(name, plain(given))

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        if self.seed is not None:
            return self
        return type(self)(**{**self.get_params(), "seed": next(seeds)})

    @abstractmethod
    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        """Yield n rows from each random source, in one pass. The pass keeps its own state."""

    def start_moa(self) -> Fill:
        """Start a pass over the rows of MOA's generator."""
        raise NotImplementedError

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks() if self.compat is None else self._moa_chunks(), size)

    def fingerprint(self) -> str:
        if not type(self).__module__.startswith("streamgauge."):
            return super().fingerprint()  # the code of others may change
        return self.seeded(DEFAULT_SEED).name

    def _chunks(self) -> Iterator[Block]:
        starts = range(0, self.rows, _CHUNK)
        sources = (random_source(self.drawn_seed, start) for start in starts)
        for start, (X, y) in zip(starts, self.run(sources, _CHUNK), strict=True):
            left = self.rows - start
            yield Block(start, X[:left], y[:left])

    def _moa_chunks(self) -> Iterator[Block]:
        fill = self.start_moa()
        for start in range(0, self.rows, _CHUNK):
            size = min(_CHUNK, self.rows - start)
            X, y = np.empty((size, len(self.schema.features))), np.empty(size, np.int32)
            fill(X, y)
            yield Block(start, X, y)


class Memoryless(Generator):
    """A generator whose rows do not depend on earlier rows."""

    @abstractmethod
    def make(self, random: Random, n: int) -> Rows:
        """Draw the features and labels of n rows."""

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        return (self.make(random, n) for random in sources)


def random_source(seed: int, *key: int) -> Random:
    """A random source per seed and key: a chunk's key is its first row, a model has none."""
    return Random(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def numbered(name: str, count: int) -> tuple[str, ...]:
    """name1, name2, …"""
    return tuple(f"{name}{i + 1}" for i in range(count))
