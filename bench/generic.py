"""Overhead of the generic loop over a bare predict_proba_one + learn_one loop in River.

The overhead is that of a model that does nothing, as a share of a row of River's Hoeffding tree:
two loops with the tree differ more from one run to the next than the overhead is large.

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
from functools import partial
from typing import Any

from river import base, tree

import streamgauge as sg
from bench.clock import Line
from bench.naive_bayes import in_memory

_ROUNDS, _TREE_ROUNDS = 15, 3


class _Idle(base.Classifier):  # type: ignore[misc]  # River has no types
    """A model that does nothing."""

    def __init__(self, answer: dict[Any, float]) -> None:
        self.answer = answer

    @property
    def _multiclass(self) -> bool:
        return True  # it is handed labels as they are

    def predict_proba_one(self, x: dict[str, float]) -> dict[Any, float]:
        return self.answer

    def learn_one(self, x: dict[str, float], y: Any) -> None:
        pass


def measure() -> Iterator[Line]:
    """The overhead, as measured by the other process."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.generic"], stdout=subprocess.PIPE, text=True, check=True
    )
    taken = json.loads(done.stdout)
    overhead, row = taken["ours"] - taken["bare"], taken["tree"]
    share = overhead / row
    shown = f"{overhead * 1e6:.1f} µs a row, {share:+.1%} of the tree's {row * 1e6:.0f} µs"
    yield Line("generic loop over bare River", shown, "<= 5 %", share <= 0.05)


def seconds_a_row() -> dict[str, float]:
    """CPU seconds per row. The jobs take turns and the fastest run of each counts, because
    disturbances only make a run longer."""
    stream = in_memory(sg.load("elec2"))
    block = next(stream.blocks(1 << 20))
    names, classes = stream.schema.features, stream.schema.classes
    rows = [
        (dict(zip(names, x, strict=True)), classes[y])
        for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True)
    ]
    gc.freeze()  # a collection that making dicts causes would also go through `rows`
    idle = partial(_Idle, dict.fromkeys(classes, 1 / len(classes)))

    def play(model: Any) -> None:
        for x, y in rows:
            model.predict_proba_one(x)
            model.learn_one(x, y)

    def seconds(job: Any, made: Any) -> float:
        model = made()
        began = time.thread_time()
        job(model)
        return time.thread_time() - began

    ours = partial(sg.evaluate, stream)
    ours(idle())  # compile the references
    turns = [(seconds(play, idle), seconds(ours, idle)) for _ in range(_ROUNDS)]
    trees = [seconds(play, tree.HoeffdingTreeClassifier) for _ in range(_TREE_ROUNDS)]
    fastest = {"bare": min(bare for bare, _ in turns), "ours": min(own for _, own in turns)}
    return {job: took / len(rows) for job, took in {**fastest, "tree": min(trees)}.items()}


if __name__ == "__main__":
    print(json.dumps(seconds_a_row()))
