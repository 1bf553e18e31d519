"""What generators share: rows are made in fixed chunks, each with a random source of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from streamgauge.errors import UsageError
from streamgauge.streams.base import Stream, recut
from streamgauge.types import Block, Codes, Floats, Schema

_CHUNK = 8192


class Generator(Stream):
    """A stream of n made-up rows. A generator gives `make` and says its parameters in its repr."""

    rows: int

    def __init__(self, n: int, seed: int, schema: Schema, parameters: str) -> None:
        if n < 1:
            raise UsageError(f"{type(self).__name__}({n}): a stream has at least one row")
        self.rows, self._seed, self.schema = n, seed, schema
        self.name = f"{type(self).__name__}({n}, seed={seed}{parameters})"

    @abstractmethod
    def make(self, random: np.random.Generator, n: int) -> tuple[Floats, Codes]:
        """n rows, features and labels."""

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks(), size)

    def fingerprint(self) -> str:
        return self.name

    def _chunks(self) -> Iterator[Block]:
        for start in range(0, self.rows, _CHUNK):
            random = np.random.Generator(
                np.random.SFC64(np.random.SeedSequence(self._seed, spawn_key=(start,)))
            )
            X, y = self.make(random, _CHUNK)
            yield Block(start, X, y).cut(0, min(_CHUNK, self.rows - start))
