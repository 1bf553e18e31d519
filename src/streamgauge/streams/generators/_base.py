"""What generators share: rows are made in fixed chunks, each with a random source of its own."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Block, Codes, Floats, Schema
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import recut
from streamgauge.streams.generators._checks import check_count

Random = np.random.Generator
Rows = tuple[Floats, Codes]  # features and labels

_CHUNK = 8192  # even: classes that take turns go on taking turns in the next chunk


class Generator(Stream):
    """A stream of n made-up rows. A generator gives `run`, or is Memoryless and gives `make`.

    It passes its parameters on by name: those that differ from their defaults are in its name.
    """

    rows: int

    def __init__(self, n: int, seed: int, schema: Schema, **parameters: object) -> None:
        where = type(self).__name__
        check_whole(where, n)
        if n < 1:
            raise UsageError(f"{where}({n}): a stream has at least one row")
        check_count(where, "seed", seed, 0)
        usual = inspect.signature(type(self)).parameters
        unusual = [f", {k}={v}" for k, v in parameters.items() if v != usual[k].default]
        self.rows, self._seed, self.schema = n, seed, schema
        self.name = f"{where}({n}, seed={seed}{''.join(unusual)})"

    @abstractmethod
    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        """One pass: n rows from each random source. What a row remembers of others is kept here."""

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks(), size)

    def fingerprint(self) -> str:
        return self.name

    def _chunks(self) -> Iterator[Block]:
        starts = range(0, self.rows, _CHUNK)
        sources = (random_source(self._seed, start) for start in starts)
        for start, (X, y) in zip(starts, self.run(sources, _CHUNK), strict=True):
            left = self.rows - start
            yield Block(start, X[:left], y[:left])


class Memoryless(Generator):
    """A generator whose rows do not depend on the rows before."""

    @abstractmethod
    def make(self, random: Random, n: int) -> Rows:
        """n rows."""

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        return (self.make(random, n) for random in sources)


def random_source(seed: int, *key: int) -> Random:
    """Independent for every seed and key: chunks have theirs by their first row, models no key."""
    return Random(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def numbered(name: str, count: int) -> tuple[str, ...]:
    """name1, name2, …"""
    return tuple(f"{name}{i + 1}" for i in range(count))
