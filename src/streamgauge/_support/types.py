"""The core types of every module: Schema, Block, and names for arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.read_only import freeze

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Targets = npt.NDArray[Any]  # labels or predictions: int32 class codes, or float64 target values
Flags = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Label = str | int | float | bool
Clock = Literal["integers", "local", "UTC"]  # what times count; timestamps: ns since 1970

UNKNOWN: Final = -1  # a label that is never revealed; a prediction that is not made
NEVER: Final = int(np.iinfo(np.int64).max)  # the reveal time of a label that is never revealed

# The events of an agenda; all but LEARN ask for a prediction.
PREDICT: Final = 0  # the row arrives
LEARN: Final = 1  # its label is revealed
FINAL: Final = 2  # predicted once more, just before its label is learned
AGAIN: Final = 3  # predicted again while it waits


@dataclass(frozen=True, slots=True)
class Schema:
    """What is declared about a stream before its first row, so that using it is not peeking.

    Parameters
    ----------
    features
        Feature names.
    values
        The nominal values of each feature, as text; () for a numeric feature.
    classes
        The classes; () for regression.
    time
        Whether rows carry arrival or reveal times.
    clock
        What the times are: "integers" (row numbers, or a unit of your own), or nanoseconds since
        1970: "local" for timestamps without a time zone, "UTC" for those with one.

    Examples
    --------
    >>> import streamgauge as sg
    >>> schema = sg.STAGGER(1000, seed=1).schema
    >>> schema.features, schema.cardinality, schema.classes
    (('size', 'color', 'shape'), (3, 3, 3), (0, 1))
    """

    features: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    classes: tuple[Label, ...]
    time: bool = False
    clock: Clock = "integers"

    def untimed(self) -> Schema:
        """The same schema without times."""
        return Schema(self.features, self.values, self.classes)

    @property
    def cardinality(self) -> tuple[int, ...]:
        """The number of nominal values of each feature, 0 for a numeric one."""
        return tuple(len(v) for v in self.values)

    @property
    def regression(self) -> bool:
        """Whether the target is a number."""
        return not self.classes


class Drift(NamedTuple):
    """A known concept drift.

    Parameters
    ----------
    position
        The row at its centre.
    width
        Number of rows over which it happens; 0 means abruptly.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.splice([sg.SEA(600), sg.SEA(500, variant=2)], at=[500], width=100)
    >>> stream.drifts
    (Drift(position=500, width=100),)
    """

    position: int
    width: int


class Updates(NamedTuple):
    """New features of rows that have already arrived (evolving instances), in order."""

    rows: Longs  # the rows that change
    times: Longs
    after: Longs  # the last row that arrived before the update
    X: Floats

    def between(self, first: int, last: int) -> Updates:
        """The updates after row `first` arrives and before row `last` does."""
        part = slice(*np.searchsorted(self.after, [first, last]))
        return Updates(self.rows[part], self.times[part], self.after[part], self.X[part])


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows of a stream, as arrays.

    Parameters
    ----------
    start
        Number of the first row.
    X
        Features, rows × features: float64 in C order, nominal values as codes, NaN = missing.
    y
        Class codes (int32), -1 where the label is never known; in regression the target (float64),
        NaN where it is never known.
    arrives, revealed
        When each row arrives and its label is revealed (int64); NEVER for a label that is never
        revealed.
    updates
        Feature updates between the block's first row and the next block, in every block of a stream
        of evolving instances.

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.SEA(1000, seed=1).blocks(100))
    >>> block.start, block.X.shape, block.y[:5].tolist()
    (0, (100, 3), [1, 0, 1, 1, 1])
    """

    start: int
    X: Floats
    y: Targets
    arrives: Longs | None = None
    revealed: Longs | None = None
    updates: Updates | None = None

    def __len__(self) -> int:
        return len(self.y)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """For each row, whether it has a label."""
        return ~np.isnan(self.y) if self.y.dtype.kind == "f" else self.y >= 0

    def read_only(self) -> Block:
        """Return this block with arrays that cannot be written to."""
        block = self.cut(0, len(self))
        freeze(block.X, block.y, block.arrives, block.revealed)
        return block

    def cut(self, start: int, stop: int) -> Block:
        """Return a part of this block, sharing memory with it.

        Parameters
        ----------
        start, stop
            The first row, and the row after the last one, counted inside this block.
        """
        part = slice(start, stop)
        return Block(
            self.start + start,
            self.X[part],
            self.y[part],
            None if self.arrives is None else self.arrives[part],
            None if self.revealed is None else self.revealed[part],
            None
            if self.updates is None
            else self.updates.between(self.start + start, self.start + min(stop, len(self))),
        )
