"""Checks of label policies."""

from __future__ import annotations

import copy

import numpy as np

from streamgauge._support.errors import InputError, UsageError
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.timetables import check_policy, timetable_of
from streamgauge.streams.base import Stream
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing._require import require, require_equal
from streamgauge.testing._streams import (
    BLOCK_SIZES,
    ONE_BLOCK,
    change_labels,
    example_stream,
    read_all,
)

_COLUMNS = ("arrives", "revealed", "weight", "leaves")


def check_label_policy(policy: LabelPolicy, stream: Stream | None = None) -> None:
    """Assert everything that streamgauge expects of a label policy.

    Each row has integer times and a weight of 0 or more, which depend neither on how the stream is
    cut into blocks nor on labels; rows arrive in order, and no label is revealed before its row
    arrives.

    Parameters
    ----------
    policy
        The label policy.
    stream
        The stream to try it on, by default `example_stream()`.

    Raises
    ------
    AssertionError
        The policy fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> sg.testing.check_label_policy(sg.Delay(10))
    >>> class Early(sg.Immediate):
    ...     def timetable(self, block):
    ...         times = super().timetable(block)
    ...         return times._replace(revealed=times.revealed - 1)
    >>> try:
    ...     sg.testing.check_label_policy(Early())
    ... except AssertionError as error:
    ...     print(error)
    the label of row 0 is revealed before the row arrives
    """
    stream = stream or example_stream()
    try:
        check_policy(policy)
        whole = _timetable(policy, stream, ONE_BLOCK)
    except (UsageError, InputError) as error:
        raise AssertionError(str(error)) from error
    arrives, revealed, _, _ = whole
    require((np.diff(arrives) >= 0).all(), "arrival times are not in ascending order")
    early = revealed < arrives
    require(
        not early.any(),
        f"the label of row {int(np.argmax(early))} is revealed before the row arrives",
    )
    for size in BLOCK_SIZES:
        in_blocks = _timetable(policy, stream, size)
        for name, one, other in zip(_COLUMNS, whole, in_blocks, strict=True):
            require_equal(one, other, f"blocks of {size} rows change {name}")
    changed = ArrayStream("changed", stream.schema, change_labels(read_all(stream), 0))
    others = _timetable(policy, changed, ONE_BLOCK)
    for name, one, other in zip(_COLUMNS, whole, others, strict=True):
        require_equal(one, other, f"other labels change {name}")


def _timetable(policy: LabelPolicy, stream: Stream, size: int) -> list[np.ndarray]:
    policy = copy.deepcopy(policy)
    parts = []
    for block in stream.blocks(size):
        times = timetable_of(policy, block)
        leaves = times.revealed if times.leaves is None else times.leaves
        parts.append((times.arrives, times.revealed, times.weight, leaves))
    return [np.concatenate(column) for column in zip(*parts, strict=True)]
