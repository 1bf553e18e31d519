"""The generic loop's overhead over a bare predict_proba_one + learn_one loop in River."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import streamgauge as sg
from bench.clock import Line
from bench.naive_bayes import in_memory

_ROUNDS = 7


def measure() -> Iterator[Line]:
    """Share of time added with a Hoeffding tree; the two take turns, the median ratio counts."""
    from river import tree

    stream = in_memory(sg.load("elec2"))
    block = next(stream.blocks(1 << 20))
    names, classes = stream.schema.features, stream.schema.classes
    rows = [
        (dict(zip(names, x, strict=True)), classes[y])
        for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True)
    ]
    sg.evaluate(stream, tree.HoeffdingTreeClassifier())  # compile the references
    ratios = []
    for _ in range(_ROUNDS):
        model = tree.HoeffdingTreeClassifier()
        began = time.process_time()
        for x, y in rows:
            model.predict_proba_one(x)
            model.learn_one(x, y)
        bare = time.process_time() - began
        began = time.process_time()
        sg.evaluate(stream, tree.HoeffdingTreeClassifier())
        ratios.append((time.process_time() - began) / bare)
    overhead = statistics.median(ratios) - 1
    shown = f"{overhead:+.1%} of {bare / len(rows) * 1e6:.0f} µs a row"
    yield Line("generic loop over bare River", shown, "<= 5 %", overhead <= 0.05)
