"""KNN with metrics on Elec2 and covtype: streamgauge beside CapyMOA's loop and River."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import streamgauge as sg
from bench.arff import write_arff
from bench.clock import Line, take_turns
from bench.naive_bayes import in_memory

_ROUNDS = 3
_COVTYPE_ROWS = 20_000
_RIVER_ROWS = 2_000  # its window of 1,000 is full in the second half, the one that is timed


def capymoa_job(path: Path) -> Callable[[], float]:
    """One prequential evaluation from ARFF; its accuracy in percent."""
    from capymoa.classifier import KNN
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream

    def job() -> float:
        stream = ARFFStream(str(path))
        learner = KNN(schema=stream.get_schema(), k=10, window_size=1000)
        results = prequential_evaluation(stream, learner, window_size=1000)
        return float(results.cumulative.accuracy())

    return job


def river_seconds_a_row(stream: sg.Stream) -> float:
    """River's own loop with accuracy and kappa: brute force over the same window."""
    from river import metrics, neighbors

    block = next(stream.blocks(_RIVER_ROWS))
    names = stream.schema.features
    engine = neighbors.LazySearch(window_size=1000)
    model = neighbors.KNNClassifier(n_neighbors=10, engine=engine, weighted=False)
    accuracy, kappa = metrics.Accuracy(), metrics.CohenKappa()
    began, half = 0.0, len(block) // 2
    rows: list[dict[str, float]] = [dict(zip(names, x, strict=True)) for x in block.X.tolist()]
    for i, (row, y) in enumerate(zip(rows, block.y.tolist(), strict=True)):
        if i == half:
            began = time.perf_counter()
        guess = model.predict_one(row)
        if guess is not None:
            accuracy.update(y, guess)
            kappa.update(y, guess)
        model.learn_one(row, y)
    return (time.perf_counter() - began) / (len(block) - half)


def against_capymoa(stream: sg.Stream, name: str) -> tuple[float, float]:
    """Seconds a row, ours and CapyMOA's; the accuracies must be the same."""
    memory = in_memory(stream)

    def ours() -> float:
        run = sg.evaluate(memory, sg.KNN())
        return 100 * run.summary["accuracy"]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.arff"
        write_arff(memory, path)
        theirs = capymoa_job(path)
        rows = memory.rows or 0
        # The first row, where ours abstains, is MOA's class 0; the JVM compiles in this pass.
        assert abs(ours() - theirs()) <= 100 / rows + 1e-9, "not the same nearest neighbours"
        took = take_turns(_ROUNDS, {"ours": ours, "capymoa": theirs})
    for who, seconds in took.items():
        print(f"KNN on {name}, {who}: {rows / seconds:,.0f} rows/s")
    return took["ours"] / rows, took["capymoa"] / rows


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA and to River."""
    elec2 = sg.load("elec2")
    ours, theirs = against_capymoa(elec2, "Elec2")
    ratio = theirs / ours
    yield Line("KNN on Elec2, against CapyMOA", f"{ratio:.1f}x", ">= 15x", ratio >= 15)
    river = river_seconds_a_row(elec2)
    print(f"KNN on Elec2, river: {1 / river:,.0f} rows/s")
    ratio = river / ours
    yield Line("KNN on Elec2, against River", f"{ratio:.0f}x", ">= 25x", ratio >= 25)
    path = Path(os.environ.get("STREAMGAUGE_DATA", "")) / "covtype.csv.gz"
    if path.exists():
        covtype = sg.read(path, "target", task="classification").take(_COVTYPE_ROWS)
        ours, theirs = against_capymoa(covtype, "covtype")
        ratio = theirs / ours
        yield Line("KNN on covtype, against CapyMOA", f"{ratio:.1f}x", ">= 10x", ratio >= 10)
