"""The waiting room: growing arrays that hold the rows whose labels are not yet revealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from streamgauge._support.types import Block, Flags, Floats, Longs, Mask, Targets

Empty = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]
COLUMNS = ("X", "sequences", "y", "arrives", "revealed", "scored")


class WaitingRoom:
    """Holds each row from its arrival until its label is learned, without copying it in between.

    A row takes a *slot*, an index into the arrays, when it arrives and frees it once learned. New
    features of a waiting row take another slot. The row's first slot is its *row id*: what belongs
    to the row itself (arrival time, first prediction) is stored by row id, its features by slot.

    Parameters
    ----------
    width
        Number of features.
    regression
        Whether targets are numbers instead of class codes.
    context
        Keep each row together with the `context` - 1 rows that arrived before it, as they were at
        its arrival: `sequences`, oldest first, the row itself last, NaN before the first row.
    spare
        When the room is full, it grows by at least this part of its size.
    empty
        Makes the arrays, from shape and type.
    """

    state_fields = (*COLUMNS, "_recent", "_free")

    def __init__(
        self,
        width: int,
        regression: bool,
        context: int = 1,
        spare: float = 0.5,
        empty: Empty = np.empty,
    ) -> None:
        self._spare, self._empty = spare, empty
        self.X: Floats = np.empty((0, width))
        # Copies, because the earlier rows may have left the room while this one waits.
        self.sequences: Floats = np.empty((0, context if context > 1 else 0, width))
        self._recent: Floats = np.full((context - 1, width), np.nan)
        self.y: Targets = np.empty(0, np.float64 if regression else np.int32)
        self.arrives: Longs = np.empty(0, np.int64)
        self.revealed: Longs = np.empty(0, np.int64)
        self.scored: Flags = np.empty(0, np.uint8)  # is the row scored when its label is revealed?
        self._free: Longs = np.empty(0, np.int64)  # a stack: the last slot is taken first

    @property
    def capacity(self) -> int:
        """Number of slots, in use or free."""
        return len(self.y)

    @property
    def free(self) -> int:
        """Number of free slots."""
        return len(self._free)

    @property
    def nbytes(self) -> int:
        """Memory of all slots."""
        return sum(getattr(self, name).nbytes for name in COLUMNS)

    def admit(self, block: Block, arrives: Longs, revealed: Longs, scored: Mask | bool) -> Longs:
        """Store a block's rows and return their slots, in row order."""
        slots = self.take(len(block))
        self.put(slots, block, arrives, revealed, scored)
        return slots

    def put(
        self, slots: Longs, block: Block, arrives: Longs, revealed: Longs, scored: Mask | bool
    ) -> None:
        """Store a block's rows in slots that `take` has given."""
        n = len(block)
        if n and slots[-1] - slots[0] == n - 1 and (slots[1:] > slots[:-1]).all():
            part: slice | Longs = slice(slots[0], slots[-1] + 1)  # one copy instead of a scatter
        else:
            part = slots
        self.X[part], self.y[part] = block.X, block.y
        self.arrives[part], self.revealed[part], self.scored[part] = arrives, revealed, scored
        if n and self.sequences.shape[1]:
            before = len(self._recent)
            rows = np.concatenate([self._recent, block.X])
            self.sequences[part] = sliding_window_view(rows, before + 1, 0).transpose(0, 2, 1)
            self._recent = rows[-before:].copy()

    def admit_updates(self, row_ids: Longs, X: Floats) -> Longs:
        """Store new features of waiting rows and return their slots."""
        slots = self.take(len(row_ids))
        self.X[slots], self.y[slots] = X, self.y[row_ids]
        if self.sequences.shape[1]:
            self.sequences[slots] = self.sequences[row_ids]
            self.sequences[slots, -1] = X
        return slots

    def forget_recent(self) -> None:
        """Forget the rows before the next one, which is the first of another stream."""
        self._recent = np.full_like(self._recent, np.nan)

    def rows(self, context: int) -> Floats:
        """Features by slot; with a context of several rows, slots × context × features."""
        return self.X if context == 1 else self.sequences[:, -context:]

    def release(self, slots: Longs) -> None:
        """Free slots; the next block may take them."""
        self._free = np.concatenate([self._free, slots[::-1]])

    def take(self, n: int) -> Longs:
        """Take slots that are free; the room grows if there are not enough."""
        if len(self._free) < n:
            self._grow(n - len(self._free))
        left = len(self._free) - n
        slots, self._free = self._free[left:][::-1].copy(), self._free[:left]
        return slots

    def _grow(self, at_least: int) -> None:
        old, new = self.capacity, self.capacity + max(at_least, int(self.capacity * self._spare))
        for name in COLUMNS:
            column = getattr(self, name)
            grown = self._empty((new, *column.shape[1:]), column.dtype)
            grown[:old] = column
            setattr(self, name, grown)
        self._free = np.concatenate([np.arange(new - 1, old - 1, -1, dtype=np.int64), self._free])
