"""What a label policy answers, checked: kernels take its times and weights as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import NEVER, Block, Longs, Mask
from streamgauge.prequential.labels import LabelPolicy, Timetable, longest_wait


def check_policy(policy: LabelPolicy) -> None:
    """Raise an error for a policy that declares nonsense."""
    labels_first = getattr(policy, "labels_first", None)
    if not isinstance(labels_first, bool | np.bool_):
        raise UsageError(
            f"{policy!r}: labels_first is {labels_first!r}; expected True or False: whether a "
            "label comes before a row that arrives at the same time"
        )
    wait = longest_wait(policy)
    if wait is not None:
        check_integer(f"{policy!r}: longest_wait", wait)
        if wait < 1:
            raise UsageError(
                f"{policy!r}: longest_wait is {wait}; expected 1 or more rows, or None if waits "
                "have no bound"
            )


def timetable_of(policy: LabelPolicy, block: Block) -> Timetable:
    """The times of a block's rows: one integer per row, with weights that are 0 or more."""
    given: object = policy.timetable(block.read_only())
    if not isinstance(given, Timetable):
        raise UsageError(
            f"{policy!r}: timetable() returned {type(given).__name__}; expected a Timetable"
        )
    weight = _column(policy, "weight", given.weight, block, "fiub")
    usable = (weight >= 0) & (weight < np.inf)
    _check_rows(policy, block, usable, "has the weight", weight, "a finite number, 0 or more")
    arrives = _times(policy, "arrives", given.arrives, block)
    inside = (arrives >= -NEVER) & (arrives < NEVER)
    _check_rows(policy, block, inside, "arrives at", arrives, "times from -(2^63 - 1) to 2^63 - 2")
    return Timetable(
        arrives,
        _times(policy, "revealed", given.revealed, block),
        weight.astype(np.float64, copy=False),
        None if given.leaves is None else _times(policy, "leaves", given.leaves, block),
    )


def _check_rows(
    policy: LabelPolicy, block: Block, right: Mask, what: str, values: npt.NDArray[Any],
    expected: str,
) -> None:  # fmt: skip
    if not right.all():
        i = int(right.argmin())
        row = block.start + i
        raise InputError(
            f"{policy!r}: row {row:,} {what} {values[i]}; expected {expected}", row=row
        )


def _times(policy: LabelPolicy, name: str, given: object, block: Block) -> Longs:
    times = _column(policy, name, given, block, "iu")
    if times.dtype.kind == "u" and (times > NEVER).any():
        raise UsageError(f"{policy!r}: {name} has times of 2^63 and more; expected 64-bit integers")
    return times.astype(np.int64, copy=False)


def _column(
    policy: LabelPolicy, name: str, given: object, block: Block, kinds: str
) -> npt.NDArray[Any]:
    values = np.asarray(given)
    if values.shape != (len(block),):
        raise UsageError(
            f"{policy!r}: {name} has the shape {values.shape} for the {len(block):,} rows from row "
            f"{block.start:,} on; expected one value per row"
        )
    if not len(values):  # an empty list has no type
        return np.empty(0)
    if values.dtype.kind not in kinds:
        expected = "integers" if kinds == "iu" else "numbers"
        raise UsageError(f"{policy!r}: {name} has the type {values.dtype}; expected {expected}")
    return values
