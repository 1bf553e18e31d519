"""The scorecard of detectors: their alarms against the true drifts, blind alarms beside them."""

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
from streamgauge.rendering.text_table import align
from streamgauge.runs.run import frame_of, plain

FORMAT = "streamgauge.scorecard/1"
_PIECE = 8192


@runtime_checkable
class Detected(Protocol):
    """What `detect` gives: alarms of detectors, by row, over one run."""

    @property
    def alarms(self) -> Mapping[str, Longs]: ...
    @property
    def drifts(self) -> tuple[Drift, ...] | None: ...  # None: not known
    @property
    def n(self) -> int: ...
    @property
    def dependence(self) -> Dependence: ...


class _Case(NamedTuple):
    """One run."""

    alarms: dict[str, Longs]
    drifts: tuple[Drift, ...]
    n: int


@dataclass(frozen=True, repr=False)
class Scorecard:
    """A score for each detector, `card["DDM()"]`, and for each dummy. Printing it shows the table
    and what to make of it."""

    scores: dict[str, AlarmScore]
    dummies: dict[str, AlarmScore]
    accept: int | None
    dependence: Dependence = field(default_factory=Dependence.unknown)

    def __getitem__(self, name: str) -> AlarmScore:
        every = self.scores | self.dummies
        if name not in every:
            raise UsageError(f"no score of {name!r}; there are {', '.join(every)}")
        return every[name]

    @property
    def runs(self) -> int:
        """How many runs were scored."""
        return next(iter(self.scores.values())).runs

    def to_dict(self) -> dict[str, Any]:
        """As plain values, as `--json` writes it (docs/json.md); undefined is None."""
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
        """A line per detector: a frame of "pandas", "polars" or "arrow"."""
        lines = [
            {"detector": name, "dummy": name in self.dummies, **score.to_dict()}
            for name, score in (self.scores | self.dummies).items()
        ]
        return frame_of(pa.Table.from_pylist(lines), kind)

    def notes(self) -> list[str]:
        """What the numbers do not say by themselves."""
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
        return f"{runs}{drifts} in {first.rows:,} rows, found if an alarm comes {limit}"

    def _table(self) -> str:
        many = self.runs > 1
        head = ["", "alarms", "found", "missed", "delay", "repeats", "false", "rows per false"]
        lines = [[*head, "MTR"] + ["(miss; false)"] * many]
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
        """Detectors that a blind one equals."""
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

    alarms: the rows of one detector's alarms; a list of such lists, one per run; a dict of either
    by the detectors' names; or what `detect` gave, of one run or a list of runs.
    drifts: where the concept truly changes in all runs, rows or (row, width); [] = nowhere.
    n: how many rows the stream has, or a list of it per run. `detect` knows both.
    accept: a drift counts as found within so many rows; by default until the next one starts.
    errors: of each run what the detectors were fed, for the test of independence.
    dummies: blind detectors to compare with; by default NeverAlarm, and PeriodicAlarm and
    RandomAlarm with as many alarms as the busiest detector raised.

    >>> score_alarms([40, 130, 190], drifts=[100], n=200)["alarms"].delays
    array([30.])
    """
    check_accept(accept)
    if isinstance(alarms, Detected):
        alarms = [alarms]
    if _is_detected(alarms):
        cases = [_own_case(each, drifts) for each in alarms]
        dependence = Dependence.pooled([each.dependence for each in alarms])
    else:
        cases = _cases(alarms, drifts, n)
        dependence = _dependence(errors, cases)
    names = list(cases[0].alarms)
    scores = {name: _over([case.alarms[name] for case in cases], cases, accept) for name in names}
    chosen = _usual_dummies(scores) if dummies is None else dummies
    return Scorecard(
        scores,
        {
            repr(blind): _over(_blind(blind, cases), cases, accept)
            for blind in chosen
            if repr(blind) not in scores
        },
        accept,
        dependence,
    )


def _over(alarms: Sequence[Longs], cases: Sequence[_Case], accept: int | None) -> AlarmScore:
    return pooled(
        [
            score_run(each, case.drifts, case.n, accept)
            for each, case in zip(alarms, cases, strict=True)
        ]
    )


def _is_detected(alarms: Any) -> bool:
    listed = isinstance(alarms, Sequence) and len(alarms) > 0
    return listed and all(isinstance(each, Detected) for each in alarms)


def _own_case(detected: Detected, drifts: Any) -> _Case:
    known = detected.drifts if drifts is None else drifts
    if known is None:
        raise UsageError(
            "where the concept truly changes is not known; name the rows, drifts=[...], or say "
            "drifts=[] if it never does"
        )
    alarms = {name: np.sort(each) for name, each in detected.alarms.items()}
    return _Case(alarms, as_drifts(known, detected.n), detected.n)


def _cases(alarms: Any, drifts: Any, n: int | Sequence[int] | None) -> list[_Case]:
    """What was given as plain numbers, run by run."""
    if drifts is None or n is None:
        raise UsageError(
            "score_alarms: expected drifts=[...], the rows where the concept truly changes ([] = "
            "nowhere), and n, the number of rows"
        )
    by_name = alarms if isinstance(alarms, Mapping) else {"alarms": alarms}
    if not by_name:
        raise UsageError("score_alarms: no alarms of any detector; expected {name: rows, ...}")
    runs = {name: _runs(each) for name, each in by_name.items()}
    count = len(next(iter(runs.values())))
    if any(len(each) != count for each in runs.values()):
        lengths = {name: len(each) for name, each in runs.items()}
        raise UsageError(f"score_alarms: runs of each detector: {lengths}; expected as many of all")
    rows = [n] * count if isinstance(n, int | np.integer) else list(n)
    if len(rows) != count:
        raise UsageError(f"score_alarms: {len(rows)} numbers of rows for {count} runs")
    for each in rows:
        check_integer("n", each)
        if each < 1:
            raise UsageError(f"n={each}: a stream has at least one row")
    return [
        _Case(
            {name: as_alarms(each[i], rows[i], name) for name, each in runs.items()},
            as_drifts(drifts, rows[i]),
            rows[i],
        )
        for i in range(count)
    ]


def _runs(alarms: Any) -> list[Any]:
    """One run's alarms are numbers; several runs' are lists of them."""
    listed = list(alarms)
    nested = [isinstance(each, Sequence | np.ndarray) and np.ndim(each) > 0 for each in listed]
    if any(nested) and not all(nested):
        raise UsageError("score_alarms: rows and lists of rows mixed; expected one list per run")
    return listed if any(nested) else [alarms]


def _dependence(errors: Any, cases: Sequence[_Case]) -> Dependence:
    if errors is None:
        return Dependence.unknown()
    of_runs = _runs(errors)
    if len(of_runs) != len(cases):
        raise UsageError(f"score_alarms: errors of {len(of_runs)} runs, alarms of {len(cases)}")
    return Dependence.pooled(
        [
            dependence_of(np.asarray(each, np.float64), [drift.position for drift in case.drifts])
            for each, case in zip(of_runs, cases, strict=True)
        ]
    )


def _usual_dummies(scores: Mapping[str, AlarmScore]) -> list[Detector]:
    """Silence, and alarms about as frequent as those of the busiest detector."""
    busiest = max(scores.values(), key=lambda score: score.alarms)
    if not busiest.alarms:
        return [NeverAlarm()]
    gap = busiest.rows / busiest.alarms
    p = 1.0 if gap <= 30 else float(f"{1 / (gap - 29):.3g}")
    return [NeverAlarm(), PeriodicAlarm(max(1, round(gap))), RandomAlarm(p)]


def _blind(detector: Detector, cases: Sequence[_Case]) -> list[Longs]:
    """Of each run: alarms of a detector that is fed nothing but zeros."""
    nothing = np.zeros(_PIECE)
    found = []
    for seed, case in enumerate(cases, 1):
        detector.start(seed)
        pieces = range(0, case.n, _PIECE)
        alarms = [feed(detector, nothing[: case.n - start], start) for start in pieces]
        found.append(np.array([row for piece in alarms for row in piece], np.int64))
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
