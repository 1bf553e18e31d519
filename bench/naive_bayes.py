"""Naive Bayes with metrics on Elec2: streamgauge against CapyMOA's optimised loop and River."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import streamgauge as sg
from bench import capymoa_loop
from bench.arff import write_arff
from bench.clock import Line, take_turns, time_against
from streamgauge.streams.frames import ArrayStream

_WARM_UP = 8  # passes; CapyMOA's JVM compiles during the first few
_ROUNDS = 15
_RIVER_ROWS = 10_000


def in_memory(stream: sg.Stream) -> sg.Stream:
    """Read the stream into memory."""
    assert stream.rows is not None
    return ArrayStream(stream.name, stream.schema, next(stream.blocks(stream.rows)))


def river_seconds_a_row(stream: sg.Stream) -> float:
    """River's own loop with accuracy and kappa, on rows already converted to dicts."""
    from river import metrics, naive_bayes

    block = next(stream.blocks(_RIVER_ROWS))
    names = stream.schema.features
    rows: list[tuple[dict[str, float], Any]] = [
        (dict(zip(names, x, strict=True)), y)
        for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True)
    ]
    model, accuracy, kappa = naive_bayes.GaussianNB(), metrics.Accuracy(), metrics.CohenKappa()
    began = time.perf_counter()
    for x, y in rows:
        guess = model.predict_one(x)
        accuracy.update(y, guess)
        kappa.update(y, guess)
        model.learn_one(x, y)
    return (time.perf_counter() - began) / len(rows)


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA and to River."""
    from capymoa.classifier import NaiveBayes

    stream = sg.load("elec2")
    memory = in_memory(stream)

    def ours() -> float:
        run = sg.evaluate(memory, sg.NaiveBayes())
        assert str(run.verdict)  # what a user reads first
        return 100 * run.summary["accuracy"]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "elec2.arff"
        write_arff(stream, path)

        def theirs() -> float:
            return float(capymoa_loop.play(path, NaiveBayes).cumulative.accuracy())

        assert abs(ours() - theirs()) < 1e-9, "not the same naive Bayes"
        for _ in range(_WARM_UP):
            theirs()
        from_file: Callable[[], object] = lambda: sg.evaluate(stream, sg.NaiveBayes())  # noqa: E731
        took = time_against(_ROUNDS, ours, theirs) | take_turns(_ROUNDS, {"from file": from_file})
    rows = memory.rows or 0
    river = rows * river_seconds_a_row(memory)
    for name, seconds in {**took, "river": river}.items():
        print(f"naive Bayes on Elec2, {name}: {rows / seconds:,.0f} rows/s")
    ratio = took["capymoa"] / took["ours"]
    yield Line("naive Bayes, against CapyMOA", f"{ratio:.1f}x", ">= 40x", ratio >= 40)
    ratio = river / took["ours"]
    yield Line("naive Bayes, against River", f"{ratio:.0f}x", ">= 300x", ratio >= 300)
