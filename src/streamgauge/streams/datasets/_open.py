"""A file and its card as a stream: the columns of a variant, those that follow from the row number
computed where the file lacks them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Floats, Longs, Schema
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets._card import DEFAULT, Card, Cycle
from streamgauge.streams.files import read
from streamgauge.streams.formats.open import open_table


def open_stream(card: Card, path: Path, variant: str | None = None) -> Stream:
    """The data set's file as a stream of the variant's features."""
    features = card.features_of(variant)
    there = open_table(path).names
    computed = {f: card.derived[f] for f in features if f not in there and f in card.derived}
    asked = [feature for feature in features if feature not in computed]
    if lost := [feature for feature in asked if feature not in there]:
        others = [name for name in (DEFAULT, *card.variants) if name != (variant or DEFAULT)]
        advice = f", or take another variant: {', '.join(others)}" if others else ""
        raise UsageError(
            f"{card.name}, variant {variant or DEFAULT!r}: {path} has no {', '.join(lost)}; name "
            f"a folder in STREAMGAUGE_DATA whose {card.file} has{advice}"
        )
    nominal = [feature for feature in card.nominal if feature in features]
    stream = read(
        path,
        target=card.target,
        features=asked,
        nominal=[feature for feature in nominal if feature in asked] or (),
        classes=list(card.classes) or None,
        arrives=card.arrives,
        revealed=card.revealed,
        task="regression" if card.task == "regression" else None,
        name=card.name if variant in (None, DEFAULT) else f"{card.name}:{variant}",
    )
    return _WithCycles(stream, features, computed, nominal) if computed else stream


class _WithCycles(Stream):
    """A stream with columns that are computed from the row number put in their places."""

    def __init__(
        self,
        source: Stream,
        features: tuple[str, ...],
        cycles: dict[str, Cycle],
        nominal: list[str],
    ) -> None:
        self._source, self._cycles = source, cycles
        self.name, self.rows = source.name, source.rows
        values = dict(zip(source.schema.features, source.schema.values, strict=True))
        values |= {
            name: tuple(map(str, sorted(set(cycle.values)))) if name in nominal else ()
            for name, cycle in cycles.items()
        }
        self.schema = Schema(
            features,
            tuple(values[name] for name in features),
            source.schema.classes,
            source.schema.time,
        )

    def blocks(self, size: int) -> Iterator[Block]:
        read = [i for i, name in enumerate(self.schema.features) if name not in self._cycles]
        for block in self._source.blocks(size):
            X = np.empty((len(block), len(self.schema.features)))
            X[:, read] = block.X
            rows = np.arange(block.start, block.start + len(block))
            for name, cycle in self._cycles.items():
                X[:, self.schema.features.index(name)] = self._column(name, cycle, rows)
            yield replace(block, X=X)

    def _column(self, name: str, cycle: Cycle, rows: Longs) -> Floats:
        values = np.array(cycle.values, np.float64)
        if self.schema.values[self.schema.features.index(name)]:
            values = np.searchsorted(np.unique(values), values).astype(np.float64)
        return np.asarray(values[rows // cycle.every % len(values)])
