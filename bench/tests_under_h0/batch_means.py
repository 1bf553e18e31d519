"""False decisions of the batch-means test, and how often it finds a real difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bench.tests_under_h0.streams import KINDS
from streamgauge.measures.batch_means import batch_means_test

STREAMS = 4000
ROWS = (2_500, 10_000, 50_000)
RUNS = (20, 200, 1000, 3000)
DIFFERENCE = 0.1  # mean difference of learners that do differ


class Decisions(NamedTuple):
    """Fractions of the streams."""

    false: float  # equal learners called different
    open: float  # equal learners left open
    found: float  # the better of two learners, DIFFERENCE apart, called better
    found_open: float  # these left open


def decide(kind: str, run: int, rows: int, streams: int = STREAMS) -> Decisions:
    """The decisions on streams of one kind."""
    words = []
    for mean in (0.0, DIFFERENCE):
        random = np.random.default_rng([rows, run, list(KINDS).index(kind), int(mean > 0)])
        found = [
            batch_means_test(KINDS[kind](random, rows, run, mean)).word for _ in range(streams)
        ]
        words.append(np.array(found))
    equal, apart = words
    return Decisions(
        float(np.isin(equal, ["better", "worse"]).mean()),
        float((equal == "open").mean()),
        float((apart == "better").mean()),
        float((apart == "open").mean()),
    )


def settings() -> Iterator[tuple[str, int]]:
    """Every kind of stream with every length of its runs."""
    yield "independent rows", 1
    for kind in list(KINDS)[1:]:
        for run in RUNS:
            yield kind, run


def table() -> Iterator[str]:
    """Lines of Markdown: runs of up to a tenth of the stream."""
    head = " | ".join(f"{rows:,} rows: false | open | found" for rows in ROWS)
    yield f"| differences | {head} |"
    yield "|---|" + "--:|" * 3 * len(ROWS)
    for kind, run in settings():
        cells = []
        for rows in ROWS:
            if 10 * run > rows:
                cells += [""] * 3
                continue
            decisions = decide(kind, run, rows)
            cells += [f"{100 * decisions.false:.1f}"]
            cells += [f"{100 * share:.0f}" for share in (decisions.open, decisions.found)]
        name = kind if run == 1 else f"{kind} of {run:,}"
        yield f"| {name} | {' | '.join(cells)} |"


def beyond(part: int, rows: int = 10_000) -> str:
    """False decisions if runs are as long as 1 / `part` of the stream."""
    rates = (
        f"{kind} {100 * decide(kind, rows // part, rows).false:.1f} %" for kind in list(KINDS)[1:]
    )
    return ", ".join(rates)
