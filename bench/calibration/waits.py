"""Waits for labels: do they depend on the class?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bench.calibration.case import Case, Random
from bench.calibration.inspection import markov, several
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.measures.class_waits import class_waits


def labels(random: Random, kind: str, rows: int, run: int) -> Codes:
    """Labels of two classes, or five."""
    if kind == "5 classes":
        return several(random, rows, (0.4, 0.3, 0.2, 0.08, 0.02))
    share = 0.01 if kind == "1 % minority" else 0.3
    return markov(random, rows, run if run > 1 else 1 / (1 - share), share)


def waits(random: Random, rows: int, run: int, means: Floats | float = 10.0) -> Longs:
    """Waits whose mean changes in runs of about `run` rows, as the work of an office does."""
    lengths = random.geometric(1 / run, rows // run * 2 + 200)
    pace = np.repeat(random.lognormal(0, 1, len(lengths)), lengths)[:rows]
    return np.asarray(random.exponential(means * pace), np.int64)


def _said(random: Random, kind: str, rows: int, run: int, slower: float = 1.0) -> bool:
    """Labels of the second class take `slower` times as long."""
    y = labels(random, kind, rows, run)
    means = np.where(y == 1, 10 * slower, 10.0)
    found = class_waits(waits(random, rows, run, means), y, 5 if kind == "5 classes" else 2)
    return any(each.decided for each in found)


def _drifting(random: Random, rows: int) -> bool:
    """The priors drift, and the waits too: late rows of either class wait as long."""
    place = np.arange(rows) / rows
    y = (random.random(rows) < 0.2 + 0.4 * place).astype(np.int32)
    found = class_waits(random.exponential(10 + 30 * place).astype(np.int64), y, 2)
    return any(each.decided for each in found)


def cases() -> list[Case]:
    """Waits and labels that have nothing to do with each other, both in runs."""
    found = []
    for rows in (2_500, 10_000, 50_000):
        for kind in ("2 classes", "1 % minority", "5 classes"):
            for run in (1, 20, rows // 50, rows // 20):
                if kind != "2 classes" and (run > 20 or rows == 50_000):
                    continue
                given: dict[str, Any] = {"kind": kind, "rows": rows, "run": run}
                data = f"{kind}, {'independent' if run == 1 else f'runs of {run:,}'}, {rows:,} rows"
                none, some = (partial(_said, slower=x, **given) for x in (1.0, 1.5))
                trials = 1000 if rows < 50_000 else 300
                found.append(Case("inspect.waits", data, none, some, trials=trials,
                                  quick=rows == 2_500))  # fmt: skip
    return found
