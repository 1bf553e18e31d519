"""Temporal injection (ziffer2024): replace each label by the mode of itself and earlier labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import Block, Codes, Longs
from streamgauge.streams.base import Stream, View, check_streams
from streamgauge.streams.blocks import check_codes
from streamgauge.streams.origin import Origin

_MOST_LABELS = 100_000  # that each label is compared with


def inject(stream: Stream, order: int = 2) -> Stream:
    """Return the same rows with temporally dependent labels.

    Each label becomes the mode of itself and the `order` original labels before it. Ties go to the
    tied label seen last, also at the start, where fewer labels are available. Unlabelled rows stay
    unlabelled and do not count. Times do not change: the new label is revealed when the original
    one would have been.

    Parameters
    ----------
    stream
        A classification stream.
    order
        Number of earlier labels; even, so that two classes never tie. 0 returns `stream` itself.

    Returns
    -------
    Stream
        The same rows with other labels.

    References
    ----------
    ziffer2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0.0]] * 8, [0, 1, 0, 0, 1, 1, 0, 1])
    >>> injected = sg.inject(stream, order=2)
    >>> next(injected.blocks(8)).y.tolist()
    [0, 1, 0, 0, 0, 1, 1, 1]
    """
    check_streams("inject", stream)
    check_integer("inject: order", order)
    if order < 0 or order % 2:
        raise UsageError(
            f"inject: order={order}; expected an even number, 0 or more: with an odd order, two "
            "classes could tie"
        )
    if order > _MOST_LABELS:
        raise UsageError(f"inject: order={order}; expected at most {_MOST_LABELS:,} labels")
    if order == 0:
        return stream
    if stream.schema.regression:
        raise UsageError(
            f"inject: {stream.name} is a regression stream; expected a stream with classes: "
            "declare task='classification' or classes=[...]"
        )
    return _Injected(stream, int(order))


class _Injected(View):
    def __init__(self, source: Stream, order: int) -> None:
        self._source, self._order = source, order
        self.name = f"inject({source.name}, order={order})"
        self._origin = Origin("inject", {"order": order}, (source.origin,), same_rows=True)
        self.schema, self.rows = source.schema, source.rows
        self.drifts, self.skipped = source.drifts, source.skipped

    def _again(self, source: Stream) -> Stream:
        return inject(source, self._order)

    def fingerprint(self) -> str:
        return f"inject({self._source.fingerprint()}, order={self._order})"

    def blocks(self, size: int) -> Iterator[Block]:
        window = np.full(self._order + 1, -1, np.int64)
        counts = np.zeros(len(self.schema.classes), np.int64)
        newest = np.zeros(1, np.int64)
        for block in self._source.blocks(size):
            check_codes(block, self.schema, self.name)
            yield replace(block, y=_modes(block.y, window, counts, newest))


@kernel
def _modes(y: Codes, window: Longs, counts: Longs, newest: Longs) -> Codes:
    """Compute the mode at each label.

    `window` is a ring buffer of the last labels, the newest at `newest`; `counts` is the number of
    labels of each class in it.
    """
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
        for back in range(1, size):  # newest first, so that the newest of tied labels wins
            label = window[at - back]
            if label < 0:
                break
            if counts[label] > counts[best]:
                best = label
        modes[i] = best
    newest[0] = at
    return modes
