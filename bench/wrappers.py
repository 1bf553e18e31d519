"""Cost of wrappers relative to their base learner on Elec2, with as many resets as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import streamgauge as sg
from bench.clock import Line, take_turns
from bench.naive_bayes import in_memory

_ROUNDS = 9
_WRAPPERS: dict[str, tuple[Callable[[object], object], float]] = {
    "SWT": (sg.SWT, 1.5),
    "TemporalCorrection": (sg.TemporalCorrection, 1.5),
    "RandomAlarm(1)": (lambda base: sg.Resetting(base, sg.RandomAlarm(1)), 4.0),
}


def measure() -> Iterator[Line]:
    """Each wrapper around naive Bayes and the Hoeffding tree, as a multiple of the base alone."""
    elec2 = in_memory(sg.load("elec2"))
    for base in (sg.NaiveBayes, sg.HoeffdingTree):
        learners = {"base": base()} | {n: wrap(base()) for n, (wrap, _) in _WRAPPERS.items()}
        jobs: dict[str, Callable[[], object]] = {
            name: partial(sg.evaluate, elec2, learner) for name, learner in learners.items()
        }
        for job in jobs.values():
            job()  # compile
        took = take_turns(_ROUNDS, jobs)
        for name, (_, most) in _WRAPPERS.items():
            ratio = took[name] / took["base"]
            what = f"{name} around {base.__name__}, its cost"
            yield Line(what, f"{ratio:.2f}x", f"<= {most:g}x", ratio <= most)
