"""What a stream is: a schema and a fresh pass of blocks each time it is asked."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import Block, Drift, Floats, Schema, Targets, Updates


class Stream(ABC):
    """Rows in order. Give `name`, `schema`, `rows` (None if unknown) and `blocks`."""

    name: str
    schema: Schema
    rows: int | None
    skipped: Mapping[str, int] = MappingProxyType({})  # lines of the source left out, by reason
    drifts: tuple[Drift, ...] = ()  # where the concept truly changes, if that is known

    @abstractmethod
    def blocks(self, size: int) -> Iterator[Block]:
        """A fresh pass, in blocks of `size` rows (the last may be shorter)."""

    def take(self, n: int) -> Stream:
        """The first n rows."""
        return _Taken(self, n)

    def skip(self, n: int) -> Stream:
        """All but the first n rows."""
        from streamgauge.streams.transforms.views import Skipped

        return Skipped(self, n)

    def select(self, features: Sequence[str]) -> Stream:
        """Some of the features, in this order."""
        from streamgauge.streams.transforms.views import Selected

        return Selected(self, features)

    def map(
        self,
        change: Callable[[Floats, Targets], tuple[Floats, Targets]],
        schema: Schema | None = None,
    ) -> Stream:
        """`change(X, y)` of every block, row by row; `schema` if columns or classes change."""
        from streamgauge.streams.transforms.views import Mapped

        return Mapped(self, change, schema)

    def fingerprint(self) -> str:
        """A hash of all rows, whatever they came from."""
        digest = hashlib.sha256(repr(self.schema).encode())
        for block in self.blocks(8192):
            for column in (block.X, block.y, block.arrives, block.revealed, *(block.updates or ())):
                if column is not None:
                    digest.update(column.tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<stream {self.describe()}>"

    def describe(self) -> str:
        """Name, rows, features and classes in one line."""
        rows = "unknown rows" if self.rows is None else plural(self.rows, "row")
        kind = "regression" if self.schema.regression else plural(len(self.schema.classes), "class")
        return f"{self.name} · {rows} · {plural(len(self.schema.features), 'feature')} · {kind}"


def at_row(row: int) -> str:
    """A row as errors name it, where it has no other place."""
    return f"row {row:,}"


def plural(count: int, noun: str) -> str:
    """1 row, 2 rows, 3 classes, 4 batches."""
    ending = "" if count == 1 else "es" if noun.endswith(("s", "ch")) else "s"
    return f"{count:,} {noun}{ending}"


class _Taken(Stream):
    def __init__(self, source: Stream, n: int) -> None:
        check_integer("take", n)
        if n < 1:
            raise UsageError(f"take({n}): take at least one row")
        self._source, self._n = source, int(n)
        self.name = source.name if (source.rows or n + 1) <= n else f"{source.name}[:{n}]"
        self.schema, self.skipped = source.schema, source.skipped
        self.drifts = tuple(d for d in source.drifts if d.position < n)
        self.rows = n if source.rows is None else min(n, source.rows)

    def blocks(self, size: int) -> Iterator[Block]:
        for block in self._source.blocks(size):
            left = self._n - block.start
            if left <= 0:
                return
            yield block if len(block) <= left else block.cut(0, left)


def recut(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """Blocks of any lengths as blocks of `size` rows; no row is copied but at the seams."""
    held: list[Block] = []
    count = 0
    try:
        for block in blocks:
            taken = 0
            while taken < len(block):
                part = block.cut(taken, min(len(block), taken + size - count))
                taken += len(part)
                count += len(part)
                held.append(part)
                if count == size:
                    yield join(held)
                    held, count = [], 0
    except InputError:  # what came before the wrong row is fine
        if held:
            yield join(held)
        raise
    if held:
        yield join(held)


def same_columns(one: Stream, other: Stream, what: str) -> None:
    """Streams that are to be one have the same features and classes."""
    for field in ("features", "values", "classes"):
        ours, theirs = getattr(one.schema, field), getattr(other.schema, field)
        if ours != theirs:
            raise UsageError(
                f"{what}: {other.name} has other {field} than {one.name}: {theirs}; expected {ours}"
            )


def check_streams(what: str, *streams: object) -> None:
    """Streams where streams are expected, not their names."""
    for stream in streams:
        if not isinstance(stream, Stream):
            raise UsageError(f"{what}: {stream!r} is no stream; expected one, e.g. load('elec2')")


def check_codes(block: Block, stream: Stream) -> None:
    """Labels become indices, where nobody looks any more."""
    k = len(stream.schema.classes)
    if not k or not len(block) or (block.y.min() >= -1 and block.y.max() < k):
        return
    row = int(((block.y < -1) | (block.y >= k)).argmax())
    raise InputError(
        f"{stream.name}: row {block.start + row:,} has class code {block.y[row]}; expected 0 to "
        f"{k - 1}, or -1 if its label is never known",
        row=block.start + row,
    )


def join(parts: list[Block]) -> Block:
    """Blocks that follow each other as one."""
    if len(parts) == 1:
        return parts[0]
    import numpy as np

    def joined(field: str) -> Any:
        columns = [getattr(part, field) for part in parts]
        return None if columns[0] is None else np.concatenate(columns)

    news = [part.updates for part in parts if part.updates is not None]
    return Block(
        parts[0].start,
        joined("X"),
        joined("y"),
        joined("arrives"),
        joined("revealed"),
        Updates(*map(np.concatenate, zip(*news, strict=True))) if news else None,
    )
