"""Learning curves over seeds: which runs are draws of one, and their mean with its spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streamgauge._support.types import Floats, Longs

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


class SeedCurve(NamedTuple):
    """A curve, and a band of one standard deviation over the seeds; NaN for one seed."""

    rows: Longs
    value: Floats
    low: Floats
    high: Floats


def by_seeds(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs, those together that differ in nothing but their seeds."""
    groups: dict[Any, list[Run]] = {}
    for run in runs:
        settings = run.settings
        key = (run.title, run.stream.origin.unseeded, settings.labels, settings.protocol,
               tuple(run.curve.forgettings))  # fmt: skip
        groups.setdefault(key, []).append(run)
    found: list[list[Run]] = []
    for several in groups.values():
        draws = {(run.settings.seed, run.stream.name) for run in several}
        found += [several] if len(draws) == len(several) else [[run] for run in several]
    return found


def seed_curve(runs: Sequence[Run], key: tuple[str, object]) -> SeedCurve:
    """The mean of a metric under a forgetting over the runs, at the points of the shortest one."""
    rows = min((run.curve.rows for run in runs), key=len)
    if len(runs) == 1:
        empty = np.full(len(rows), np.nan)
        return SeedCurve(rows, runs[0].curve[key], empty, empty)
    every = np.stack([_at(rows, run.curve.rows, run.curve[key]) for run in runs])
    mean = every.mean(axis=0)
    spread = every.std(axis=0, ddof=1)
    return SeedCurve(rows, mean, mean - spread, mean + spread)


def _at(wanted: Longs, rows: Longs, values: Floats) -> Floats:
    if np.array_equal(wanted, rows):
        return values
    return np.interp(wanted, rows, values)
