"""Overhead of the generic loop over a bare predict_proba_one + learn_one loop in River.

It is measured in a separate process: people who run River models have no Java in their process,
so neither side should pay for it.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterator

import streamgauge as sg
from bench.clock import Line
from bench.naive_bayes import in_memory

_ROUNDS = 9


def measure() -> Iterator[Line]:
    """The overhead, as measured by the other process."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.generic"], stdout=subprocess.PIPE, text=True, check=True
    )
    taken = json.loads(done.stdout)
    with_dicts, overhead = (taken[job] / taken["bare"] - 1 for job in ("making", "ours"))
    print(f"bare River loop that makes its dicts from arrays: {with_dicts:+.1%} over ready ones")
    shown = f"{overhead:+.1%} of {taken['bare'] * 1e6:.0f} µs a row"
    yield Line("generic loop over bare River", shown, "<= 5 %", overhead <= 0.05)


def seconds_a_row() -> dict[str, float]:
    """CPU seconds per row with a Hoeffding tree. The jobs take turns and the fastest run of each
    counts, because disturbances only make a run longer."""
    from river import tree

    stream = in_memory(sg.load("elec2"))
    block = next(stream.blocks(1 << 20))
    names, classes = stream.schema.features, stream.schema.classes
    rows = [
        (dict(zip(names, x, strict=True)), classes[y])
        for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True)
    ]

    gc.freeze()  # a collection that making dicts causes would also go through `rows`

    def bare() -> None:
        model = tree.HoeffdingTreeClassifier()
        for x, y in rows:
            model.predict_proba_one(x)
            model.learn_one(x, y)

    def making() -> None:
        model = tree.HoeffdingTreeClassifier()
        for values, y in zip(block.X.tolist(), block.y.tolist(), strict=True):
            x = dict(zip(names, values, strict=True))
            model.predict_proba_one(x)
            model.learn_one(x, classes[y])

    def ours() -> None:
        sg.evaluate(stream, tree.HoeffdingTreeClassifier())

    ours()  # compile the references
    seconds: dict[str, float] = {}
    for _ in range(_ROUNDS):
        for job in (bare, making, ours):
            began = time.thread_time()
            job()
            took = time.thread_time() - began
            seconds[job.__name__] = min(took, seconds.get(job.__name__, took))
    return {job: took / len(rows) for job, took in seconds.items()}


if __name__ == "__main__":
    print(json.dumps(seconds_a_row()))
