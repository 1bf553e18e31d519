"""Sampled: only some of the labels are revealed, the others never (semantics §1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from typing import Literal

import numpy as np

from streamgauge._support.argument_types import check_fields
from streamgauge._support.errors import UsageError, check_seed
from streamgauge._support.rng import uniform
from streamgauge._support.types import NEVER, Block
from streamgauge.prequential.labels import (
    Immediate,
    LabelPolicy,
    Timetable,
    is_timed,
    longest_wait,
    needs_reveal_times,
    row_numbers,
    with_seed,
)
from streamgauge.prequential.timetables import check_policy, timetable_of

_STREAM = 2  # sets the draws apart from other random numbers with the same seed


@dataclass(frozen=True, repr=False)
class Sampled:
    """Sampled labels: each label is revealed with probability p, or else never.

    Whether a label is drawn is known when its row arrives, so other rows do not wait for it.

    Parameters
    ----------
    p
        Probability that a label is revealed, 0 < p <= 1.
    score
        "revealed" scores the rows whose labels are revealed. "all" scores every row: a label that
        is not drawn is used for scoring only, and no learner or reference sees it.
    seed
        Random seed; by default the run's. Whether a label is revealed depends on the seed and the
        row number only.
    labels
        When the labels drawn are revealed: a label policy such as `Delay(100)`. By default
        immediately.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.SEA(1000, seed=1)
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=sg.Sampled(0.1))
    >>> run.counts.scored, run.counts.unlabelled
    (100, 900)
    >>> late = sg.Sampled(0.1, labels=sg.Delay(100))
    >>> run = sg.evaluate(stream, sg.Persistent(), labels=late)
    >>> run.counts.scored, round(run.overall["coverage"], 2)  # the first rows have no label before
    (100, 0.9)
    """

    p: float
    score: Literal["revealed", "all"] = "revealed"
    seed: int | None = None
    labels: LabelPolicy = Immediate()  # noqa: RUF009 - it is immutable

    def __post_init__(self) -> None:
        if not isinstance(self.p, Real) or not 0 < self.p <= 1:
            raise UsageError(f"Sampled({self.p!r}): expected a probability, 0 < p <= 1")
        check_fields(self)
        if self.score not in ("revealed", "all"):
            raise UsageError(
                f"Sampled(score={self.score!r}): expected score='revealed' or score='all'"
            )
        if self.seed is not None:
            check_seed("Sampled", self.seed)
        if not hasattr(self.labels, "timetable") or isinstance(self.labels, Sampled):
            raise UsageError(
                f"Sampled(labels={self.labels!r}): expected the label policy of the labels drawn, "
                "such as Delay(100)"
            )
        check_policy(self.labels)

    def __repr__(self) -> str:
        more = f", score={self.score!r}" if self.score != "revealed" else ""
        more += "" if self.seed is None else f", seed={self.seed}"
        more += f", labels={self.labels!r}" if self.labels != Immediate() else ""
        return f"Sampled({self.p!r}{more})"

    @property
    def labels_first(self) -> bool:
        """Whether a label comes before a row that arrives at the same time."""
        return self.labels.labels_first

    @property
    def longest_wait(self) -> int | None:
        """Every label that comes is known before this many further rows are predicted."""
        return longest_wait(self.labels)

    @property
    def timed(self) -> bool:
        """Whether the times are the stream's own."""
        return is_timed(self.labels)

    @property
    def needs_reveal_times(self) -> bool:
        """Whether the stream has to say when labels are revealed."""
        return needs_reveal_times(self.labels)

    def with_seed(self, seed: int) -> Sampled:
        """This policy and that of its labels with this seed, unless they have their own."""
        own = seed if self.seed is None else self.seed
        return replace(self, seed=own, labels=with_seed(self.labels, seed))

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        times = timetable_of(self.labels, block)
        drawn = uniform(row_numbers(block), self.seed or 0, _STREAM) < self.p
        if self.score == "all":
            return times._replace(weight=np.where(drawn, times.weight, 0.0))
        leaves = times.revealed if times.leaves is None else times.leaves
        return times._replace(
            revealed=np.where(drawn, times.revealed, NEVER),
            leaves=np.where(drawn, leaves, times.arrives - 1),
        )
