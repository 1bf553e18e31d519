"""The stream interface, and its views: take, skip, select, map."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from types import MappingProxyType
from typing import Literal

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import Block, Drift, Floats, Schema, Targets, Updates
from streamgauge.streams.blocks import check_codes, recut
from streamgauge.streams.columns import check_columns
from streamgauge.streams.origin import MEMORY, Origin
from streamgauge.streams.summary import StreamSummary

DEFAULT_SEED = 1  # of a run
_SEED_STEP = 1_000_000  # between the seeds of several generators in one stream
Transform = Callable[[Floats, Targets], tuple[Floats, Targets]]


class Stream(ABC):
    """A data stream: rows in order, read in blocks.

    A subclass sets `name`, `schema` and `rows` (None if unknown) and implements `blocks`.

    Attributes
    ----------
    name
        Shown in reports and error messages.
    schema
        Features, their nominal values, and classes.
    rows
        Number of rows, or None if unknown.
    skipped
        Number of source lines left out, by reason.
    drifts
        Known positions of true concept drift.
    ties
        What comes first if a row arrives when a label is revealed, unless the label policy says.
    origin
        What it is made from, as a value.
    leaks
        Features known to give the label away, and how.
    last_event
        The time of the last line of the log, where rows and labels are not all of it; or None.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.SEA(1000, seed=1).skip(100).take(500).select(["x1", "x2"])
    >>> stream.rows, stream.schema.features
    (500, ('x1', 'x2'))
    >>> sum(len(block) for block in stream.blocks(128))
    500
    """

    name: str
    schema: Schema
    rows: int | None
    skipped: Mapping[str, int] = MappingProxyType({})
    drifts: tuple[Drift, ...] = ()
    ties: Literal["arrivals_first", "labels_first"] = "arrivals_first"
    leaks: Mapping[str, str] = MappingProxyType({})
    last_event: int | None = None

    _origin: Origin | None = None

    @property
    def origin(self) -> Origin:
        """What the stream is made from; by default rows that only this process has."""
        return self._origin or Origin(MEMORY, {"name": self.name})

    @abstractmethod
    def blocks(self, size: int) -> Iterator[Block]:
        """Start a new pass over the rows, in blocks of `size` (the last may be shorter).

        Every block has arrays of its own, which the next one does not change.
        """

    def take(self, n: int) -> Stream:
        """Return the first n rows as a stream."""
        return _Taken(self, n)

    def skip(self, n: int) -> Stream:
        """Return all rows but the first n as a stream; row numbers start at 0 again."""
        return _Skipped(self, n)

    def select(self, features: Sequence[str]) -> Stream:
        """Return a stream with only these features, in this order."""
        return _Selected(self, features)

    def map(self, transform: Transform, schema: Schema | None = None) -> Stream:
        """Return a stream with `transform(X, y)` applied to every block.

        Parameters
        ----------
        transform
            Takes and returns the features (rows × features) and labels of a block. Each row must
            depend on that row alone: blocks are cut anywhere.
        schema
            The new schema; required if `transform` changes features or classes.
        """
        return _Mapped(self, transform, schema)

    def seeded(self, seed: int) -> Stream:
        """Return the stream with seeds for the generators and shuffles in it that have none.

        They get `seed`, `seed` plus a million, and so on. Read without this, they have the seeds
        of `seeded(1)`.
        """
        return self._with_seeds(count(seed, _SEED_STEP))

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        """The stream with the next of these seeds wherever one is missing."""
        return self

    def fingerprint(self) -> str:
        """Return a hash of the schema and all rows; it does not depend on the source."""
        digest = hashlib.sha256(repr(self.schema).encode())
        for block in self.blocks(8192):
            for column in (block.X, block.y, block.arrives, block.revealed, *(block.updates or ())):
                if column is not None:
                    digest.update(column.tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<stream {self.describe()}>"

    def describe(self) -> str:
        """Return name, rows, features and classes in one line."""
        return self.summary().describe()

    def summary(self) -> StreamSummary:
        """Return the stream without its rows."""
        schema = self.schema
        return StreamSummary(
            self.name, self.rows, len(schema.features), schema.classes, tuple(self.drifts),
            self.origin,
        )  # fmt: skip


class View(Stream):
    """A stream made from another one."""

    _source: Stream

    @abstractmethod
    def _again(self, source: Stream) -> Stream:
        """The same view of another stream."""

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        source = self._source._with_seeds(seeds)
        return self if source is self._source else self._again(source)


class _Taken(View):
    def __init__(self, source: Stream, n: int) -> None:
        check_integer("take", n)
        if n < 1:
            raise UsageError(f"take({n}): expected at least 1 row")
        self._source, self._n, self.ties = source, int(n), source.ties
        self.leaks = source.leaks
        self._origin = Origin("take", {"n": int(n)}, (source.origin,))
        self.name = source.name if (source.rows or n + 1) <= n else f"{source.name}[:{n}]"
        self.schema, self.skipped = source.schema, source.skipped
        self.drifts = tuple(d for d in source.drifts if d.position < n)
        self.rows = n if source.rows is None else min(n, source.rows)

    def _again(self, source: Stream) -> Stream:
        return source.take(self._n)

    def blocks(self, size: int) -> Iterator[Block]:
        for block in self._source.blocks(size):
            left = self._n - block.start
            if left <= 0:
                return
            yield block if len(block) <= left else block.cut(0, left)


class _Skipped(View):
    def __init__(self, source: Stream, n: int) -> None:
        check_integer("skip", n)
        if n < 0 or (source.rows is not None and n >= source.rows):
            most = "" if source.rows is None else f" and less than the stream's {source.rows:,}"
            raise UsageError(f"skip({n}): expected a row count of 0 or more{most}")
        self._source, self._n, self.ties = source, int(n), source.ties
        self.leaks = source.leaks
        self._origin = Origin("skip", {"n": int(n)}, (source.origin,))
        self.name = f"{source.name}[{n}:]"
        self.schema, self.skipped = source.schema, source.skipped
        self.rows = None if source.rows is None else source.rows - n
        self.drifts = tuple(Drift(d.position - n, d.width) for d in source.drifts if d.position > n)

    def _again(self, source: Stream) -> Stream:
        return source.skip(self._n)

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._rest(), size)

    def _rest(self) -> Iterator[Block]:
        for block in self._source.blocks(1 << 13):
            first = max(0, self._n - block.start)
            if first < len(block):
                rest = block.cut(first, len(block))
                updates = rest.updates
                if updates is not None:  # rows that were skipped have no updates either
                    kept = updates.rows >= self._n
                    rows, times, after, X = updates
                    updates = Updates(
                        rows[kept] - self._n, times[kept], after[kept] - self._n, X[kept]
                    )
                yield replace(rest, start=rest.start - self._n, updates=updates)


class _Selected(View):
    def __init__(self, source: Stream, features: Sequence[str]) -> None:
        if isinstance(features, str) or not isinstance(features, Iterable):
            raise UsageError(
                f"select({features!r}): expected a list of feature names: select([{features!r}])"
            )
        features = list(features)
        if len(set(features)) < len(features):
            raise UsageError(f"select({features}): a feature appears more than once")
        names = source.schema.features
        check_columns(features, names, source.name)
        self._source, self.ties, self.leaks = source, source.ties, source.leaks
        self._origin = Origin("select", {"features": features}, (source.origin,))
        self._columns = [names.index(name) for name in features]
        values = tuple(source.schema.values[j] for j in self._columns)
        self.schema = replace(source.schema, features=tuple(features), values=values)
        self.name = f"{source.name}.select({features})"
        self.rows, self.drifts, self.skipped = source.rows, source.drifts, source.skipped

    def _again(self, source: Stream) -> Stream:
        return source.select(self.schema.features)

    def blocks(self, size: int) -> Iterator[Block]:
        for block in self._source.blocks(size):
            updates = block.updates
            if updates is not None:
                updates = updates._replace(X=np.ascontiguousarray(updates.X[:, self._columns]))
            X = np.ascontiguousarray(block.X[:, self._columns])
            yield replace(block, X=X, updates=updates)


class _Mapped(View):
    def __init__(self, source: Stream, transform: Transform, schema: Schema | None) -> None:
        if not callable(transform):
            raise UsageError(f"map({transform!r}): expected a function of X and y")
        self._source, self._transform, self.ties = source, transform, source.ties
        self.schema = schema or source.schema
        function = str(getattr(transform, "__name__", type(transform).__name__))
        self.name = f"{source.name}.map({function})"
        self._origin = Origin("map", {"transform": function}, (source.origin,))
        self.rows, self.drifts, self.skipped = source.rows, source.drifts, source.skipped

    def _again(self, source: Stream) -> Stream:
        return source.map(self._transform, self.schema)

    def blocks(self, size: int) -> Iterator[Block]:
        kind = np.float64 if self.schema.regression else np.int32
        for block in self._source.blocks(size):
            if block.updates is not None:
                raise UsageError("map: a stream of evolving instances cannot be mapped")
            # Copies: the function may change its arguments in place.
            result = self._transform(block.X.copy(), block.y.copy())
            if not isinstance(result, tuple) or len(result) != 2:
                raise InputError(
                    f"{self.name}: the function returned {type(result).__name__}; expected a "
                    "tuple (X, y)"
                )
            X, labels = np.ascontiguousarray(result[0], np.float64), np.asarray(result[1])
            y = np.ascontiguousarray(labels, kind)
            if X.shape != (len(block), len(self.schema.features)) or y.shape != (len(block),):
                raise InputError(
                    f"{self.name}: the function returned X of shape {X.shape} and y of shape "
                    f"{y.shape}; expected ({len(block)}, {len(self.schema.features)}) and "
                    f"({len(block)},): if it changes the features, declare them: "
                    "map(transform, schema=...)"
                )
            if not (self.schema.regression or np.array_equal(y, labels)):
                raise InputError(
                    f"{self.name}: the function returned labels that are not integers; expected "
                    "class codes"
                )
            mapped = replace(block, X=X, y=y)
            check_codes(mapped, self.schema, self.name)
            yield mapped


def default_seeds(sources: Sequence[Stream], seed: int | None) -> tuple[list[Stream], int]:
    """The streams, and the seed of what is made from them, as in a run without a seed."""
    seeds = count(DEFAULT_SEED, _SEED_STEP)
    bound = [each._with_seeds(seeds) for each in sources]
    return bound, next(seeds) if seed is None else seed


def check_streams(caller: str, *streams: object) -> None:
    """Raise an error for an argument that is not a stream, and say how to make one."""
    for stream in streams:
        if not isinstance(stream, Stream):
            raise expected_stream(stream, f"{caller}: ")


def expected_stream(thing: object, prefix: str = "") -> UsageError:
    """The error for an object that is not a stream; it says how to make one."""
    if isinstance(thing, type):
        hint = f"got the class {thing.__name__}; expected an object: {thing.__name__}(...)"
    elif isinstance(thing, str) and thing.endswith(")"):
        hint = f"got the text {thing!r}; write it without quotes: {thing}"
    elif isinstance(thing, str):
        hint = f"got {thing!r}; load it first: load({thing!r}), or read(...) for a file"
    elif hasattr(thing, "columns"):
        hint = f"got {type(thing).__name__}; wrap it: from_frame(df, target=...)"
    else:
        hint = (
            f"got {type(thing).__name__}; make one with load, read, from_frame, from_arrays or "
            "from_rows"
        )
    return UsageError(f"{prefix}expected a stream, {hint}")


def check_same_columns(one: Stream, other: Stream, caller: str) -> None:
    """Raise an error unless both streams have the same features, nominal values and classes."""
    for field in ("features", "values", "classes"):
        expected, found = getattr(one.schema, field), getattr(other.schema, field)
        if expected != found:
            shown = "nominal values" if field == "values" else field
            raise UsageError(
                f"{caller}: {other.name} has different {shown} from {one.name}: {found}; "
                f"expected {expected}"
            )
