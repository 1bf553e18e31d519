"""How long labels of the most frequent classes take: quantiles, and medians along the stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge._support.types import Codes, Floats, Longs

SPREAD = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles
_NAMES = ("low", "quarter", "median", "most", "high")  # their names in frames
_PARTS = 20
_MOST_CLASSES = 6  # a figure has as many colours


@dataclass(frozen=True)
class WaitsByClass:
    """Waits of the most frequent classes; regression has one class.

    Attributes
    ----------
    codes
        Those classes, in their order.
    k
        Number of all classes.
    quantiles
        classes × SPREAD; NaN without a label.
    ends
        The row at which each part of the stream ends, by arrival.
    medians
        parts × classes; NaN without a label.
    """

    codes: Longs
    k: int
    quantiles: Floats
    ends: Longs
    medians: Floats

    def frames(
        self, names: Sequence[object], unit: float = 1.0
    ) -> tuple[pa.Table, pa.Table, tuple[str, ...]]:
        """Tables for a figure: the quantiles, the medians; and a note if these are not all classes.

        Parameters
        ----------
        names
            All classes.
        unit
            What a wait is divided by.
        """
        labels = [printable(str(names[i])) for i in self.codes]
        spread = {"series": pa.array(labels, pa.string())} | {
            name: _nulls(column / unit)
            for name, column in zip(_NAMES, self.quantiles.T, strict=True)
        }
        along = {
            "series": pa.array([label for label in labels for _ in self.ends], pa.string()),
            "rows": np.tile(self.ends, len(labels)),
            "median": _nulls(self.medians.T.ravel() / unit),
        }
        note = f"The {len(labels)} most frequent of {self.k:,} classes."
        return pa.table(spread), pa.table(along), (note,) if self.k > len(labels) else ()


def _nulls(values: Floats) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))


def waits_by_class(ids: Longs, waits: Longs, y: Codes, k: int, rows: int) -> WaitsByClass:
    """Waits of labelled rows in order of arrival.

    Parameters
    ----------
    ids
        Row numbers, ascending.
    waits
        How long the label of each row took.
    y
        Class of each row.
    k
        Number of classes.
    rows
        Rows of the stream.
    """
    counts = np.bincount(y, minlength=k)
    codes = np.sort(np.argsort(-counts, kind="stable")[:_MOST_CLASSES])
    ends = np.linspace(0, rows, min(_PARTS, max(1, rows)) + 1).astype(np.int64)
    parts = [slice(*places) for places in pairwise(np.searchsorted(ids, ends).tolist())]
    medians = [_quantiles(waits[part], y[part], codes, (0.5,))[:, 0] for part in parts]
    return WaitsByClass(codes, k, _quantiles(waits, y, codes, SPREAD), ends[1:], np.array(medians))


def _quantiles(waits: Longs, y: Codes, codes: Longs, which: tuple[float, ...]) -> Floats:
    found = np.full((len(codes), len(which)), np.nan)
    for place, code in enumerate(codes):
        own = waits[y == code]
        if len(own):
            found[place] = np.quantile(own, which)
    return found
