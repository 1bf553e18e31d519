"""Nearest neighbours on Elec2 and covtype, against CapyMOA's optimised loop and River."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import streamgauge as sg
from bench.arff import write_arff
from bench.clock import Line, take_turns, wait_until_idle
from bench.moa import theirs
from bench.naive_bayes import in_memory
from streamgauge.learners.base import Learner, name_of

_ROUNDS = 5
_COVTYPE_ROWS = 20_000
_RIVER_ROWS = 10_000
_SAM_ROWS = 10_000  # CapyMOA's takes a millisecond or more for each; the memories are full by then


def river_job(stream: sg.Stream) -> Callable[[], None]:
    """River's own loop with accuracy and kappa, by brute force over the same window."""
    from river import metrics, neighbors

    block = next(stream.blocks(_RIVER_ROWS))
    names = stream.schema.features
    rows: list[dict[str, float]] = [dict(zip(names, x, strict=True)) for x in block.X.tolist()]
    labels = block.y.tolist()

    def job() -> None:
        engine = neighbors.LazySearch(window_size=1000)
        model = neighbors.KNNClassifier(n_neighbors=10, engine=engine, weighted=False)
        accuracy, kappa = metrics.Accuracy(), metrics.CohenKappa()
        for row, y in zip(rows, labels, strict=True):
            guess = model.predict_one(row)
            if guess is not None:
                accuracy.update(y, guess)
                kappa.update(y, guess)
            model.learn_one(row, y)

    return job


def against_river(stream: sg.Stream) -> float:
    """Ratio of River's time to ours on the same first rows, taking turns."""
    memory = in_memory(stream.take(_RIVER_ROWS))
    ours: Callable[[], object] = lambda: sg.evaluate(memory, sg.KNN())  # noqa: E731
    ours()
    took = take_turns(_ROUNDS, {"ours": ours, "river": river_job(memory)})
    print(f"KNN on Elec2, river: {_RIVER_ROWS / took['river']:,.0f} rows/s")
    return took["river"] / took["ours"]


def against_capymoa(
    stream: sg.Stream, name: str, learner: Learner, peer: str, within: float
) -> float:
    """Ratio of CapyMOA's time to ours; the accuracies in percent must agree within a bound."""
    memory = in_memory(stream)
    rows = memory.rows or 0

    def our_accuracy() -> float:
        return 100 * sg.evaluate(memory, learner).summary["accuracy"]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.arff"
        write_arff(memory, path)

        def their_accuracy() -> float:
            return float(theirs(path, peer).cumulative.accuracy())

        # On the first row ours abstains and MOA says class 0. This pass also warms up the JVM.
        off = abs(our_accuracy() - their_accuracy())
        assert off <= within + 100 / rows, f"{name}: accuracies differ by {off:.2f} points"
        jobs: dict[str, Callable[[], object]] = {
            "ours": our_accuracy,
            "capymoa": their_accuracy,
        }
        took = take_turns(_ROUNDS, jobs, wait_until_idle)
    for who, seconds in took.items():
        print(f"{name_of(learner)} on {name}, {who}: {rows / seconds:,.0f} rows/s")
    return took["capymoa"] / took["ours"]


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA and to River."""
    elec2 = sg.load("elec2")
    ratio = against_capymoa(elec2, "Elec2", sg.KNN(), "KNN(k=10, window_size=1000)", 1e-9)
    yield Line("KNN on Elec2, against CapyMOA", f"{ratio:.1f}x", ">= 15x", ratio >= 15)
    ratio = against_river(elec2)
    yield Line("KNN on Elec2, against River", f"{ratio:.0f}x", ">= 25x", ratio >= 25)
    sam = sg.SAMkNN(), "SAMkNN", 1.0  # its k-means is random
    ratio = against_capymoa(elec2.take(_SAM_ROWS), "Elec2", *sam)
    yield Line("SAMkNN on Elec2, against CapyMOA", f"{ratio:.1f}x", ">= 10x", ratio >= 10)
    path = Path(os.environ.get("STREAMGAUGE_DATA", "")) / "covtype.csv.gz"
    if path.exists():
        covtype = sg.read(path, "target", task="classification").take(_COVTYPE_ROWS)
        ratio = against_capymoa(covtype, "covtype", sg.KNN(), "KNN(k=10, window_size=1000)", 1e-9)
        yield Line("KNN on covtype, against CapyMOA", f"{ratio:.1f}x", ">= 10x", ratio >= 10)
        ratio = against_capymoa(covtype.take(_SAM_ROWS), "covtype", *sam)
        yield Line("SAMkNN on covtype, against CapyMOA", f"{ratio:.1f}x", ">= 10x", ratio >= 10)
