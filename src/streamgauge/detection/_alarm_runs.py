"""The alarms that `score_detectors` is given, run by run: rows, or the results of `detect`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Drift, Longs
from streamgauge.detection.alarms import as_alarms, as_drifts
from streamgauge.detection.independence import Dependence, dependence_of


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
    @property
    def seed(self) -> int: ...


class RunAlarms(NamedTuple):
    """The alarms of all detectors in one run."""

    alarms: dict[str, Longs]
    drifts: tuple[Drift, ...]
    n: int


def is_detected(alarms: Any) -> bool:
    """Whether these are results of `detect`, one per run."""
    listed = isinstance(alarms, Sequence) and len(alarms) > 0
    return listed and all(isinstance(each, Detected) for each in alarms)


def from_detected(detected: Detected, drifts: Any) -> RunAlarms:
    """The alarms of one run, and its true drifts unless others are given."""
    known = detected.drifts if drifts is None else drifts
    if known is None:
        raise UsageError(
            "the true drifts are unknown; pass their rows, drifts=[...], or drifts=[] for no drift"
        )
    alarms = {name: np.sort(each) for name, each in detected.alarms.items()}
    return RunAlarms(alarms, as_drifts(known, detected.n), detected.n)


def from_rows(alarms: Any, drifts: Any, n: int | Sequence[int] | None) -> list[RunAlarms]:
    """Alarms given as rows, one item per run."""
    if drifts is None or n is None:
        raise UsageError(
            "score_detectors: expected drifts=[...], the rows of the true drifts ([] = no drift), "
            "and n, the number of rows"
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
        RunAlarms(
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


def dependence_given(errors: Any, runs: Sequence[RunAlarms]) -> Dependence:
    """The dependence of the errors of each run, if they are given."""
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
