"""Label policies: when each row arrives and when its label is revealed (semantics §1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from streamgauge._support.argument_types import check_fields
from streamgauge._support.durations import Duration, duration, duration_text
from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import NEVER, Block, Floats, Longs


class Timetable(NamedTuple):
    """When the rows of a block arrive and their labels are revealed; made by a label policy.

    Times may be row numbers or any other integers that order arrivals and labels.

    Parameters
    ----------
    arrives
        The arrival time of each row.
    revealed
        The reveal time of each row's label.
    weight
        The weight of each row. A row of weight 0 is scored when its label is revealed, but not
        learned.
    leaves
        When each row stops waiting if its label has not come: a label revealed later never comes.
        A time before the row's arrival means that it does not wait at all. By default the reveal
        time: rows without a label leave when their label would have come.

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.SEA(4).blocks(4))
    >>> sg.Delay(2).timetable(block).revealed.tolist()
    [2, 3, 4, 5]
    """

    arrives: Longs
    revealed: Longs
    weight: Floats
    leaves: Longs | None = None


class LabelPolicy(Protocol):
    """Decides when labels are revealed; your own class may be one.

    A policy may declare `longest_wait`: every label is known before this many further rows are
    predicted. `compare` needs it for bounds that hold at every row, and checks it against the
    reveals of the run. `testing.check_label_policy` checks a policy.

    Examples
    --------
    All labels of a day of four rows come before the next day's first row:

    >>> import numpy as np
    >>> import streamgauge as sg
    >>> class Nightly:
    ...     labels_first = True
    ...     longest_wait = 4
    ...
    ...     def timetable(self, block):
    ...         row = np.arange(block.start, block.start + len(block))
    ...         return sg.Timetable(row, (row // 4 + 1) * 4, np.ones(len(block)))
    >>> stream = sg.from_arrays([[0]] * 8, list("abcdefgh"))
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=Nightly())
    >>> run.predictions["prediction"].to_pylist()  # the label revealed last
    [None, None, None, None, 'd', 'd', 'd', 'd']
    """

    @property
    def labels_first(self) -> bool:
        """Whether a label comes before a row that arrives at the same time."""
        ...

    def timetable(self, block: Block) -> Timetable:
        """The times of a block's rows. Must not depend on how the stream is cut into blocks."""
        ...


def with_seed(policy: LabelPolicy, seed: int) -> LabelPolicy:
    """The policy as a run uses it: random waits without a seed take the run's."""
    seeded = getattr(policy, "with_seed", None)
    return policy if seeded is None else seeded(seed)


def is_timed(policy: LabelPolicy) -> bool:
    """Whether a policy uses the stream's own times; all others count rows."""
    return bool(getattr(policy, "timed", False))


def longest_wait(policy: LabelPolicy) -> int | None:
    """After how many rows every label is known, as the policy declares; None if it does not."""
    declared: int | None = getattr(policy, "longest_wait", None)
    return declared


def needs_reveal_times(policy: LabelPolicy) -> bool:
    """Whether the stream has to say when labels are revealed."""
    return bool(getattr(policy, "needs_reveal_times", False))


def row_numbers(block: Block) -> Longs:
    """The rows of a block, which are the times of streams without any."""
    return np.arange(block.start, block.start + len(block), dtype=np.int64)


def times_after(arrives: Longs, timeout: int | None) -> Longs:
    """When rows stop waiting under a time-out; NEVER without one."""
    if timeout is None:
        return np.full(len(arrives), NEVER)
    latest = NEVER - 1 - timeout  # beyond it, the sum does not fit in 64 bits
    return np.where(arrives > latest, NEVER - 1, np.minimum(arrives, latest) + timeout)


def _arrivals(block: Block) -> Longs:
    return row_numbers(block) if block.arrives is None else block.arrives


@dataclass(frozen=True)
class Immediate:
    """Immediate labels: each label is revealed right after the row's own prediction.

    The default for streams without reveal times.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [0], [0], [0]], ["a", "b", "c", "d"])
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.Immediate())
    >>> run.predictions["prediction"].to_pylist()  # the label revealed last
    [None, 'a', 'b', 'c']
    """

    labels_first = True
    longest_wait = 1
    timed = True

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        arrives = _arrivals(block)
        return Timetable(arrives, arrives, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class Delay:
    """Delayed labels: the label of row t is revealed just before row t + n is predicted.

    Labels still to come after the last row are revealed in order, so every row is scored.
    `Delay(1)` gives the same predictions as `Immediate()`. `Delay(n)` is River's `delay=n` and
    MOA's `-k n`.

    Parameters
    ----------
    n
        Delay in rows, 1 or more.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [0], [0], [0]], ["a", "b", "c", "d"])
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.Delay(2))
    >>> run.predictions["prediction"].to_pylist()  # the label revealed last
    [None, None, 'a', 'b']
    """

    n: int
    labels_first = True

    def __post_init__(self) -> None:
        check_integer("Delay", self.n)
        if self.n < 1:
            raise UsageError(
                f"Delay({self.n}): a label cannot be revealed before its own row is predicted; "
                "use Delay(1) or Immediate() for labels that are revealed immediately"
            )

    def __repr__(self) -> str:
        return f"Delay({self.n})"

    @property
    def longest_wait(self) -> int:
        """Every label is known before this many further rows are predicted."""
        return self.n

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        rows = row_numbers(block)
        return Timetable(rows, rows + self.n, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class Chunks:
    """Labels in chunks: all labels of a chunk of n rows are revealed after its last row.

    Parameters
    ----------
    n
        Rows per chunk, 1 or more.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [0], [0], [0]], ["a", "b", "c", "d"])
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.Chunks(2))
    >>> run.predictions["prediction"].to_pylist()  # the label revealed last
    [None, None, 'b', 'b']
    """

    n: int
    labels_first = False

    def __post_init__(self) -> None:
        check_integer("Chunks", self.n)
        if self.n < 1:
            raise UsageError(f"Chunks({self.n}): expected at least one row per chunk")

    def __repr__(self) -> str:
        return f"Chunks({self.n})"

    @property
    def longest_wait(self) -> int:
        """Every label is known before this many further rows are predicted."""
        return self.n

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        rows = row_numbers(block)
        return Timetable(rows, (rows // self.n + 1) * self.n - 1, np.ones(len(block)))


@dataclass(frozen=True, repr=False)
class FromStream:
    """Labels at the stream's own reveal times.

    The stream carries a reveal time per row. Without arrival times, row numbers are the time.
    The default for streams with reveal times.

    Parameters
    ----------
    ties
        What comes first when a row arrives at the same time as a label is revealed:
        "arrivals_first" predicts the row without that label, "labels_first" with it.
    timeout
        How long a row waits for its label, in the stream's unit; on a stream with timestamps also
        a timedelta or a text such as "36h". A label that takes longer counts as never coming. By
        default rows wait to the end.

    References
    ----------
    grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays(
    ...     [[0], [0], [0]], ["a", "a", "b"], arrives=[0, 10, 20], revealed=[15, 40, 30]
    ... )
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.FromStream())
    >>> run.predictions["row"].to_pylist()  # in the order of the reveal times
    [0, 2, 1]
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.FromStream(timeout=20))
    >>> run.predictions["row"].to_pylist()  # the label of row 1 takes 30
    [0, 2]
    """

    ties: Literal["arrivals_first", "labels_first"] = "arrivals_first"
    timeout: Duration | None = None
    timed = True
    needs_reveal_times = True

    def __post_init__(self) -> None:
        check_fields(self)
        if self.ties not in ("arrivals_first", "labels_first"):
            raise UsageError(
                f"FromStream(ties={self.ties!r}): expected ties='arrivals_first' or "
                "ties='labels_first'"
            )
        if self.timeout is not None:
            duration("FromStream(timeout)", self.timeout)

    def __repr__(self) -> str:
        given = [repr(self.ties)] if self.labels_first else []
        if self.timeout is not None:
            given.append(f"timeout={duration_text(self.timeout)}")
        return f"FromStream({', '.join(given)})"

    @property
    def labels_first(self) -> bool:
        """Whether a label comes before a row that arrives at the same time."""
        return self.ties == "labels_first"

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        if block.revealed is None:
            raise UsageError(
                "FromStream() needs a stream with reveal times: name their column, "
                "e.g. read(..., arrives='planned', revealed='actual')"
            )
        arrives = _arrivals(block)
        longest = None if self.timeout is None else duration("FromStream(timeout)", self.timeout)
        leaves = times_after(arrives, longest)
        return Timetable(arrives, block.revealed, np.ones(len(block)), leaves)
