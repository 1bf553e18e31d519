"""Spools keep the outcome of every scored row until batch means can be computed (semantics §4).

Batches are ⌊√n⌋ rows long and n is known only at the end, so all rows are kept; beyond a few
megabytes they go to disk.
"""

from __future__ import annotations

import math
import tempfile
import weakref
from typing import IO

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import Floats
from streamgauge.measures.sums import Outcomes

_IN_MEMORY = 8 << 20  # bytes
_CHUNK_ROWS = 1 << 20


@kernel
def _add_hits(outcome: Outcomes, length: int, sums: Floats, carry: Floats, filled: int) -> int:
    """Sum (learner right - reference right) over whole batches; return the rows in the open one."""
    after = filled
    for r in range(len(carry)):
        total, rows, batch = carry[r], filled, 0
        for i in range(len(outcome)):
            bits = int(outcome[i])
            total += (bits & 1) - ((bits >> (r + 1)) & 1)
            rows += 1
            if rows == length:
                sums[batch, r] = total
                total, rows, batch = 0.0, 0, batch + 1
        carry[r] = total
        after = rows
    return after


class Spool:
    """Rows in order, in memory or on disk; `batch_means` reads them once, at the end."""

    def __init__(self, references: int) -> None:
        self._references = references
        self._file: tempfile.SpooledTemporaryFile[bytes] | None = None
        self._rows = 0

    def batch_means(self) -> Floats:
        """Mean difference to each reference (columns) in each whole batch (rows)."""
        length = math.isqrt(self._rows)
        if self._file is None or not length:
            return np.empty((0, self._references))
        self._file.seek(0)
        with self._file as file:
            return np.concatenate(self._batches(file, length)) / length

    def _batches(self, file: IO[bytes], length: int) -> list[Floats]:
        """Sums of whole batches: parts of batches × references."""
        raise NotImplementedError

    def _write(self, data: bytes, rows: int) -> None:
        if not rows:
            return
        if self._file is None:
            self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
            weakref.finalize(self, self._file.close)  # also if the run fails before the end
        self._file.write(data)
        self._rows += rows


class OutcomeSpool(Spool):
    """Outcomes of classified rows, as bits: the learner right, each reference right."""

    def __init__(self, references: int, kind: np.dtype[np.unsignedinteger]) -> None:
        super().__init__(references)
        self._kind = kind

    def add(self, outcome: Outcomes) -> None:
        """Keep rows, as `ClassificationTally.add` returns them."""
        self._write(outcome.tobytes(), len(outcome))

    def prepare(self) -> None:
        """Compile what `batch_means` needs."""
        nothing = np.frombuffer(b"", self._kind)
        _add_hits(nothing, 1, np.zeros((0, self._references)), np.zeros(self._references), 0)

    def _batches(self, file: IO[bytes], length: int) -> list[Floats]:
        parts, carry, filled = [], np.zeros(self._references), 0
        while data := file.read(_CHUNK_ROWS * self._kind.itemsize):
            outcome = np.frombuffer(data, self._kind)
            sums = np.zeros(((filled + len(outcome)) // length, self._references))
            filled = _add_hits(outcome, length, sums, carry, filled)
            parts.append(sums)
        return parts


class LossSpool(Spool):
    """Loss of each reference minus loss of the learner, for each row of a regression."""

    def add(self, differences: Floats) -> None:
        """Keep rows: rows × references."""
        self._write(np.ascontiguousarray(differences).tobytes(), len(differences))

    def _batches(self, file: IO[bytes], length: int) -> list[Floats]:
        parts = []
        size = length * self._references * 8
        while len(data := file.read(size)) == size:
            batch = np.frombuffer(data).reshape(length, self._references)
            parts.append(batch.sum(axis=0, keepdims=True))
        return parts
