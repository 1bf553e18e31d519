"""Seconds to compile kernels, and to load them from the cache, in separate processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import streamgauge as sg
from bench.clock import Line, all_cores
from streamgauge.streams.files import FileStream

_MAX_ONE = 20.0  # seconds
_MAX_ALL = 60.0
_MAX_FROM_CACHE = 2.0
_MAX_FIRST = 8.0
_MAX_SECOND = 1.0

# The first learner also compiles the evaluation itself; each reuses what those before it compiled.
_CLASSIFIERS = ("Majority()", "NaiveBayes()", "HoeffdingTree()", "KNN()")
_ADAPTIVE = (
    "HoeffdingAdaptiveTree()", "ExtremelyFastDecisionTree()",
    "AdaptiveRandomForest(n_models=2)", "StreamingRandomPatches(n_models=2)",
    "LeveragingBagging(n_models=2)", "OnlineBagging(n_models=2)", "ADWINBagging(n_models=2)",
    "DynamicWeightedMajority()", "OnlineAccuracyUpdatedEnsemble(n_models=2)",
    "HoeffdingTreeRegressor()",
    "AdaptiveRandomForestRegressor(n_models=2)",
    "AMRules()", "StreamingGradientBoostedTrees(n_models=2)",
    "StreamingGradientBoostedTreesRegressor(n_models=2, bag_size=2)",
)  # fmt: skip
_CODE = """
import sys, time
import numpy as np
import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner

X = np.random.default_rng(1).random((60, 3))
regression = sg.from_arrays(X, X[:, 0], task="regression")
for name in sys.argv[1:]:
    learner = parse_learner(name)
    stream = regression if learner.task == "regression" else sg.SEA(60, seed=1)
    began = time.perf_counter()
    sg.evaluate(stream, learner)
    print(time.perf_counter() - began)
"""


def _seconds(cache: str, *learners: str) -> list[float]:
    """Seconds of each learner's first evaluation, in one new process with this cache."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *learners],
        capture_output=True, text=True, check=True, env={**os.environ, "STREAMGAUGE_CACHE": cache},
    )  # fmt: skip
    return list(map(float, done.stdout.split()))


def _first_result(cache: str, data: str) -> float:
    """Seconds from the command line to the result of naive Bayes on Elec2, in a new process."""
    code = "from streamgauge.cli import main; main()"
    env = {**os.environ, "STREAMGAUGE_CACHE": cache, "STREAMGAUGE_DATA": data}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code, "evaluate", "elec2", "--learner", "NaiveBayes"],
        capture_output=True, check=True, cwd=data, env=env,
    )  # fmt: skip
    return time.perf_counter() - began


def _first() -> Iterator[Line]:
    """What the first naive Bayes compiles, and the same command once it is compiled."""
    stream = sg.load("elec2")
    assert isinstance(stream, FileStream)
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as data:
        shutil.copy(stream.path, Path(data) / "elec2.csv.gz")
        with all_cores():
            first = _first_result(cache, data)
        second = min(_first_result(cache, data) for _ in range(5))
    compiling = first - second
    what = "compiling what the first naive Bayes needs, from nothing, two cores"
    yield Line(what, f"{compiling:.1f} s", f"<= {_MAX_FIRST:g} s", compiling <= _MAX_FIRST)
    what = "`streamgauge evaluate elec2 --learner NaiveBayes` in a second process"
    yield Line(what, f"{second:.2f} s", f"< {_MAX_SECOND:g} s", second < _MAX_SECOND)


def measure() -> Iterator[Line]:
    """Each basic learner, all adaptive ones together, and a start from the cache."""
    yield from _first()
    with tempfile.TemporaryDirectory() as cache:
        alone = dict(zip(_CLASSIFIERS, _seconds(cache, *_CLASSIFIERS), strict=True))
    for name, seconds in alone.items():
        kept = seconds < _MAX_ONE
        yield Line(f"compiling {name}", f"{seconds:.1f} s", f"< {_MAX_ONE:g} s", kept)
    with tempfile.TemporaryDirectory() as cache:
        parts = _seconds(cache, *_ADAPTIVE)
        shown = " + ".join(f"{seconds:.1f}" for seconds in parts)
        what = "compiling the trees that adapt, their ensembles and the regressors, from nothing"
        kept = sum(parts) < _MAX_ALL
        yield Line(what, f"{sum(parts):.0f} s ({shown})", f"< {_MAX_ALL:g} s", kept)
        wall = []
        for _ in range(3):
            began = time.perf_counter()
            _seconds(cache, "AdaptiveRandomForest(n_models=2)")
            wall.append(time.perf_counter() - began)
    kept = min(wall) < _MAX_FROM_CACHE
    what = "a process with a forest, from the cache"
    yield Line(what, f"{min(wall):.1f} s", f"< {_MAX_FROM_CACHE:g} s", kept)
