"""A stream in a few words: what a run remembers of its stream."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._support.printable import printable
from streamgauge._support.types import Drift, Label
from streamgauge.rendering.words import plural
from streamgauge.streams.origin import Origin

_LONG = 40  # letters


@dataclass(frozen=True)
class StreamSummary:
    """A stream without its rows.

    Parameters
    ----------
    name
        Shown in reports.
    rows
        Number of rows, or None if it was unknown before reading.
    features
        Number of features; 0 for a log of predictions.
    classes
        The classes; () for regression.
    drifts
        Known positions of true concept drift.
    origin
        What the stream is made from.
    """

    name: str
    rows: int | None
    features: int
    classes: tuple[Label, ...]
    drifts: tuple[Drift, ...]
    origin: Origin

    @property
    def title(self) -> str:
        """The name, or a short form where it is long."""
        return self.name if len(self.name) <= _LONG else self.origin.short

    def describe(self, short: bool = False) -> str:
        """Return name (or title, if `short`), rows, features and classes in one line."""
        rows = "unknown rows" if self.rows is None else plural(self.rows, "row")
        kind = plural(len(self.classes), "class") if self.classes else "regression"
        features = [plural(self.features, "feature")] if self.features else []
        return " · ".join([printable(self.title if short else self.name), rows, *features, kind])
