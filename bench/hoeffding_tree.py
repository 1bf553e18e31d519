"""The Hoeffding tree on Elec2: streamgauge, CapyMOA's optimised loop, River."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import streamgauge as sg
from bench.arff import write_arff
from bench.clock import Line, take_turns
from bench.naive_bayes import in_memory

_ROUNDS, _WARM_UP, _RIVER_ROWS = 5, 6, 8000


def measure() -> Iterator[Line]:
    """The ratio to CapyMOA and to River."""
    from capymoa.classifier import HoeffdingTree
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream
    from river import metrics, tree

    memory = in_memory(sg.load("elec2"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "elec2.arff"
        write_arff(memory, path)

        def theirs() -> None:
            stream = ARFFStream(str(path))
            learner = HoeffdingTree(schema=stream.get_schema())
            prequential_evaluation(stream, learner, window_size=1000)

        def ours() -> None:
            sg.evaluate(memory, sg.HoeffdingTree())

        ours()
        for _ in range(_WARM_UP):
            theirs()
        took = take_turns(_ROUNDS, {"ours": ours, "capymoa": theirs})
    block = next(memory.blocks(_RIVER_ROWS))
    names = memory.schema.features
    rows = [dict(zip(names, x, strict=True)) for x in block.X.tolist()]
    model, accuracy, kappa = (
        tree.HoeffdingTreeClassifier(),
        metrics.Accuracy(),
        metrics.CohenKappa(),
    )
    began = time.perf_counter()
    for x, y in zip(rows, block.y.tolist(), strict=True):
        guess = model.predict_one(x)
        accuracy.update(y, guess)
        kappa.update(y, guess)
        model.learn_one(x, y)
    river = (time.perf_counter() - began) / len(rows) * (memory.rows or 0)
    for name, seconds in {**took, "river": river}.items():
        print(f"Hoeffding tree on Elec2, {name}: {(memory.rows or 0) / seconds:,.0f} rows/s")
    ratio = took["capymoa"] / took["ours"]
    yield Line("Hoeffding tree, against CapyMOA", f"{ratio:.1f}x", ">= 25x", ratio >= 25)
    ratio = river / took["ours"]
    yield Line("Hoeffding tree, against River", f"{ratio:.0f}x", ">= 100x", ratio >= 100)
