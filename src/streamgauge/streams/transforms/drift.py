"""Concept drift: streams spliced abruptly or gradually, with the true positions kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer, check_seed
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block, Drift, Floats, Longs
from streamgauge.streams.base import Stream, check_streams, join, recut, same_columns

_CHUNK = 8192


def drift(
    concepts: Sequence[Stream],
    at: Sequence[int],
    width: int | Sequence[int] = 0,
    n: int | None = None,
    seed: int = 0,
) -> Stream:
    """Concept after concept: from the j-th to the next around row at[j].

    With a width w row t comes from the new concept with probability 1 / (1 + exp(-4 (t - at) / w)),
    as in MOA and River; 0 switches at that very row. A concept gives its rows in order, each once.
    `n` rows in all; by default as many as the concepts have. `stream.drifts` has the positions.
    Arrival and reveal times are dropped: they belonged to the concepts.
    """
    if isinstance(concepts, Stream):
        raise UsageError("drift: one stream; expected a list: drift([one, other], at=[...])")
    if not isinstance(at, Sequence | np.ndarray):
        raise UsageError(f"drift: at={at!r}; expected a list: at=[{at!r}]")
    check_streams("drift", *concepts)
    check_seed("drift", seed)
    widths = list(width) if isinstance(width, Sequence | np.ndarray) else [width] * len(at)
    return _Spliced(list(concepts), list(at), widths, n, seed)


class _Spliced(Stream):
    rows: int

    def __init__(
        self, concepts: list[Stream], at: list[int], widths: list[int], n: int | None, seed: int
    ) -> None:
        self._concepts, self._seed = concepts, seed
        if len(concepts) < 2 or len(at) != len(concepts) - 1 or len(widths) != len(at):
            raise UsageError(
                f"drift: {len(concepts)} concepts, {len(at)} positions, {len(widths)} widths; "
                "expected two concepts or more, a position between each two, and a width or one "
                "for each position"
            )
        for what, numbers in (("at", at), ("width", widths)):
            for number in numbers:
                check_integer(f"drift: {what}", number)
        check_integer("drift: n", 1 if n is None else n)
        at, widths = [int(p) for p in at], [int(w) for w in widths]
        if min(widths) < 0:
            raise UsageError(f"drift: width={min(widths)}; expected 0 rows or more")
        if list(at) != sorted(set(at)) or at[0] < 1:
            raise UsageError(f"drift: at={at}; expected rising row numbers from 1 on")
        for concept in concepts[1:]:
            same_columns(concepts[0], concept, "drift")
        self.schema = concepts[0].schema.untimed()
        self.drifts = tuple(Drift(p, w) for p, w in zip(at, widths, strict=True))
        self.rows = self._length(n)
        if at[-1] >= self.rows:
            raise UsageError(
                f"drift: at={at[-1]} lies outside the stream of {self.rows:,} rows; expected a "
                "position inside it"
            )
        names = ", ".join(concept.name for concept in concepts)
        self.name = f"drift([{names}], at={at}, width={widths}, n={self.rows}, seed={seed})"
        self.name = self.name.replace(f"width={[0] * len(at)}, ", "")

    def fingerprint(self) -> str:
        return f"{self.name} {[concept.fingerprint() for concept in self._concepts]}"

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks(), size)

    def _chunks(self) -> Iterator[Block]:
        sources = [_Source(concept) for concept in self._concepts]
        for start in range(0, self.rows, _CHUNK):
            rows = np.arange(start, min(start + _CHUNK, self.rows))
            chosen = self._chosen(rows)
            X = np.empty((len(rows), len(self.schema.features)))
            y = np.empty(len(rows), np.float64 if self.schema.regression else np.int32)
            for j, source in enumerate(sources):
                places = np.flatnonzero(chosen == j)
                if len(places):
                    part = source.read(len(places))
                    X[places], y[places] = part.X, part.y
            yield Block(start, X, y)

    def _chosen(self, rows: Longs) -> Longs:
        """Which concept each row comes from: the newest whose lot falls, else the one before."""
        chosen = np.zeros(len(rows), np.int64)
        for j, change in enumerate(self.drifts):
            new = uniform(rows, self._seed * len(self.drifts) + j) < _share(rows, change)
            chosen[new] = j + 1
        return chosen

    def _length(self, n: int | None) -> int:
        """How many rows there can be before a concept has none left."""
        if n is None and any(concept.rows is None for concept in self._concepts):
            raise UsageError("drift: a concept does not say how many rows it has; give n=...")
        if n is not None and n < 1:
            raise UsageError(f"drift: n={n}; a stream has at least one row")
        taken = np.zeros(len(self._concepts), np.int64)
        start = 0
        while n is None or start < n:
            rows = np.arange(start, start + _CHUNK if n is None else min(start + _CHUNK, n))
            chosen = self._chosen(rows)
            ends = []  # the first row for which a concept has none left
            for j, concept in enumerate(self._concepts):
                if concept.rows is not None:
                    over = taken[j] + np.cumsum(chosen == j) > concept.rows
                    ends += [(start + int(np.argmax(over)), j)] if over[-1] else []
            if ends and n is None:
                return min(ends)[0]
            if ends:
                end, j = min(ends)
                concept = self._concepts[j]
                raise UsageError(
                    f"drift: concept {j} ({concept.name}) has {concept.rows:,} rows, which last "
                    f"until row {end:,} of {n:,}; expected more of them or a smaller n"
                )
            taken += np.bincount(chosen, minlength=len(taken))
            start += len(rows)
        return start


def _share(rows: Longs, change: Drift) -> Floats:
    """How likely a row is of the new concept."""
    if not change.width:
        return (rows >= change.position).astype(np.float64)
    # Far from the position it is 0 or 1 to the last digit.
    slope = np.clip(4.0 * (rows - change.position) / change.width, -700, 700)
    return np.asarray(1 / (1 + np.exp(-slope)))


class _Source:
    """A concept's rows in order, as many at a time as are asked for."""

    def __init__(self, concept: Stream) -> None:
        self._name = concept.name
        self._blocks = concept.blocks(_CHUNK)
        self._held: list[Block] = []

    def read(self, count: int) -> Block:
        while sum(map(len, self._held)) < count:
            block = next(self._blocks, None)
            if block is None:
                raise InputError(f"drift: {self._name} has fewer rows than it said")
            self._held.append(block)
        whole = join(self._held)
        self._held = [whole.cut(count, len(whole))]
        return whole.cut(0, count)
