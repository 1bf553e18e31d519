"""Spools keep the outcome of every scored row until the verdict is made (semantics §4).

Batches begin at ⌊√n⌋ rows and n is known only at the end, so all rows are kept; beyond a few
megabytes they go to disk. The test needs only the sums between its cuts.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.inside import Inside
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Floats, Longs
from streamgauge.measures.batch_means import CONFIDENCE, BatchMeansTest, Moments, cuts_of, decide
from streamgauge.measures.sums import Outcomes

_IN_MEMORY = 8 << 20  # bytes
_CHUNK_ROWS = 1 << 20


@lean_kernel
def _add_hits(outcome: Outcomes, row: int, cuts: Longs, sums: Floats) -> None:
    """Add (learner right - reference right) to the segment of each row, from number `row` on."""
    rows, first = len(outcome), 0
    while first < len(cuts) and cuts[first] <= row:  # searchsorted takes half a second to compile
        first += 1
    for r in range(sums.shape[1]):
        segment, start = first, 0
        while start < rows:
            stop = rows if segment == len(cuts) else min(rows, cuts[segment] - row)
            total = 0
            for i in range(start, stop):
                bits = int(outcome[i])
                total += (bits & 1) - ((bits >> (r + 1)) & 1)
            sums[segment, r] += total
            segment += 1
            start = stop


class Spool:
    """Rows in order, in memory or on disk.

    A file that outlives the process is open only while it is read or written: a monitor has one
    for every segment.
    """

    state_fields = ("rows",)

    def __init__(self, kind: np.dtype[np.generic]) -> None:
        self._kind = kind
        self._memory: tempfile.SpooledTemporaryFile[bytes] | None = None
        self._path: Inside | None = None
        self._rows = 0
        self._synced = 0  # rows that are surely on disk

    def keep_in(self, path: Inside) -> None:
        """Keep the rows in a file that outlives the process; before the first row."""
        self._path = path

    def dump_state(self) -> dict[str, int]:
        """What a checkpoint has to know; all rows are in the file by then."""
        if self._synced < self._rows:
            with self._opened() as file:
                os.fsync(file.fileno())
            self._synced = self._rows
        return {"rows": self._rows}

    def load_state(self, state: dict[str, int]) -> None:
        """Go on after the rows that the state counts; the next row replaces those after them."""
        assert self._path is not None
        rows = state["rows"]
        size = self._path.stat().st_size if self._path.exists() else 0
        if size < rows * self._kind.itemsize:
            raise InputError(
                f"{self._path}: has {size // self._kind.itemsize:,} rows; expected {rows:,}: it "
                "was cut or removed; restore it, or start again"
            )
        self._rows = self._synced = rows

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        if self._path is not None:
            with self._path.open("r+b" if self._rows else "w+b") as file:
                yield file
            return
        if self._memory is None:
            self._memory = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
            weakref.finalize(self, self._memory.close)  # also if the run fails before the end
        yield cast(IO[bytes], self._memory)

    def _write(self, values: Outcomes | Floats) -> None:
        if not len(values):
            return
        with self._opened() as file:
            file.seek(self._rows * self._kind.itemsize)
            file.write(values.tobytes())
        self._rows += len(values)

    def _chunks(self) -> Iterator[tuple[int, np.ndarray]]:
        """All rows, in parts, each with the number of its first row."""
        if not self._rows:
            return
        with self._opened() as file:
            file.seek(0)
            row = 0
            while row < self._rows:
                rows = min(_CHUNK_ROWS, self._rows - row)
                values = np.frombuffer(file.read(rows * self._kind.itemsize), self._kind)
                yield row, values
                row += rows


class OutcomeSpool(Spool):
    """Outcomes of classified rows, as bits: the learner right, each reference right."""

    def __init__(self, references: int, kind: np.dtype[np.unsignedinteger]) -> None:
        super().__init__(kind)
        self._references = references

    def add(self, outcome: Outcomes) -> None:
        """Keep rows, as `ClassificationTally.add` returns them."""
        self._write(outcome)

    def prepare(self) -> None:
        """Compile what `tests` needs."""
        nothing = np.frombuffer(b"", self._kind)
        _add_hits(nothing, 0, np.empty(0, np.int64), np.zeros((1, self._references)))

    def tests(self) -> list[BatchMeansTest]:
        """The learner against each reference."""
        return [self.decided(column) for column in self.sums().T]

    def decided(self, sums: Floats, confidence: float = CONFIDENCE) -> BatchMeansTest:
        """The test of one participant against another, given a column of `sums`.

        The difference of two columns is about the two references.
        """
        return decide(sums, self._rows, confidence, bound=1.0)

    def sums(self) -> Floats:
        """Hits of the learner minus those of each reference, between the `cuts_of` all rows."""
        cuts = cuts_of(self._rows)
        sums = np.zeros((len(cuts) + 1, self._references))  # the last: leftover rows
        for row, outcome in self._chunks():
            _add_hits(outcome, row, cuts, sums)
        return sums[:-1]


class LossSpool(Spool):
    """Loss of one reference minus loss of the learner, for each row of a regression."""

    def __init__(self) -> None:
        super().__init__(np.dtype(np.float64))

    def add(self, differences: Floats) -> None:
        """Keep the differences of further rows."""
        self._write(differences)

    def test(self) -> BatchMeansTest:
        """The learner against the reference."""
        cuts = cuts_of(self._rows)
        sums = np.zeros(len(cuts) + 1)
        moments = Moments()
        for row, differences in self._chunks():
            stop = row + len(differences)
            inside = cuts[(cuts > row) & (cuts < stop)]
            first = int(np.searchsorted(cuts, row, side="right"))
            found = np.add.reduceat(differences, np.r_[row, inside] - row)
            sums[first : first + len(found)] += found
            moments.add(differences)
        return decide(sums[:-1], self._rows, effective=moments.effective_rows)
