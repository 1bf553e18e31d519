"""Opens a data set's file as a stream of one variant's features, computing derived columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Floats, Longs
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets._card import DEFAULT_VARIANT, Card, Cycle
from streamgauge.streams.events import read_events
from streamgauge.streams.files import read
from streamgauge.streams.formats.open_table import open_table


def open_stream(card: Card, path: Path, variant: str | None = None) -> Stream:
    """Open the data set's file as a stream of the variant's features."""
    features = card.features_of(variant)
    present = open_table(path).names
    computed = {f: card.derived[f] for f in features if f not in present and f in card.derived}
    stored = [feature for feature in features if feature not in computed]
    if missing := [feature for feature in stored if feature not in present]:
        known = (DEFAULT_VARIANT, *card.variants)
        others = [name for name in known if name != (variant or DEFAULT_VARIANT)]
        advice = f", or choose another variant: {', '.join(others)}" if others else ""
        raise UsageError(
            f"{card.name}, variant {variant or DEFAULT_VARIANT!r}: {path} has no column "
            f"{', '.join(missing)}; set STREAMGAUGE_DATA to a folder whose {card.file} has "
            f"it{advice}"
        )
    nominal = card.nominal_of(variant)
    name = card.name if variant in (None, DEFAULT_VARIANT) else f"{card.name}:{variant}"
    if card.events is not None:
        log = read_events(
            path, card.target, id=card.events.id, time=card.events.time, features=features,
            nominal=nominal, classes=list(card.classes) or None, task=card.task, name=name,
        )  # fmt: skip
        log.ties = card.ties
        return log
    stream: Stream = read(
        path,
        target=card.target,
        features=stored,
        nominal=[feature for feature in nominal if feature in stored] or (),
        classes=list(card.classes) or None,
        arrives=card.arrives,
        revealed=card.revealed,
        task="regression" if card.task == "regression" else None,
        name=name,
    )
    stream.ties = card.ties
    return _WithCycles(stream, features, computed, nominal) if computed else stream


class _WithCycles(Stream):
    """A stream with added columns that are computed from the row number."""

    def __init__(
        self,
        source: Stream,
        features: tuple[str, ...],
        cycles: dict[str, Cycle],
        nominal: list[str],
    ) -> None:
        self._source, self._cycles = source, cycles
        self.name, self.rows, self.ties = source.name, source.rows, source.ties
        values = dict(zip(source.schema.features, source.schema.values, strict=True))
        values |= {
            name: tuple(map(str, sorted(set(cycle.values)))) if name in nominal else ()
            for name, cycle in cycles.items()
        }
        self.schema = replace(
            source.schema,
            features=features,
            values=tuple(values[name] for name in features),
        )

    def blocks(self, size: int) -> Iterator[Block]:
        stored = [i for i, name in enumerate(self.schema.features) if name not in self._cycles]
        for block in self._source.blocks(size):
            X = np.empty((len(block), len(self.schema.features)))
            X[:, stored] = block.X
            rows = np.arange(block.start, block.start + len(block))
            for name, cycle in self._cycles.items():
                X[:, self.schema.features.index(name)] = self._column(name, cycle, rows)
            yield replace(block, X=X)

    def _column(self, name: str, cycle: Cycle, rows: Longs) -> Floats:
        values = np.array(cycle.values, np.float64)
        if self.schema.values[self.schema.features.index(name)]:
            values = np.searchsorted(np.unique(values), values).astype(np.float64)
        return np.asarray(values[rows // cycle.every % len(values)])
