"""Temporal injection (ziffer2024): each label becomes the mode of itself and those before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import Block, Codes, Longs
from streamgauge.streams.base import Stream


def inject(stream: Stream, order: int = 2) -> Stream:
    """The same rows; each label is the mode of its own and the `order` labels before it.

    It is always the mode of original labels; ties go to the tied label that was seen last, also at
    the start, where there are fewer. Rows without a label stay without one and are skipped in
    counting back. Times stay: the new label of a row is revealed when its own would have been.
    `order` is even, so that two classes never tie; 0 leaves the stream as it is.

    >>> labels = [0, 1, 0, 0, 1, 1, 0, 1]
    >>> from streamgauge import from_arrays
    >>> injected = inject(from_arrays([[0.0]] * 8, labels, classes=[0, 1]), order=2)
    >>> next(injected.blocks(8)).y.tolist()
    [0, 1, 0, 0, 0, 1, 1, 1]
    """
    if not isinstance(stream, Stream):
        raise UsageError(
            f"inject: {type(stream).__name__} is no stream; make one with load, read, from_frame, "
            "from_arrays or from_rows"
        )
    check_integer("inject: order", order)
    if order < 0 or order % 2:
        raise UsageError(
            f"inject: order={order}; expected an even number, 0 or more: with an odd one the "
            "label and those before it could tie"
        )
    if order == 0:
        return stream
    if stream.schema.regression:
        raise UsageError(
            f"inject: {stream.name} is for regression, and numbers have no mode; expected a stream "
            "of classes: declare task='classification' or classes=[...]"
        )
    return _Injected(stream, int(order))


class _Injected(Stream):
    def __init__(self, source: Stream, order: int) -> None:
        self._source, self._order = source, order
        self.name = f"inject({source.name}, order={order})"
        self.schema, self.rows = source.schema, source.rows
        self.drifts, self.skipped = source.drifts, source.skipped

    def fingerprint(self) -> str:
        return f"inject({self._source.fingerprint()}, order={self._order})"

    def blocks(self, size: int) -> Iterator[Block]:
        window = np.full(self._order + 1, -1, np.int64)
        counts = np.zeros(len(self.schema.classes), np.int64)
        newest = np.zeros(1, np.int64)
        for block in self._source.blocks(size):
            yield replace(block, y=_modes(block.y, window, counts, newest))


@kernel
def _modes(y: Codes, window: Longs, counts: Longs, newest: Longs) -> Codes:
    """The mode at each label. `window`: the last labels, a ring whose newest is at `newest`;
    `counts`: how often each class is in it."""
    modes, at, size = np.empty(len(y), np.int32), newest[0], len(window)
    for i in range(len(y)):
        modes[i] = y[i]
        if y[i] < 0:
            continue
        at = at + 1 if at + 1 < size else 0
        if window[at] >= 0:
            counts[window[at]] -= 1
        window[at] = y[i]
        counts[y[i]] += 1
        best = y[i]
        for back in range(1, size):  # from new to old: of tied labels the newest stays
            label = window[at - back]
            if label < 0:
                break
            if counts[label] > counts[best]:
                best = label
        modes[i] = best
    newest[0] = at
    return modes
