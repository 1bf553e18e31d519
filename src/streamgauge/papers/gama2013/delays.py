"""Detection delays, printed and ours: mean, standard deviation, misses, false alarms."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Longs
from streamgauge.detection.alarms import AlarmScore
from streamgauge.detection.scorecard import Scorecard, score_detectors
from streamgauge.experiments.results import Results
from streamgauge.papers.gama2013.plan import DETECTORS, LEAVES, STREAMS, Gama2013Plan, run_name
from streamgauge.papers.printed import PrintedTable

COLUMNS = tuple((stream, leaf) for stream in STREAMS for leaf in LEAVES)
Column = tuple[str, str]  # stream and leaf
_PRINTED = re.compile(r"(\d+)±(\d+)(?: \((\d+);(\d+)\))?")
_QUERY = "select distinct stream, learner, detector, row from runs join alarms using (id)"
_NEAR = 2.0  # standard deviations


class DetectionDelay(NamedTuple):
    """A cell of Table 2 or 3; the mean is NaN where no run detects the drift."""

    mean: float
    sd: float
    misses: int  # runs
    false: int  # runs with a false alarm

    def __str__(self) -> str:
        """The cell as printed."""
        if math.isnan(self.mean):
            return "miss"
        runs = f" ({self.misses};{self.false})" if self.misses or self.false else ""
        spread = "" if math.isnan(self.sd) else f"±{self.sd:.0f}"
        return f"{self.mean:.0f}{spread}{runs}"

    def is_near(self, printed: DetectionDelay) -> bool:
        """Whether it is within two of the printed deviations; misses are near misses alone."""
        if math.isnan(printed.mean):
            return math.isnan(self.mean)
        return abs(self.mean - printed.mean) <= _NEAR * printed.sd


def parse_delay(text: str) -> DetectionDelay:
    """Read a printed cell.

    >>> parse_delay("969±255 (4;0)")
    DetectionDelay(mean=969.0, sd=255.0, misses=4, false=0)
    """
    if text == "miss":
        return DetectionDelay(math.nan, math.nan, 10, 0)
    found = _PRINTED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a delay; expected e.g. 969±255 (4;0)")
    mean, sd, misses, false = found.groups()
    return DetectionDelay(float(mean), float(sd), int(misses or 0), int(false or 0))


def printed_delays(table: PrintedTable) -> dict[str, dict[Column, DetectionDelay]]:
    """The cells of a printed table, by estimate and column."""
    return {
        name: dict(zip(COLUMNS, map(parse_delay, cells), strict=True))
        for name, cells in table.rows.items()
    }


def our_delay(score: AlarmScore) -> DetectionDelay:
    """Our score as a cell of the paper."""
    return DetectionDelay(
        score.mtd, score.delay_sd, score.runs_with_miss, score.runs_with_false_alarm
    )


class Delays:
    """The alarms of all detectors in all runs, scored against the drift.

    `alarms` has the rows by stream and leaf, then by detector, then by run.
    """

    def __init__(
        self, alarms: Mapping[Column, Mapping[str, list[Longs]]], size: Gama2013Plan
    ) -> None:
        self.alarms, self.size = alarms, size

    @cached_property
    def cards(self) -> dict[Column, Scorecard]:
        """The scores of each column over all its runs."""
        return {
            (stream, leaf): score_detectors(
                rows, [self.size.drift(stream)], self.size.rows(stream), dummies=[]
            )
            for (stream, leaf), rows in self.alarms.items()
        }

    def score(self, column: Column, detector: str) -> AlarmScore:
        """The score of a detector over all runs of a column."""
        return self.cards[column][detector]

    def by_run(self, column: Column, detector: str) -> list[float]:
        """The delay in each run; NaN where it misses the drift."""
        drift = self.size.drift(column[0])
        after = [rows[rows >= drift] for rows in self.alarms[column][detector]]
        return [float(rows[0] - drift) if len(rows) else math.nan for rows in after]

    def both(self, *two: tuple[Column, str]) -> tuple[float, float] | None:
        """Two mean delays over the runs that both detect: others are not comparable.

        Each is given by its column and detector; None without such a run.
        """
        if any(column not in self.alarms for column, _ in two):
            return None
        delays = np.array([self.by_run(*each) for each in two])
        delays = delays[:, ~np.isnan(delays).any(axis=0)]
        if not delays.size:
            return None
        one, other = delays.mean(axis=1).tolist()
        return one, other

    def pairs(self, one: str, other: str) -> Iterator[tuple[float, float]]:
        """The mean delays of two detectors in every column, over the runs that both detect."""
        for column in self.alarms:
            means = self.both((column, one), (column, other))
            if means is not None:
                yield means


def read_delays(found: Results, size: Gama2013Plan) -> Delays:
    """The alarms that the store keeps for each run."""
    complete = {
        (each.cell.stream, each.cell.learner) for each in found.cell_results if each.run is not None
    }
    rung: dict[tuple[str, str, str], list[int]] = {}
    for each in found.sql(_QUERY, "arrow").to_pylist():
        key = each["stream"], each["learner"], each["detector"]
        rung.setdefault(key, []).append(each["row"])
    alarms = {}
    for stream, leaf in COLUMNS:
        names = [run_name(stream, run) for run in range(1, size.seeds + 1)]
        runs = [name for name in names if (name, leaf) in complete]
        if runs:
            alarms[stream, leaf] = {
                detector: [_sorted(rung.get((name, leaf, detector), [])) for name in runs]
                for detector in DETECTORS
            }
    return Delays(alarms, size)


def _sorted(rows: list[int]) -> Longs:
    return np.array(sorted(rows), np.int64)
