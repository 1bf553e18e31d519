"""Compiles the kernels that many tests use, once, before parallel workers would each do so.

`python -m tests.kernels LEARNER ...` compiles what these learners need, into the cache.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner

# The first process compiles the evaluation itself; the others then run side by side. Kernels that
# learners of one row share are compiled once.
_EVALUATION = "Majority()"
_SIDE_BY_SIDE = (
    ("HoeffdingTree()", "HoeffdingAdaptiveTree()", "ExtremelyFastDecisionTree()",
     "AdaptiveRandomForest(n_models=2)", "LeveragingBagging(n_models=2)",
     "StreamingGradientBoostedTrees(n_models=2)", "DynamicWeightedMajority()",
     "OnlineAccuracyUpdatedEnsemble(n_models=2)"),
    ("NaiveBayes()", "KNN()", "SAMkNN()", "SWT(NaiveBayes())", "TemporalCorrection(NaiveBayes())",
     "Resetting(NaiveBayes(), ADWIN())", "HoeffdingTreeRegressor()",
     "AdaptiveRandomForestRegressor(n_models=2)", "AMRules()",
     "StreamingGradientBoostedTreesRegressor(n_models=2, bag_size=2)"),
)  # fmt: skip


def compile_shared_kernels() -> None:
    """Compile in two processes; a failure shows in the tests that use the kernel."""
    _process(_EVALUATION).wait()
    for process in [_process(*learners) for learners in _SIDE_BY_SIDE]:
        process.wait()


def _process(*learners: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.kernels", *learners]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _compile(text: str) -> None:
    learner = parse_learner(text)
    regression = getattr(learner, "task", None) == "regression"
    X = np.random.default_rng(1).random((60, 3))
    stream = sg.from_arrays(X, X[:, 0], task="regression") if regression else sg.SEA(60, seed=1)
    forget: list[sg.Forgetting] = [sg.Cumulative(), sg.Window(20), sg.Fading(0.9)]
    sg.evaluate(stream, learner, forget=forget, labels=sg.Delay(5))
    if text == _EVALUATION:
        sg.evaluate(stream, learner, reevaluate=sg.Reevaluate(every=2, bins=3), labels=sg.Delay(9))


if __name__ == "__main__":
    for each in sys.argv[1:]:
        _compile(each)
