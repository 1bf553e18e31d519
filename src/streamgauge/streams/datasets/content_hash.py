"""What a stream holds, whatever file it came from: rows, P(M), P(T) and a hash of the table.

The hash is the same for every source of the same table. It is SHA-256 of a JSON list with an entry
per column, features in order, then target, arrivals, reveals: its name, its kind, the SHA-256 of
its cells in row order, and its names.

- number: float64, little-endian; minus zero as zero, missing as the one quiet NaN
- name (nominal features, classes): int32, little-endian, the place of the cell's name in the list
  of names in order of first appearance; -1 = missing
- time: int64, little-endian; the largest one = never
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.progress import Progress
from streamgauge._support.types import Longs, Targets
from streamgauge.streams.base import Stream
from streamgauge.streams.formats.schema_inference import key_of

_BLOCK = 1 << 14


class Contents(NamedTuple):
    """P(M) and P(T) are over the labelled rows, None for a quantity."""

    rows: int
    p_majority: float | None
    p_persistent: float | None
    sha256: str


def contents_of(stream: Stream) -> Contents:
    """One pass over the stream."""
    schema = stream.schema
    columns = [
        _Names(name, values) if values else _Numbers(name)
        for name, values in zip(schema.features, schema.values, strict=True)
    ]
    classes = [key_of(label) for label in schema.classes]
    target = _Names("target", classes) if classes else _Numbers("target")
    times = {"arrives": _Times("arrives"), "revealed": _Times("revealed")}
    labels = _Labels(len(schema.classes))
    rows = 0
    with Progress(f"checking {stream.name}", stream.rows) as progress:
        for block in stream.blocks(_BLOCK):
            for j, column in enumerate(columns):
                column.feed(block.X[:, j])
            target.feed(block.y)
            for field, time in times.items():
                time.feed(getattr(block, field))
            if not schema.regression:
                labels.feed(block.y[block.known])
            rows += len(block)
            progress.advance(rows)
    listed = [column.entry() for column in (*columns, target)]
    listed += [time.entry() for time in times.values() if time.any]
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    return Contents(rows, *labels.shares(), hashlib.sha256(text.encode()).hexdigest())


class _Column:
    kind: str

    def __init__(self, name: str) -> None:
        self.name = name
        self._digest = hashlib.sha256()

    def feed(self, cells: Any) -> None:
        raise NotImplementedError

    def entry(self) -> list[Any]:
        return [self.name, self.kind, self._digest.hexdigest()]


class _Numbers(_Column):
    kind = "number"

    def feed(self, cells: Any) -> None:
        numbers = np.asarray(cells, "<f8") + 0.0  # minus zero becomes zero
        numbers[np.isnan(numbers)] = np.nan
        self._digest.update(numbers.tobytes())


class _Names(_Column):
    kind = "name"

    def __init__(self, name: str, names: Any) -> None:
        super().__init__(name)
        self._names = names
        self._places = np.full(len(names) + 1, -1, "<i4")  # of each code; the last: missing
        self._seen: list[int] = []

    def feed(self, cells: Any) -> None:
        codes = np.nan_to_num(cells, nan=-1).astype(np.int64)
        found, first = np.unique(codes, return_index=True)
        for code in found[np.argsort(first)].tolist():
            if code >= 0 and self._places[code] < 0:
                self._places[code] = len(self._seen)
                self._seen.append(code)
        self._digest.update(self._places[codes].tobytes())

    def entry(self) -> list[Any]:
        return [*super().entry(), [self._names[code] for code in self._seen]]


class _Times(_Column):
    kind = "time"
    any = False

    def feed(self, cells: Longs | None) -> None:
        if cells is not None:
            self.any = True
            self._digest.update(np.asarray(cells, "<i8").tobytes())


class _Labels:
    """Counts of classes, and of labels that equal the labelled row's before."""

    def __init__(self, classes: int) -> None:
        self._counts = np.zeros(classes, np.int64)
        self._same = 0
        self._last = np.empty(0, np.int32)

    def feed(self, codes: Targets) -> None:
        self._counts += np.bincount(codes, minlength=len(self._counts))
        chain = np.concatenate([self._last, codes])
        self._same += int((chain[1:] == chain[:-1]).sum())
        self._last = chain[-1:]

    def shares(self) -> tuple[float | None, float | None]:
        total = int(self._counts.sum())
        if total < 2:
            return None, None
        return float(self._counts.max()) / total, self._same / (total - 1)
