"""Oracle for how long each label policy lets a row wait, semantics §1, §8.

Written case by case: for each row its arrival, when its label comes if it does, and when it stops
waiting if it does not.
"""

from collections.abc import Sequence

from tests.oracles.reevaluation import Row

Label = int | None  # None: the row has no label


def immediate(y: Sequence[Label]) -> list[Row]:
    """ "Right after the row's own prediction"; "missing labels leave at their due time"."""
    return [_row(t, t, t, label) for t, label in enumerate(y)]


def delay(y: Sequence[Label], n: int) -> list[Row]:
    """ "Row t is revealed just before row t+n is predicted"."""
    return [_row(t, t + n, t + n, label) for t, label in enumerate(y)]


def chunks(y: Sequence[Label], n: int) -> list[Row]:
    """ "All labels of a chunk of n rows together, after its last row"."""
    rows = []
    for t, label in enumerate(y):
        last = t
        while (last + 1) % n != 0:
            last += 1
        rows.append(_row(t, last, last, label))
    return rows


def from_stream(
    y: Sequence[Label], arrives: Sequence[int], revealed: Sequence[int | None], timeout: int | None
) -> list[Row]:
    """ "Rows wait until the policy's timeout= (none by default)"; a later label never comes."""
    rows = []
    for label, arrival, reveal in zip(y, arrives, revealed, strict=True):
        leaves = None if timeout is None else arrival + timeout
        comes = reveal is not None and (leaves is None or reveal <= leaves)
        rows.append(_row(arrival, reveal if comes else None, leaves, label))
    return rows


def sampled(rows: Sequence[Row], drawn: Sequence[bool], score_all: bool) -> list[Row]:
    """ "`Sampled` decides at arrival (undrawn rows do not wait)".

    With score="all" they are scored with the others, so they wait as well, and are never learned.
    """
    out = []
    for row, chosen in zip(rows, drawn, strict=True):
        if chosen:
            out.append(row)
        elif score_all:
            out.append(Row(row.arrives, row.revealed, row.y, 0.0, row.leaves))
        else:
            out.append(Row(row.arrives, None, row.y, 1.0, row.arrives - 1))
    return out


def _row(arrives: int, revealed: int | None, leaves: int | None, label: Label) -> Row:
    if label is None:
        return Row(arrives, None, -1, 1.0, leaves)
    return Row(arrives, revealed, label, 1.0, leaves)
