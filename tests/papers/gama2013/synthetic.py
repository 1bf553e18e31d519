"""Alarms made up for tests: every detector finds the drift after the delay it is given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from streamgauge.papers.gama2013.delays import COLUMNS, Column, Delays, printed_delays
from streamgauge.papers.gama2013.plan import DETECTORS, LONG, Gama2013Plan, plain, ratio
from streamgauge.papers.printed import printed

RUNS = Gama2013Plan("quick", 4, 1000)
TABLE_2, TABLE_3 = (printed_delays(printed("gama2013")[name]) for name in ("table2", "table3"))
_PRINTED = {plain(name): cells for name, cells in TABLE_2.items()}
_PRINTED |= {ratio(name): TABLE_3[name] for name in LONG}


def delays_of(
    delay: Callable[[Column, str], list[float]], columns: tuple[Column, ...] = COLUMNS
) -> Delays:
    """Alarms from the delays in each run of a column and detector; NaN is a miss."""
    return Delays(
        {
            column: {
                name: [
                    np.array([] if each != each else [RUNS.drift(column[0]) + each], np.int64)
                    for each in delay(column, name)
                ]
                for name in DETECTORS
            }
            for column in columns
        },
        RUNS,
    )


def as_printed(column: Column, detector: str) -> list[float]:
    """The same delay in all runs: the printed mean."""
    return [_PRINTED[detector][column].mean] * RUNS.seeds
