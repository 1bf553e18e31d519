"""Re-evaluation: seconds on Elec2 with long waits, and on the airlines data of grzenda2019.

The authors' program is not available here; the promise assumes that it needs about 4 s on the
airlines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import streamgauge as sg
from bench.clock import Line, take_turns
from bench.naive_bayes import in_memory

_AUTHORS_SECONDS = 4.0


def measure() -> Iterator[Line]:
    """Naive Bayes, references, all metrics and curves per bin, kept in memory."""
    elec2 = in_memory(sg.load("elec2"))
    how = sg.Reevaluate(every=10, bins=50)
    runs: list[sg.Run] = []

    def waits() -> None:
        job = sg.evaluate(elec2, sg.NaiveBayes(), labels=sg.Delay(1000), reevaluate=how)
        runs.append(job)

    waits()  # compile
    took = take_turns(3, {"elec2": waits})["elec2"]
    extra = runs[0].bins.n_r * runs[0].counts.scored
    shown = f"{took:.2f} s for {extra / 1e6:.1f} M extra predictions"
    yield Line("re-evaluation on Elec2, Delay(1000)", shown, "< 3 s", took < 3)

    folder = os.environ.get("STREAMGAUGE_DATA", "")
    if not folder or not Path(folder, "airlines_atl_2008w1.csv.gz").exists():
        print("re-evaluation on airlines: not measured, STREAMGAUGE_DATA has no airlines")
        return
    airlines = sg.load("airlines_atl_2008w1")

    def flights() -> None:
        sg.evaluate(airlines, sg.NaiveBayes(), reevaluate=how)

    took = take_turns(5, {"airlines": flights})["airlines"]
    ratio = _AUTHORS_SECONDS / took
    shown = f"{took:.2f} s from the file, {ratio:.0f}x of about 4 s"
    yield Line("re-evaluation on airlines", shown, ">= 30x", ratio >= 30)
