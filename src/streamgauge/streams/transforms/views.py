"""A stream seen otherwise: without its first rows, with some features, or changed row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import Block, Drift, Floats, Schema, Targets, Updates
from streamgauge.streams.base import Stream, check_codes, recut
from streamgauge.streams.formats.schema_inference import check_columns

Change = Callable[[Floats, Targets], tuple[Floats, Targets]]


class Skipped(Stream):
    """All but the first n rows; row numbers begin at 0 again."""

    def __init__(self, source: Stream, n: int) -> None:
        check_integer("skip", n)
        if n < 0 or (source.rows is not None and n >= source.rows):
            raise UsageError(
                f"skip({n}): expected 0 or more, and fewer than all {source.rows} rows"
            )
        self._source, self._n = source, n
        self.name = f"{source.name}[{n}:]"
        self.schema, self.skipped = source.schema, source.skipped
        self.rows = None if source.rows is None else source.rows - n
        self.drifts = tuple(Drift(d.position - n, d.width) for d in source.drifts if d.position > n)

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._rest(), size)

    def _rest(self) -> Iterator[Block]:
        for block in self._source.blocks(1 << 13):
            first = max(0, self._n - block.start)
            if first < len(block):
                rest = block.cut(first, len(block))
                news = rest.updates
                if news is not None:  # of the rows that are left
                    ours = news.rows >= self._n
                    rows, times, after, X = news
                    news = Updates(
                        rows[ours] - self._n, times[ours], after[ours] - self._n, X[ours]
                    )
                yield replace(rest, start=rest.start - self._n, updates=news)


class Selected(Stream):
    """Some of the features, in the order asked for."""

    def __init__(self, source: Stream, features: Sequence[str]) -> None:
        if isinstance(features, str) or not isinstance(features, Iterable):
            raise UsageError(f"select({features!r}): expected a list: select([{features!r}])")
        features = list(features)
        if len(set(features)) < len(features):
            raise UsageError(f"select({features}): a name stands more than once")
        names = source.schema.features
        check_columns(features, names, source.name)
        self._source = source
        self._places = [names.index(name) for name in features]
        values = tuple(source.schema.values[j] for j in self._places)
        self.schema = replace(source.schema, features=tuple(features), values=values)
        self.name = f"{source.name}.select({features})"
        self.rows, self.drifts, self.skipped = source.rows, source.drifts, source.skipped

    def blocks(self, size: int) -> Iterator[Block]:
        for block in self._source.blocks(size):
            news = block.updates
            if news is not None:
                news = news._replace(X=np.ascontiguousarray(news.X[:, self._places]))
            yield replace(block, X=np.ascontiguousarray(block.X[:, self._places]), updates=news)


class Mapped(Stream):
    """Features and labels as a function of them, row by row."""

    def __init__(self, source: Stream, change: Change, schema: Schema | None) -> None:
        if not callable(change):
            raise UsageError(f"map({change!r}): expected a function of X and y")
        self._source, self._change = source, change
        self.schema = schema or source.schema
        self.name = f"{source.name}.map({getattr(change, '__name__', type(change).__name__)})"
        self.rows, self.drifts, self.skipped = source.rows, source.drifts, source.skipped

    def blocks(self, size: int) -> Iterator[Block]:
        kind = np.float64 if self.schema.regression else np.int32
        for block in self._source.blocks(size):
            if block.updates is not None:
                raise UsageError("map: a stream of evolving instances cannot be mapped")
            changed = self._change(block.X.copy(), block.y.copy())  # may be changed in place
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise InputError(f"{self.name}: gave {type(changed).__name__}; expected X, y")
            X, given = np.ascontiguousarray(changed[0], np.float64), np.asarray(changed[1])
            y = np.ascontiguousarray(given, kind)
            if X.shape != (len(block), len(self.schema.features)) or y.shape != (len(block),):
                raise InputError(
                    f"{self.name}: gave X of shape {X.shape} and y of {y.shape}; expected "
                    f"({len(block)}, {len(self.schema.features)}) and ({len(block)},): if features "
                    "come or go, say so: map(change, schema=...)"
                )
            if not (self.schema.regression or np.array_equal(y, given)):
                raise InputError(f"{self.name}: gave labels that are no whole numbers: class codes")
            mapped = replace(block, X=X, y=y)
            check_codes(mapped, self)
            self._check_values(mapped)
            yield mapped

    def _check_values(self, block: Block) -> None:
        """Nominal values become indices too."""
        for j, size in enumerate(self.schema.cardinality):
            codes = block.X[:, j]
            wrong = ~np.isnan(codes) & ~np.isin(codes, np.arange(size))
            if size and wrong.any():
                row = int(wrong.argmax())
                raise InputError(
                    f"{self.name}: row {block.start + row:,}: {self.schema.features[j]!r} is "
                    f"{codes[row]:g}; expected the code of a value, 0 to {size - 1}, or NaN"
                )
