"""Streaming gradient boosted trees on Elec2, covtype, bike sharing and Friedman's function."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import streamgauge as sg
from bench import capymoa_loop
from bench.arff import write_arff
from bench.clock import Line
from bench.naive_bayes import in_memory
from bench.parity.streams import friedman
from streamgauge.learners.learner_text import parse_learner

_LEAST = 10.0  # times CapyMOA's speed
_WARM_UP_ROWS = 500  # of ours; CapyMOA's share of the time before Java has compiled it is small

# Streams, with as many rows as CapyMOA's learners work through in a minute or two.
_CLASSIFICATION: tuple[tuple[str, Callable[[], sg.Stream]], ...] = (
    ("Elec2", lambda: sg.load("elec2").take(20_000)),
    ("covtype", lambda: sg.load("covtype").take(2000)),
)
_REGRESSION: tuple[tuple[str, Callable[[], sg.Stream]], ...] = (
    ("bike sharing", lambda: sg.load("bike_hour")),
    ("Friedman", lambda: friedman(20_000)),
)


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA with the defaults of both, and what both achieve."""
    for name, make in _CLASSIFICATION:
        yield _against_capymoa("StreamingGradientBoostedTrees", name, in_memory(make()))
    for name, make in _REGRESSION:
        yield _against_capymoa("StreamingGradientBoostedTreesRegressor", name, in_memory(make()))


def _against_capymoa(learner: str, name: str, stream: sg.Stream) -> Line:
    theirs = learner.replace("TreesRegressor", "Regression")
    metric = "mae" if stream.schema.regression else "accuracy"
    sg.evaluate(stream.take(_WARM_UP_ROWS), learner)
    began = time.perf_counter()
    run = sg.evaluate(stream, learner)
    ours = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.arff"
        write_arff(stream, path)
        began = time.perf_counter()
        results = capymoa_loop.play(
            path, lambda schema: parse_learner(f"capymoa:{theirs}").build(schema, 1)
        )
        capymoa = time.perf_counter() - began
    rows = stream.rows or 0
    for who, seconds in (("ours", ours), ("capymoa", capymoa)):
        print(f"{learner} on {name}, {who}: {rows / seconds:,.0f} rows/s")
    if metric == "accuracy":
        reached = run.overall[metric], float(results.cumulative.accuracy()) / 100
    else:
        reached = run.overall[metric], float(results.cumulative.mae())
    return Line(
        f"{learner} on the first {rows:,} rows of {name}, against CapyMOA",
        f"{capymoa / ours:.1f}x ({metric} {reached[0]:.3f}, CapyMOA's {reached[1]:.3f})",
        f">= {_LEAST:g}x",
        capymoa / ours >= _LEAST,
    )
