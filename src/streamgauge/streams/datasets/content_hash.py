"""Summary of a stream's content, independent of its file: rows, P(M), P(T) and a content hash.

The hash is the same for every source of the same table. It is the SHA-256 of a JSON list with one
entry per column: the features in order, then the target, arrival times and reveal times. An entry
holds the column's name, its kind, the SHA-256 of its cells in row order and, for kind "name", its
categories.

- number: float64, little-endian; minus zero as zero, missing as the quiet NaN
- name (nominal features, classes): int32, little-endian, the index of the cell's category in the
  list of categories in order of first appearance; -1 = missing
- time: int64, little-endian; the largest int64 = never
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


class ContentSummary(NamedTuple):
    """The summary of a stream. P(M) and P(T) are over the labelled rows; None for regression."""

    rows: int
    p_majority: float | None
    p_persistent: float | None
    sha256: str


def summarise_content(stream: Stream) -> ContentSummary:
    """Summarise a stream in one pass."""
    schema = stream.schema
    columns = [
        _NominalColumn(name, values) if values else _NumericColumn(name)
        for name, values in zip(schema.features, schema.values, strict=True)
    ]
    classes = [key_of(label) for label in schema.classes]
    target = _NominalColumn("target", classes) if classes else _NumericColumn("target")
    times = {"arrives": _TimeColumn("arrives"), "revealed": _TimeColumn("revealed")}
    labels = _ClassCounts(len(schema.classes))
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
    entries = [column.entry() for column in (*columns, target)]
    entries += [time.entry() for time in times.values() if time.any]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return ContentSummary(rows, *labels.fractions(), hashlib.sha256(text.encode()).hexdigest())


class _HashedColumn:
    kind: str

    def __init__(self, name: str) -> None:
        self.name = name
        self._digest = hashlib.sha256()

    def feed(self, cells: Any) -> None:
        raise NotImplementedError

    def entry(self) -> list[Any]:
        return [self.name, self.kind, self._digest.hexdigest()]


class _NumericColumn(_HashedColumn):
    kind = "number"

    def feed(self, cells: Any) -> None:
        numbers = np.asarray(cells, "<f8") + 0.0  # minus zero becomes zero
        numbers[np.isnan(numbers)] = np.nan
        self._digest.update(numbers.tobytes())


class _NominalColumn(_HashedColumn):
    kind = "name"

    def __init__(self, name: str, categories: Any) -> None:
        super().__init__(name)
        self._categories = categories
        self._index = np.full(len(categories) + 1, -1, "<i4")  # by code; the last is missing
        self._seen: list[int] = []

    def feed(self, cells: Any) -> None:
        codes = np.nan_to_num(cells, nan=-1).astype(np.int64)
        found, first = np.unique(codes, return_index=True)
        for code in found[np.argsort(first)].tolist():
            if code >= 0 and self._index[code] < 0:
                self._index[code] = len(self._seen)
                self._seen.append(code)
        self._digest.update(self._index[codes].tobytes())

    def entry(self) -> list[Any]:
        return [*super().entry(), [self._categories[code] for code in self._seen]]


class _TimeColumn(_HashedColumn):
    kind = "time"
    any = False

    def feed(self, cells: Longs | None) -> None:
        if cells is not None:
            self.any = True
            self._digest.update(np.asarray(cells, "<i8").tobytes())


class _ClassCounts:
    """Counts of the classes, and of the labels that equal the previous label."""

    def __init__(self, classes: int) -> None:
        self._counts = np.zeros(classes, np.int64)
        self._same = 0
        self._last = np.empty(0, np.int32)

    def feed(self, codes: Targets) -> None:
        self._counts += np.bincount(codes, minlength=len(self._counts))
        labels = np.concatenate([self._last, codes])
        self._same += int((labels[1:] == labels[:-1]).sum())
        self._last = labels[-1:]

    def fractions(self) -> tuple[float | None, float | None]:
        total = int(self._counts.sum())
        if total < 2:
            return None, None
        return float(self._counts.max()) / total, self._same / (total - 1)
