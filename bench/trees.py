"""Trees and ensembles on Elec2 and covtype, against CapyMOA's optimised loop and River."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamgauge as sg
from bench.clock import Line, all_cores, take_turns, time_against, wait_until_idle
from bench.moa import theirs
from bench.naive_bayes import in_memory
from bench.parity.peers import PEERS
from bench.parity.runners import as_arff
from streamgauge.learners.learner_text import parse_learner

_COVTYPE_ROWS = 30_000


@dataclass(frozen=True)
class _Promise:
    """Promised speed of one learner as a multiple of the peers', and how often to measure it."""

    name: str
    elec2: float  # against CapyMOA
    covtype: float
    river: float
    river_rows: int  # 0 if River has no such learner
    warm_up: int
    rounds: int


_PROMISES = (
    _Promise("HoeffdingTree", 40, 10, 100, 8000, 6, 11),
    _Promise("HoeffdingAdaptiveTree", 30, 10, 100, 4000, 4, 9),
    _Promise("ExtremelyFastDecisionTree", 10, 10, 50, 4000, 2, 5),
    _Promise("AdaptiveRandomForest", 15, 10, 50, 1000, 1, 5),
    _Promise("StreamingRandomPatches", 10, 10, 50, 600, 1, 1),
    _Promise("LeveragingBagging", 25, 10, 100, 600, 1, 5),
    _Promise("ADWINBagging", 10, 10, 50, 1000, 1, 5),
    _Promise("DynamicWeightedMajority", 10, 10, 0, 0, 1, 5),
    _Promise("OnlineAccuracyUpdatedEnsemble", 10, 10, 0, 0, 1, 5),
)


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA on both streams, and to River on the first rows of Elec2."""
    elec2 = in_memory(sg.load("elec2"))
    covtype = in_memory(sg.load("covtype").take(_COVTYPE_ROWS))
    with tempfile.TemporaryDirectory() as folder:
        files = {
            name: as_arff(s, Path(folder)) for name, s in (("elec2", elec2), ("covtype", covtype))
        }
        for promise in _PROMISES:
            yield from _against_capymoa(promise, "Elec2", elec2, files["elec2"], promise.elec2)
            yield from _against_capymoa(
                promise, "covtype", covtype, files["covtype"], promise.covtype
            )
            if promise.river_rows:
                yield _against_river(promise, elec2)
        yield _on_two_cores(elec2)


def _against_capymoa(
    promise: _Promise, name: str, stream: sg.Stream, path: Path, least: float
) -> Iterator[Line]:
    peers = next(each for each in PEERS if each.name == promise.name)
    ours = partial(sg.evaluate, stream, parse_learner(peers.ours))
    capymoa = partial(theirs, path, peers.capymoa)
    ours()
    for _ in range(promise.warm_up):
        capymoa()
    took = time_against(promise.rounds, ours, capymoa)
    for who, seconds in took.items():
        print(f"{promise.name} on {name}, {who}: {(stream.rows or 0) / seconds:,.0f} rows/s")
    ratio = took["capymoa"] / took["ours"]
    what = f"{promise.name} on {name}, against CapyMOA"
    yield Line(what, f"{ratio:.1f}x", f">= {least:g}x", ratio >= least)


def _against_river(promise: _Promise, elec2: sg.Stream) -> Line:
    """River is slow, so its cost per row is measured on the first rows only."""
    from river import metrics

    peers = next(each for each in PEERS if each.name == promise.name)
    block = next(elec2.blocks(promise.river_rows))
    rows = [dict(zip(elec2.schema.features, x, strict=True)) for x in block.X.tolist()]
    model = parse_learner("river:" + peers.river.format(seed=1)).model
    scores = metrics.Accuracy(), metrics.CohenKappa()
    began = time.perf_counter()
    for x, y in zip(rows, block.y.tolist(), strict=True):
        guess = model.predict_one(x)
        for score in scores:
            score.update(y, guess)
        model.learn_one(x, y)
    river = (time.perf_counter() - began) / len(rows)
    learner = parse_learner(peers.ours)
    ours: Callable[[], object] = partial(sg.evaluate, elec2, learner)
    took = take_turns(promise.rounds, {"ours": ours}, wait_until_idle)
    ratio = river / (took["ours"] / (elec2.rows or 1))
    print(f"{promise.name} on Elec2, River: {1 / river:,.0f} rows/s")
    least = promise.river
    what = f"{promise.name} on Elec2, against River"
    return Line(what, f"{ratio:.0f}x", f">= {least:g}x", ratio >= least)


def _on_two_cores(stream: sg.Stream) -> Line:
    """The forest with two threads against one, on all cores instead of one.

    For comparison, what the machine itself allows: two processes that run a bare counting loop,
    against one.
    """
    jobs: dict[str, Callable[[], object]] = {
        str(n): partial(sg.evaluate, stream, sg.AdaptiveRandomForest(n_jobs=n)) for n in (1, 2)
    }
    jobs |= {"counts once": partial(_count, 1), "counts twice": partial(_count, 2)}
    with all_cores():
        took = take_turns(5, jobs, wait_until_idle)
    ratio, most = took["1"] / took["2"], 2 * took["counts once"] / took["counts twice"]
    what = "AdaptiveRandomForest with two threads, against one"
    shown = f"{ratio:.2f}x (two processes that run a bare counting loop: {most:.2f}x)"
    return Line(what, shown, ">= 1.7x", ratio >= 1.7)


def _count(processes: int) -> None:
    code = "n = 0\nfor i in range(5_000_000): n += i"
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(processes)]
    for process in running:
        process.wait()
