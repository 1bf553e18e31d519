"""The base of generators: rows are made in fixed chunks, each with its own random source."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.java_random import MOST_SEED
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import Block, Codes, Floats, Schema
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import recut
from streamgauge.streams.generators._checks import check_compat, check_count

Random = np.random.Generator
Rows = tuple[Floats, Codes]  # features and labels
Fill = Callable[[Floats, Codes], object]  # writes the next rows into features and labels

_CHUNK = 8192  # even, so that alternating classes still alternate across chunks


class Generator(Parametrized, Stream):
    """A stream of n synthetic rows.

    Subclasses define `run`, or derive from Memoryless and define `make`. They store their
    parameters in attributes before they call this constructor. Those with a parameter `compat`
    also define `start_moa`.
    """

    rows: int
    compat: str | None = None
    compats: tuple[str, ...] = ("moa",)  # what `compat` may be

    def __init__(self, n: int, seed: int, schema: Schema) -> None:
        where = type(self).__name__
        check_integer(where, n)
        if n < 1:
            raise UsageError(f"{where}({n}): expected at least one row")
        self.n, self.seed, self.rows, self.schema = n, seed, n, schema
        check_compat(where, self.compat, self.compats)
        for name, value in self.get_params().items():
            if name.startswith("seed"):
                check_count(where, name, value, 0, MOST_SEED if self.compat else None)
        defaults = self._defaults()
        others = [
            f", {name}={value!r}" if isinstance(value, str) else f", {name}={value}"
            for name, value in self.get_params().items()
            if name not in ("n", "seed") and value != defaults[name]
        ]
        self.name = f"{where}({n}, seed={seed}{''.join(others)})"

    @abstractmethod
    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        """Yield n rows from each random source, in one pass. The pass keeps its own state."""

    def start_moa(self) -> Fill:
        """Start a pass over the rows of MOA's generator."""
        raise NotImplementedError

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks() if self.compat is None else self._moa_chunks(), size)

    def fingerprint(self) -> str:
        own = type(self).__module__.startswith("streamgauge.")
        return self.name if own else super().fingerprint()  # the code of others may change

    def _chunks(self) -> Iterator[Block]:
        starts = range(0, self.rows, _CHUNK)
        sources = (random_source(self.seed, start) for start in starts)
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
        """Make n rows."""

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        return (self.make(random, n) for random in sources)


def random_source(seed: int, *key: int) -> Random:
    """A random source per seed and key: a chunk's key is its first row, a model has none."""
    return Random(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def numbered(name: str, count: int) -> tuple[str, ...]:
    """name1, name2, …"""
    return tuple(f"{name}{i + 1}" for i in range(count))
