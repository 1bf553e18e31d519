"""Splice streams into one that drifts, abruptly or gradually, and record the true positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_
from typing import Any

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer, check_seed
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block, Drift, Floats, Longs
from streamgauge.streams.base import (
    DEFAULT_SEED,
    Stream,
    check_same_columns,
    check_streams,
    default_seeds,
)
from streamgauge.streams.blocks import concatenate, recut
from streamgauge.streams.origin import Origin

_CHUNK = 8192
_SPARE = 4  # rows of a concept, beyond the width of its end, in case of an unlikely draw


def splice(
    concepts: Sequence[Stream],
    at: Sequence[int] | None = None,
    width: int | Sequence[int] = 0,
    n: int | None = None,
    seed: int | None = None,
) -> Stream:
    """Return a stream that drifts from one concept to the next.

    Each row of a concept is used at most once, in order. `stream.drifts` holds the true positions.
    Arrival and reveal times are dropped: they belong to the concepts.

    Parameters
    ----------
    concepts
        Two or more streams with the same features and classes.
    at
        The drift positions: row numbers, one fewer than concepts. By default where each concept
        ends; with a width, earlier, so that its rows suffice.
    width
        Rows over which a drift happens, one value or one per drift. With width w, row t comes from
        the new concept with probability 1 / (1 + exp(-4 (t - at) / w)), as in MOA and River; 0
        switches abruptly at row `at`.
    n
        Number of rows; by default until the last concept runs out of rows.
    seed
        Random seed; by default the run's.

    Returns
    -------
    Stream
        Rows of all concepts, `n` in all.

    Raises
    ------
    UsageError
        If the concepts differ in their features or classes, a position is outside the stream, or
        an earlier concept runs out of rows.

    References
    ----------
    bifet2009b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> first = sg.from_arrays([[0]] * 6, list("ababab"))
    >>> second = sg.from_arrays([[1]] * 6, list("bababa"))
    >>> stream = sg.splice([first, second], at=[3], n=6)
    >>> next(stream.blocks(6)).X[:, 0].tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    >>> stream.drifts
    (Drift(position=3, width=0),)
    >>> sg.splice([first, second]).drifts  # where the first concept ends
    (Drift(position=6, width=0),)
    """
    if isinstance(concepts, Stream):
        raise UsageError(
            "splice: got a single stream; expected a list of streams: "
            "splice([one, other], at=[...])"
        )
    if not isinstance(at, Sequence | np.ndarray | None):
        raise UsageError(f"splice: at={at!r}; expected a list of row numbers: at=[{at!r}]")
    check_streams("splice", *concepts)
    check_seed("splice", DEFAULT_SEED if seed is None else seed)
    count = len(concepts) - 1 if at is None else len(at)
    widths = list(width) if isinstance(width, Sequence | np.ndarray) else [width] * count
    positions = _ends(concepts, widths) if at is None else list(at)
    return _Spliced(list(concepts), positions, widths, n, seed)


def _ends(concepts: Sequence[Stream], widths: list[int]) -> list[int]:
    """Where each concept ends but the last, early enough for its rows to suffice."""
    at, end = [], 0
    for concept, width in zip(concepts[:-1], widths, strict=False):
        if concept.rows is None:
            raise UsageError(
                f"splice: {concept.name} has an unknown number of rows; expected the row of each "
                "drift: at=[...]"
            )
        check_integer("splice: width", width)
        # Of the rows around a drift of width w, the old concept has w/2 with a deviation of √w/2.
        end += concept.rows - (width + _SPARE if width else 0)
        at.append(end)
    return at


class _Spliced(Stream):
    rows: int

    def __init__(
        self,
        concepts: list[Stream],
        at: list[int],
        widths: list[int],
        n: int | None,
        seed: int | None,
    ) -> None:
        self._given = concepts, at, widths, n, seed
        self._concepts, self._seed = default_seeds(concepts, seed)
        if len(concepts) < 2 or len(at) != len(concepts) - 1 or len(widths) != len(at):
            raise UsageError(
                f"splice: got {len(concepts)} concepts, {len(at)} positions and {len(widths)} "
                "widths; expected at least two concepts, one position between each two, and one "
                "width or one per position"
            )
        for what, numbers in (("at", at), ("width", widths)):
            for number in numbers:
                check_integer(f"splice: {what}", number)
        check_integer("splice: n", 1 if n is None else n)
        at, widths = [int(p) for p in at], [int(w) for w in widths]
        if min(widths) < 0:
            raise UsageError(f"splice: width={min(widths)}; expected 0 or more rows")
        if list(at) != sorted(set(at)) or at[0] < 1:
            raise UsageError(f"splice: at={at}; expected increasing row numbers, 1 or more")
        for concept in concepts[1:]:
            check_same_columns(concepts[0], concept, "splice")
        self.schema = concepts[0].schema.untimed()
        self.drifts = tuple(Drift(p, w) for p, w in zip(at, widths, strict=True))
        self.rows = self._length(n)
        if at[-1] >= self.rows:
            raise UsageError(
                f"splice: at={at[-1]} is outside the stream of {self.rows:,} rows; expected a "
                "position inside it"
            )
        names = ", ".join(concept.name for concept in concepts)
        arguments: dict[str, Any] = {"at": at, "width": widths, "n": self.rows, "seed": seed}
        left_out = ([0] * len(at), None)  # abrupt, of the run
        arguments = {key: each for key, each in arguments.items() if each not in left_out}
        given = ", ".join(f"{key}={value}" for key, value in arguments.items())
        self.name = f"splice([{names}], {given})"
        self._origin = Origin("splice", arguments, tuple(each.origin for each in concepts))

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        concepts, at, widths, n, seed = self._given
        bound = [each._with_seeds(seeds) for each in concepts]
        if seed is not None and all(map(is_, bound, concepts)):
            return self
        return _Spliced(bound, at, widths, n, next(seeds) if seed is None else seed)

    def fingerprint(self) -> str:
        bound = self.seeded(DEFAULT_SEED)
        if bound is not self:
            return bound.fingerprint()
        return f"{self.name} {[concept.fingerprint() for concept in self._concepts]}"

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._chunks(), size)

    def _chunks(self) -> Iterator[Block]:
        sources = [_RowReader(concept) for concept in self._concepts]
        for start in range(0, self.rows, _CHUNK):
            rows = np.arange(start, min(start + _CHUNK, self.rows))
            chosen = self._concept_of(rows)
            X = np.empty((len(rows), len(self.schema.features)))
            y = np.empty(len(rows), np.float64 if self.schema.regression else np.int32)
            for j, source in enumerate(sources):
                places = np.flatnonzero(chosen == j)
                if len(places):
                    part = source.read(len(places))
                    X[places], y[places] = part.X, part.y
            yield Block(start, X, y)

    def _concept_of(self, rows: Longs) -> Longs:
        """Draw the concept of each row: the latest one whose draw succeeds, else the first."""
        chosen = np.zeros(len(rows), np.int64)
        for j, change in enumerate(self.drifts):
            new = uniform(rows, self._seed * len(self.drifts) + j) < _probability(rows, change)
            chosen[new] = j + 1
        return chosen

    def _length(self, n: int | None) -> int:
        """Return the number of rows until the last concept runs out; check that there are n."""
        if n is None and any(concept.rows is None for concept in self._concepts):
            raise UsageError("splice: a concept has an unknown number of rows; pass n=...")
        if n is not None and n < 1:
            raise UsageError(f"splice: n={n}; expected at least 1 row")
        taken = np.zeros(len(self._concepts), np.int64)
        start = 0
        while n is None or start < n:
            rows = np.arange(start, start + _CHUNK if n is None else min(start + _CHUNK, n))
            chosen = self._concept_of(rows)
            ends = []  # (first row that a concept cannot deliver, concept)
            for j, concept in enumerate(self._concepts):
                if concept.rows is not None:
                    over = taken[j] + np.cumsum(chosen == j) > concept.rows
                    ends += [(start + int(np.argmax(over)), j)] if over[-1] else []
            if ends:
                end, j = min(ends)
                if n is None and j == len(taken) - 1:
                    return end
                concept = self._concepts[j]
                of, remedy = ("", f"n={end}") if n is None else (f" of {n:,}", "a smaller n")
                raise UsageError(
                    f"splice: concept {j} ({concept.name}) has {concept.rows:,} rows and runs out "
                    f"at row {end:,}{of}; use a longer concept, an earlier drift or {remedy}"
                )
            taken += np.bincount(chosen, minlength=len(taken))
            start += len(rows)
        return start


def _probability(rows: Longs, change: Drift) -> Floats:
    """Return the probability that each row comes from the new concept."""
    if not change.width:
        return (rows >= change.position).astype(np.float64)
    # Clipped to avoid overflow: far from the position the result is exactly 0 or 1 anyway.
    slope = np.clip(4.0 * (rows - change.position) / change.width, -700, 700)
    return np.asarray(1 / (1 + np.exp(-slope)))


class _RowReader:
    """Reads a concept's rows in order, any number at a time."""

    def __init__(self, concept: Stream) -> None:
        self._name = concept.name
        self._blocks = concept.blocks(_CHUNK)
        self._buffer: list[Block] = []

    def read(self, count: int) -> Block:
        while sum(map(len, self._buffer)) < count:
            block = next(self._blocks, None)
            if block is None:
                raise InputError(f"splice: {self._name} has fewer rows than its `rows` attribute")
            self._buffer.append(block)
        whole = concatenate(self._buffer)
        self._buffer = [whole.cut(count, len(whole))]
        return whole.cut(0, count)
