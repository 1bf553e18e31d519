"""The stream of a live log: it has a schema and a name, and no rows to read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Block, Clock, Label, Schema
from streamgauge.streams.base import Stream
from streamgauge.streams.summary import StreamSummary


class LiveLog(Stream):
    """Predictions of one model and their labels, of which only the figures are kept."""

    def __init__(
        self, name: str, model: str, classes: tuple[Label, ...], clock: Clock, proba: bool
    ) -> None:
        self.name, self.rows, self.skipped = name, None, {}
        width = 1 + (len(classes) if proba else 0)
        features = tuple(f"{model}[{j}]" for j in range(width))
        self.schema = Schema(features, ((),) * width, classes, True, clock)

    def blocks(self, size: int) -> Iterator[Block]:
        raise UsageError(f"{self.name}: a live log keeps no rows; score its files instead")

    def summary(self) -> StreamSummary:
        return replace(super().summary(), features=0)
