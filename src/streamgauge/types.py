"""The core types that every other module speaks: Schema, Block, and names for arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Targets = npt.NDArray[Any]  # labels or predictions: int32 class codes, or float64 numbers
Flags = npt.NDArray[np.uint8]
Label = str | int | float | bool

UNKNOWN: Final = -1  # a label that is never known; a prediction that is not made
NEVER: Final = int(np.iinfo(np.int64).max)  # a reveal time that never comes


@dataclass(frozen=True, slots=True)
class Schema:
    """What is known of a stream before its first row: declared knowledge, no peeking."""

    features: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # of each feature: its nominal values; () = numeric
    classes: tuple[Label, ...]  # () = regression
    time: bool = False  # do rows carry arrival or reveal times?

    @property
    def cardinality(self) -> tuple[int, ...]:
        """The number of nominal values of each feature, 0 for a numeric one."""
        return tuple(len(v) for v in self.values)

    @property
    def regression(self) -> bool:
        """Is the target a number?"""
        return not self.classes


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows of a stream, as arrays.

    X is float64, C-order, nominal values as codes, NaN = missing. y is int32 codes, -1 = never
    known; for regression float64, NaN = never known. Times are int64, NEVER = never revealed.
    """

    start: int
    X: Floats
    y: Targets
    arrives: Longs | None = None
    revealed: Longs | None = None

    def __len__(self) -> int:
        return len(self.y)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Of each row: is there a label?"""
        return ~np.isnan(self.y) if self.y.dtype.kind == "f" else self.y >= 0

    def cut(self, start: int, stop: int) -> Block:
        """Rows start..stop of this block (counted inside it), sharing memory with it."""
        part = slice(start, stop)
        return Block(
            self.start + start,
            self.X[part],
            self.y[part],
            None if self.arrives is None else self.arrives[part],
            None if self.revealed is None else self.revealed[part],
        )
