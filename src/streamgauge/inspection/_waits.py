"""How long labels take to come: overall, by class, along the stream (semantics §8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.clock import time_text
from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Block, Codes, Floats, Longs, Schema, Targets
from streamgauge.measures.class_waits import ClassWaits, class_waits
from streamgauge.measures.waits_by_class import WaitsByClass, waits_by_class
from streamgauge.prequential.labels import FromStream

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)
_PARTS = 10


@dataclass(frozen=True)
class Waits:
    """How long the labels of a stream take to come, in the stream's unit of time.

    Attributes
    ----------
    rows, labelled
        Number of rows, and of those whose label comes.
    quantiles
        The shortest wait, the quartiles, the 95 % quantile and the longest wait.
    classes
        For each class its number of rows, its median wait, and whether it waits longer than the
        others; empty for regression.
    window
        Number of labels in the first and the last part.
    first_revealed, first_arrived, last_revealed, last_arrived
        The fraction of each class in those parts, by reveal and by arrival.
    parts
        Tenths of the stream, by arrival: `rows`, `labelled`, `median` and `high` (95 %) of each.
    by_class
        Quantiles of the waits of each class, and their medians along the stream; in regression of
        all rows.
    """

    rows: int
    labelled: int
    quantiles: Floats
    classes: tuple[ClassWaits, ...]
    window: int
    first_revealed: Floats
    first_arrived: Floats
    last_revealed: Floats
    last_arrived: Floats
    parts: dict[str, npt.NDArray[Any]]
    by_class: WaitsByClass

    @property
    def never(self) -> int:
        """Rows whose label never comes."""
        return self.rows - self.labelled

    @property
    def median(self) -> float:
        """The median wait."""
        return float(self.quantiles[2])

    @property
    def depend_on_class(self) -> bool:
        """Whether the labels of some class clearly take longer or shorter than others."""
        return any(each.decided for each in self.classes)


class WaitCollector:
    """Keeps the wait, the reveal time and the class of every labelled row."""

    def __init__(self, schema: Schema, window: int) -> None:
        self._k, self._window, self._clock = len(schema.classes), window, schema.clock
        self._rows = 0
        none = np.empty(0, np.int64)
        self._held: list[tuple[Longs, Longs, Longs, Targets]] = [(none, none, none, none)]

    def add(self, block: Block) -> None:
        """Add a block with reveal times."""
        times = FromStream().timetable(block)
        comes = np.flatnonzero(block.known & (times.revealed != NEVER))
        revealed, waits = times.revealed[comes], (times.revealed - times.arrives)[comes]
        if (waits < 0).any():
            i = int(comes[np.argmax(waits < 0)])
            reveal, arrival = (
                time_text(int(each[i]), self._clock) for each in (times.revealed, times.arrives)
            )
            raise InputError(
                f"row {block.start + i}: its label is revealed at {reveal}, before the row arrives "
                f"at {arrival}; expected a reveal time at or after the arrival",
                row=block.start + i,
            )
        self._held.append((block.start + comes, revealed, waits, block.y[comes]))
        self._rows += len(block)

    def finish(self) -> Waits:
        """The waits of all rows."""
        ids, revealed, waits, y = (np.concatenate(each) for each in zip(*self._held, strict=True))
        codes = y.astype(np.int32) if self._k else np.empty(0, np.int32)
        found = class_waits(waits, codes, self._k) if self._k else ()
        by_reveal = codes[np.lexsort((ids, revealed))] if self._k else codes
        window = min(self._window, len(codes))
        empty = not len(waits)
        return Waits(
            rows=self._rows,
            labelled=len(waits),
            quantiles=np.full(6, math.nan) if empty else np.quantile(waits, QUANTILES),
            classes=found,
            window=window,
            first_revealed=self._shares(by_reveal[:window]),
            first_arrived=self._shares(codes[:window]),
            last_revealed=self._shares(by_reveal[len(codes) - window :]),
            last_arrived=self._shares(codes[len(codes) - window :]),
            parts=self._parts(ids, waits),
            by_class=self._by_class(ids, waits, codes),
        )

    def _by_class(self, ids: Longs, waits: Longs, codes: Codes) -> WaitsByClass:
        if self._k:
            return waits_by_class(ids, waits, codes, self._k, self._rows)
        return waits_by_class(ids, waits, np.zeros(len(ids), np.int32), 1, self._rows)

    def _shares(self, codes: npt.NDArray[np.int32]) -> Floats:
        return np.bincount(codes, minlength=self._k) / max(1, len(codes))

    def _parts(self, ids: Longs, waits: Longs) -> dict[str, npt.NDArray[Any]]:
        edges = np.linspace(0, self._rows, min(_PARTS, self._rows) + 1).astype(np.int64)
        places = np.searchsorted(ids, edges)
        pieces = [waits[a:b] for a, b in pairwise(places)]
        median, high = (
            np.array([np.quantile(each, q) if len(each) else math.nan for each in pieces])
            for q in (0.5, 0.95)
        )
        return {
            "rows": edges[1:],
            "labelled": np.diff(places) / np.diff(edges),
            "median": median,
            "high": high,
        }
