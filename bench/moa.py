"""MOA's learners in our loop, with metrics, against CapyMOA's own optimised loop."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import streamgauge as sg
from bench import capymoa_loop
from bench.clock import Line, take_turns
from bench.naive_bayes import in_memory
from bench.parity.runners import as_arff
from streamgauge.learners.learner_text import parse_learner

_ROUNDS, _WARM_UP = 7, 4


def theirs(path: Path, learner: str) -> Any:
    """Run a learner, given by name, in CapyMOA's own loop; return CapyMOA's results."""
    adapted = parse_learner(f"capymoa:{learner}")
    return capymoa_loop.play(path, lambda schema: adapted.build(schema, 1))


def measure() -> Iterator[Line]:
    """Our time on Elec2 as a percentage of CapyMOA's."""
    stream = in_memory(sg.load("elec2"))
    with tempfile.TemporaryDirectory() as folder:
        path = as_arff(stream, Path(folder))
        for learner in ("NaiveBayes", "HoeffdingTree"):
            jobs: dict[str, Callable[[], object]] = {
                "ours": partial(sg.evaluate, stream, sg.from_capymoa(learner)),
                "capymoa": partial(theirs, path, learner),
            }
            take_turns(_WARM_UP, jobs)
            took = take_turns(_ROUNDS, jobs)
            for who, seconds in took.items():
                print(
                    f"MOA's {learner} on Elec2, {who}: {(stream.rows or 0) / seconds:,.0f} rows/s"
                )
            share = took["ours"] / took["capymoa"]
            what = f"MOA's {learner} in our loop, against its time in CapyMOA's"
            yield Line(what, f"{100 * share:.0f} %", "<= 110 %", share <= 1.1)
