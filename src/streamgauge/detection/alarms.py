"""Alarms against true drifts: detections with their delay, misses, repeats, false alarms.

A drift starts at position − width/2. Its window lasts until the next drift starts, or for `accept`
rows if that is shorter. The first alarm in the window detects the drift, further ones are repeats;
alarms outside all windows are false (semantics §11).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.types import Drift, Floats, Longs

MEASURES = (
    "runs", "rows", "alarms", "drifts", "detections", "misses", "repeats", "false_alarms",
    "rows_outside", "miss_rate", "mtd", "delay_sd", "mean_wait", "false_alarm_rate", "mtfa", "mtr",
    "missed_share", "false_share",
)  # fmt: skip


@dataclass(frozen=True)
class AlarmScore:
    """The score of one detector's alarms over one run or several.

    Rates are NaN if their denominator is 0. A missed drift has no delay.

    Attributes
    ----------
    runs
        Number of runs.
    rows
        Number of rows in all runs.
    drifts
        Number of true drifts.
    delays
        Rows from the start of each detected drift to its first alarm.
    misses
        Number of drifts without an alarm.
    repeats
        Number of further alarms for a drift already detected.
    false_alarms
        Number of alarms outside all windows.
    rows_outside
        Number of rows outside all windows.
    runs_with_miss, runs_with_false_alarm
        Number of runs with at least one miss, and with at least one false alarm.
    missed_rows
        Number of rows in the windows of the missed drifts.

    References
    ----------
    bifet2013b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> score = sg.score_detectors([40, 130, 190], drifts=[100], n=200)["alarms"]
    >>> score.mtd, score.mtfa, round(score.mtr, 2)
    (30.0, 100.0, 3.33)
    """

    runs: int
    rows: int
    drifts: int
    delays: Floats = field(repr=False)  # per detection, in rows from the start of the drift
    misses: int
    repeats: int
    false_alarms: int
    rows_outside: int  # outside all windows
    runs_with_miss: int
    runs_with_false_alarm: int
    missed_rows: float

    @property
    def alarms(self) -> int:
        """Number of alarms."""
        return self.detections + self.repeats + self.false_alarms

    @property
    def detections(self) -> int:
        """Number of drifts detected."""
        return len(self.delays)

    @property
    def miss_rate(self) -> float:
        """Fraction of drifts missed."""
        return self.misses / self.drifts if self.drifts else math.nan

    @property
    def mtd(self) -> float:
        """Mean time to detection, over the drifts detected."""
        return float(self.delays.mean()) if self.detections else math.nan

    @property
    def delay_sd(self) -> float:
        """Standard deviation of the delays."""
        return float(self.delays.std(ddof=1)) if self.detections > 1 else math.nan

    @property
    def mean_wait(self) -> float:
        """Mean rows from the start of a drift to its alarm; a miss counts its whole window."""
        waited = float(self.delays.sum()) + self.missed_rows
        return waited / self.drifts if self.drifts else math.nan

    @property
    def false_alarm_rate(self) -> float:
        """False alarms per row outside all windows."""
        return self.false_alarms / self.rows_outside if self.rows_outside else math.nan

    @property
    def mtfa(self) -> float:
        """Mean time between false alarms; NaN without any (it exceeds `rows_outside`)."""
        return self.rows_outside / self.false_alarms if self.false_alarms else math.nan

    @property
    def mtr(self) -> float:
        """MTFA / MTD · (1 − miss rate); higher is better."""
        return self.mtfa / self.mtd * (1 - self.miss_rate) if self.mtd > 0 else math.nan

    @property
    def missed_share(self) -> float:
        """Fraction of runs with a miss."""
        return self.runs_with_miss / self.runs

    @property
    def false_share(self) -> float:
        """Fraction of runs with a false alarm."""
        return self.runs_with_false_alarm / self.runs

    def to_dict(self) -> dict[str, Any]:
        """The score as plain values."""
        return {name: getattr(self, name) for name in MEASURES}


def score_run(alarms: Longs, drifts: Sequence[Drift], n: int, accept: int | None) -> AlarmScore:
    """The score of one detector's alarms in one run of n rows."""
    (score,) = score_draws(alarms, np.zeros(len(alarms), np.int64), 1, drifts, n, accept)
    return score


def score_draws(
    alarms: Longs, draw: Longs, draws: int, drifts: Sequence[Drift], n: int, accept: int | None
) -> list[AlarmScore]:
    """The score of each draw of the alarms in one run; `draw[i]` is the draw of alarm i.

    The alarms of a draw are in the order of their rows.
    """
    starts, ends = windows(drifts, accept)
    # An alarm is in the window of the drift that started last, unless that window has ended.
    window = np.searchsorted(starts, alarms, side="right") - 1
    inside = window >= 0
    inside[inside] = alarms[inside] < ends[window[inside]]
    found, first = np.unique(draw[inside] * len(starts) + window[inside], return_index=True)
    delays = np.full((draws, len(starts)), np.nan)
    delays.flat[found] = alarms[inside][first] - starts[window[inside][first]]
    missed = np.isnan(delays)
    misses = missed.sum(axis=1)
    in_windows = np.bincount(draw[inside], minlength=draws)
    false = np.bincount(draw[~inside], minlength=draws)
    covered = np.clip(np.ceil(np.column_stack([starts, ends])), 0, n)  # row numbers are integers
    outside = n - int(np.diff(covered).sum())
    missed_rows = missed @ (np.minimum(ends, n) - starts)
    return [
        AlarmScore(
            1, n, len(drifts), delays[i][~missed[i]], int(misses[i]),
            int(in_windows[i] - len(drifts) + misses[i]), int(false[i]), outside,
            int(misses[i] > 0), int(false[i] > 0), float(missed_rows[i]),
        )
        for i in range(draws)
    ]  # fmt: skip


def windows(drifts: Sequence[Drift], accept: int | None) -> tuple[Floats, Floats]:
    """Where the window of each drift starts, and where it ends: the last one at no row."""
    starts = np.array([drift.position - drift.width / 2 for drift in drifts])
    ends = np.append(starts[1:], np.inf)[: len(starts)]
    return starts, ends if accept is None else np.minimum(ends, starts + accept)


def pooled(scores: Sequence[AlarmScore]) -> AlarmScore:
    """The scores of several runs as one."""

    def total(name: str) -> Any:
        return sum(getattr(score, name) for score in scores)

    return AlarmScore(
        total("runs"), total("rows"), total("drifts"),
        np.concatenate([score.delays for score in scores]), total("misses"), total("repeats"),
        total("false_alarms"), total("rows_outside"), total("runs_with_miss"),
        total("runs_with_false_alarm"), total("missed_rows"),
    )  # fmt: skip


def check_accept(accept: int | None) -> None:
    """Check how long after its start a drift may be detected."""
    if accept is not None:
        check_integer("accept", accept)
        if accept < 1:
            raise UsageError(f"accept={accept}: expected 1 row or more, or None for no limit")


def as_drifts(drifts: object, n: int) -> tuple[Drift, ...]:
    """True drifts, given as positions or (position, width), in the order they start."""
    found = []
    for each in drifts if isinstance(drifts, Sequence | np.ndarray) else [drifts]:
        pair = tuple(each) if isinstance(each, Sequence) else (each, 0)
        if len(pair) != 2:
            raise UsageError(f"drifts: got {each!r}; expected a row, or a row and a width")
        for number in pair:
            check_integer("drifts", number)
        drift = Drift(int(pair[0]), int(pair[1]))
        if not 0 <= drift.position < n or drift.width < 0:
            raise UsageError(
                f"drifts: got row {drift.position:,}, width {drift.width:,}, in a stream of {n:,} "
                "rows; expected a row of the stream, counted from 0, and a width of 0 or more"
            )
        found.append(drift)
    found.sort(key=lambda drift: 2 * drift.position - drift.width)
    for one, other in itertools.pairwise(found):
        if 2 * one.position - one.width == 2 * other.position - other.width:
            raise UsageError(
                f"drifts: two drifts start at row {one.position - one.width / 2:,.1f}; expected "
                "distinct starts, so that an alarm detects one drift"
            )
    return tuple(found)


def as_alarms(alarms: npt.ArrayLike, n: int, who: str) -> Longs:
    """Rows of alarms, sorted; rows may repeat where many labels are revealed at once."""
    found = np.asarray(alarms)
    if found.size == 0:
        return np.empty(0, np.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise InputError(
            f"alarms of {who}: got {found.ndim} dimension(s) of {found.dtype}; expected a list of "
            "integer row numbers"
        )
    wrong = (found < 0) | (found >= n)
    if wrong.any():
        raise InputError(
            f"alarms of {who}: row {int(found[np.argmax(wrong)]):,} is outside a stream of "
            f"{n:,} rows; expected rows counted from 0"
        )
    return np.sort(found.astype(np.int64))
