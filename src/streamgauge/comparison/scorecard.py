"""`score_alarms`: the alarms of detectors against the true drifts, with dummy detectors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Drift, Longs
from streamgauge.comparison._independence import Dependence, dependence_of
from streamgauge.comparison.alarms import (
    AlarmScore,
    as_alarms,
    as_drifts,
    check_accept,
    pooled,
    score_run,
)
from streamgauge.detectors.base import Detector, feed
from streamgauge.detectors.never_alarm import NeverAlarm
from streamgauge.detectors.periodic_alarm import PeriodicAlarm
from streamgauge.detectors.random_alarm import RandomAlarm
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.text_table import align

FORMAT = "streamgauge.scorecard/1"
_CHUNK_ROWS = 8192


@runtime_checkable
class Detected(Protocol):
    """The result of `detect`: alarms of detectors, by row, over one run."""

    @property
    def alarms(self) -> Mapping[str, Longs]: ...
    @property
    def drifts(self) -> tuple[Drift, ...] | None: ...  # None: unknown
    @property
    def n(self) -> int: ...
    @property
    def dependence(self) -> Dependence: ...


class _RunAlarms(NamedTuple):
    """The alarms of all detectors in one run."""

    alarms: dict[str, Longs]
    drifts: tuple[Drift, ...]
    n: int


@dataclass(frozen=True, repr=False)
class Scorecard:
    """The scores of detectors against the true drifts; print it for a report.

    `card["DDM()"]` is the score of one detector or dummy.

    Attributes
    ----------
    scores
        The score of each detector.
    dummies
        The score of each detector that ignores the errors.
    accept
        A drift counts as detected within this many rows; None: until the next one starts.
    dependence
        The lag-1 autocorrelation of the errors within concepts.

    References
    ----------
    bifet2013b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_alarms({"late": [180], "early": [110, 150]}, drifts=[100], n=200)
    >>> [(name, score.mtd) for name, score in card.scores.items()]
    [('late', 80.0), ('early', 10.0)]
    """

    scores: dict[str, AlarmScore]
    dummies: dict[str, AlarmScore]
    accept: int | None
    dependence: Dependence = field(default_factory=Dependence.unknown)

    def __getitem__(self, name: str) -> AlarmScore:
        every = self.scores | self.dummies
        if name not in every:
            raise UsageError(f"no score of {name!r}; expected one of {', '.join(every)}")
        return every[name]

    @property
    def runs(self) -> int:
        """Number of runs scored."""
        return next(iter(self.scores.values())).runs

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain values, as `--json` writes them (docs/json.md); undefined is None."""
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "accept": self.accept,
                "scores": {name: score.to_dict() for name, score in self.scores.items()},
                "dummies": {name: score.to_dict() for name, score in self.dummies.items()},
                "dependence": self.dependence.to_dict(),
                "notes": self.notes(),
            }
        )
        return values

    def to_frame(self, kind: str | None = None) -> Any:
        """A frame of "pandas", "polars" or "arrow" with one line per detector."""
        lines = [
            {"detector": name, "dummy": name in self.dummies, **score.to_dict()}
            for name, score in (self.scores | self.dummies).items()
        ]
        return frame_of(pa.Table.from_pylist(lines), kind)

    def notes(self) -> list[str]:
        """Warnings about detectors no better than a dummy, and about dependent errors."""
        return [*self._no_better(), *self.dependence.warning()]

    def __str__(self) -> str:
        notes = self.notes()
        return "\n".join([self._head(), "", self._table(), *([""] if notes else []), *notes])

    __repr__ = __str__

    def _head(self) -> str:
        first = next(iter(self.scores.values()))
        runs = f"{first.runs} runs, " if first.runs > 1 else ""
        drifts = f"{first.drifts} true drift{'' if first.drifts == 1 else 's'}"
        if not first.drifts:
            return f"{runs}{first.rows:,} rows without a drift: every alarm is false"
        limit = "before the next one" if self.accept is None else f"within {self.accept:,} rows"
        return f"{runs}{drifts} in {first.rows:,} rows, detected if an alarm follows {limit}"

    def _table(self) -> str:
        many = self.runs > 1
        head = ["", "alarms", "detected", "missed", "delay", "repeats", "false"]
        lines = [[*head, "rows per false alarm", "MTR"] + ["(miss; false)"] * many]
        for name, score in (self.scores | self.dummies).items():
            line = [
                name,
                f"{score.alarms:,}",
                str(score.detections),
                str(score.misses),
                _delay(score),
                str(score.repeats),
                str(score.false_alarms),
                _between(score),
                "-" if math.isnan(score.mtr) else f"{score.mtr:.3g}",
            ]
            lines.append(line + [f"({score.missed_share:.0%}; {score.false_share:.0%})"] * many)
        return align(lines)

    def _no_better(self) -> list[str]:
        """A sentence per detector that a dummy equals."""
        notes = []
        for name, score in self.scores.items():
            equals = [
                dummy
                for dummy, blind in self.dummies.items()
                if blind.alarms
                and score.drifts
                and blind.detections >= score.detections > 0
                and blind.false_alarms <= score.false_alarms
                and blind.mtd <= score.mtd
                and dummy != name
            ]
            if equals:
                notes.append(
                    f"{name} did no better here than {equals[0]}, which never looks at the errors."
                )
        return notes


def score_alarms(
    alarms: Any,
    drifts: Any = None,
    n: int | Sequence[int] | None = None,
    accept: int | None = None,
    *,
    errors: npt.ArrayLike | Sequence[npt.ArrayLike] | None = None,
    dummies: Sequence[Detector] | None = None,
) -> Scorecard:
    """Score alarms against true drifts.

    Parameters
    ----------
    alarms
        The rows of one detector's alarms; a list of such lists, one per run; a dict of either, by
        detector; or the result of `detect`, for one run or a list of runs.
    drifts
        The true drifts in all runs, as rows or (row, width); [] = no drift.
    n
        Rows in the stream, or a list of row counts, one per run. Results of `detect` need neither
        `drifts` nor `n`.
    accept
        A drift counts as detected within this many rows. Default: until the next one starts.
    errors
        The errors of each run that the detectors were fed, for the test of independence.
    dummies
        Detectors to compare with that ignore the errors. Default: NeverAlarm, and PeriodicAlarm
        and RandomAlarm with as many alarms as the busiest detector.

    Returns
    -------
    Scorecard
        The score of each detector and of each dummy; print it for a report.

    Raises
    ------
    InputError
        If an alarm is outside the stream.

    References
    ----------
    bifet2013b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_alarms([40, 130, 190], drifts=[100], n=200)
    >>> score = card["alarms"]
    >>> score.delays.tolist(), score.repeats, score.false_alarms
    ([30.0], 1, 1)
    """
    check_accept(accept)
    if isinstance(alarms, Detected):
        alarms = [alarms]
    if _is_detected(alarms):
        runs = [_from_detected(each, drifts) for each in alarms]
        dependence = Dependence.pooled([each.dependence for each in alarms])
    else:
        runs = _from_rows(alarms, drifts, n)
        dependence = _dependence(errors, runs)
    names = list(runs[0].alarms)
    scores = {name: _over([run.alarms[name] for run in runs], runs, accept) for name in names}
    chosen = _default_dummies(scores) if dummies is None else dummies
    return Scorecard(
        scores,
        {
            repr(blind): _over(_blind(blind, runs), runs, accept)
            for blind in chosen
            if repr(blind) not in scores
        },
        accept,
        dependence,
    )


def _over(alarms: Sequence[Longs], runs: Sequence[_RunAlarms], accept: int | None) -> AlarmScore:
    return pooled(
        [score_run(each, run.drifts, run.n, accept) for each, run in zip(alarms, runs, strict=True)]
    )


def _is_detected(alarms: Any) -> bool:
    listed = isinstance(alarms, Sequence) and len(alarms) > 0
    return listed and all(isinstance(each, Detected) for each in alarms)


def _from_detected(detected: Detected, drifts: Any) -> _RunAlarms:
    known = detected.drifts if drifts is None else drifts
    if known is None:
        raise UsageError(
            "the true drifts are unknown; pass their rows, drifts=[...], or drifts=[] for no drift"
        )
    alarms = {name: np.sort(each) for name, each in detected.alarms.items()}
    return _RunAlarms(alarms, as_drifts(known, detected.n), detected.n)


def _from_rows(alarms: Any, drifts: Any, n: int | Sequence[int] | None) -> list[_RunAlarms]:
    """Alarms given as rows, one item per run."""
    if drifts is None or n is None:
        raise UsageError(
            "score_alarms: expected drifts=[...], the rows of the true drifts ([] = no drift), and "
            "n, the number of rows"
        )
    by_name = alarms if isinstance(alarms, Mapping) else {"alarms": alarms}
    if not by_name:
        raise UsageError("alarms: got an empty dict; expected {name: rows, ...}")
    runs = {name: _runs(each) for name, each in by_name.items()}
    count = len(next(iter(runs.values())))
    if any(len(each) != count for each in runs.values()):
        lengths = {name: len(each) for name, each in runs.items()}
        raise UsageError(f"alarms: runs per detector: {lengths}; expected the same number for all")
    rows = [n] * count if isinstance(n, int | np.integer) else list(n)
    if len(rows) != count:
        raise UsageError(f"n: got {len(rows)} row counts for {count} runs; expected one per run")
    for each in rows:
        check_integer("n", each)
        if each < 1:
            raise UsageError(f"n={each}: expected at least one row")
    return [
        _RunAlarms(
            {name: as_alarms(each[i], rows[i], name) for name, each in runs.items()},
            as_drifts(drifts, rows[i]),
            rows[i],
        )
        for i in range(count)
    ]


def _runs(alarms: Any) -> list[Any]:
    """The items of each run: numbers are those of one run, lists those of several."""
    listed = list(alarms)
    nested = [isinstance(each, Sequence | np.ndarray) and np.ndim(each) > 0 for each in listed]
    if any(nested) and not all(nested):
        raise UsageError("alarms: got rows and lists of rows; expected one list per run")
    return listed if any(nested) else [alarms]


def _dependence(errors: Any, runs: Sequence[_RunAlarms]) -> Dependence:
    if errors is None:
        return Dependence.unknown()
    per_run = _runs(errors)
    if len(per_run) != len(runs):
        raise UsageError(
            f"errors: got errors of {len(per_run)} runs and alarms of {len(runs)}; expected the "
            "same runs"
        )
    return Dependence.pooled(
        [
            dependence_of(np.asarray(each, np.float64), [drift.position for drift in run.drifts])
            for each, run in zip(per_run, runs, strict=True)
        ]
    )


def _default_dummies(scores: Mapping[str, AlarmScore]) -> list[Detector]:
    """No alarms, and alarms about as frequent as those of the busiest detector."""
    busiest = max(scores.values(), key=lambda score: score.alarms)
    if not busiest.alarms:
        return [NeverAlarm()]
    gap = busiest.rows / busiest.alarms
    p = 1.0 if gap <= 30 else float(f"{1 / (gap - 29):.3g}")
    return [NeverAlarm(), PeriodicAlarm(max(1, round(gap))), RandomAlarm(p)]


def _blind(detector: Detector, runs: Sequence[_RunAlarms]) -> list[Longs]:
    """The alarms per run of a detector that is fed zeros only."""
    zeros = np.zeros(_CHUNK_ROWS)
    found = []
    for seed, run in enumerate(runs, 1):
        detector.start(seed)
        starts = range(0, run.n, _CHUNK_ROWS)
        alarms = [feed(detector, zeros[: run.n - start], start) for start in starts]
        found.append(np.array([row for chunk in alarms for row in chunk], np.int64))
    return found


def _delay(score: AlarmScore) -> str:
    if not score.detections:
        return "-"
    spread = "" if math.isnan(score.delay_sd) else f" ± {score.delay_sd:,.0f}"
    return f"{score.mtd:,.0f}{spread}"


def _between(score: AlarmScore) -> str:
    if not score.rows_outside:
        return "-"
    return f"{score.mtfa:,.0f}" if score.false_alarms else f"> {score.rows_outside:,}"
