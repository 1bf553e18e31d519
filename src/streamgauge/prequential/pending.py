"""The waiting room: one growing array of the rows whose labels are awaited."""

from __future__ import annotations

import numpy as np

from streamgauge.types import Block, Floats, Longs, Targets


class WaitingRoom:
    """Rows take a slot on arrival and give it back once learned; no row is ever copied about."""

    def __init__(self, width: int, regression: bool) -> None:
        self.X: Floats = np.empty((0, width))
        self.y: Targets = np.empty(0, np.float64 if regression else np.int32)
        self._free: Longs = np.empty(0, np.int64)  # a stack: its last slot is taken first

    @property
    def capacity(self) -> int:
        return len(self.y)

    def admit(self, block: Block) -> Longs:
        """Store a block's rows; their slots, in row order."""
        n = len(block)
        if len(self._free) < n:
            self._grow(n - len(self._free))
        left = len(self._free) - n
        slots, self._free = self._free[left:][::-1].copy(), self._free[:left]
        if n and slots[-1] - slots[0] == n - 1 and (np.diff(slots) == 1).all():
            self.X[slots[0] : slots[-1] + 1] = block.X  # one copy instead of a scatter
            self.y[slots[0] : slots[-1] + 1] = block.y
        else:
            self.X[slots] = block.X
            self.y[slots] = block.y
        return slots

    def release(self, slots: Longs) -> None:
        """Give slots back; they may be taken from the next block on."""
        self._free = np.concatenate([self._free, slots[::-1]])

    def _grow(self, least: int) -> None:
        old, new = self.capacity, self.capacity + max(least, self.capacity // 2)
        X = np.empty((new, self.X.shape[1]))
        X[:old] = self.X
        y = np.empty(new, self.y.dtype)
        y[:old] = self.y
        self.X, self.y = X, y
        self._free = np.concatenate([np.arange(new - 1, old - 1, -1, dtype=np.int64), self._free])
