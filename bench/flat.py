"""Cost per row and model size on long streams, on RBF with centroids that never stop moving."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import streamgauge as sg
from bench.clock import Line
from bench.naive_bayes import in_memory

_LENGTHS = (10_000, 100_000, 1_000_000)
_MOST = 1.5  # times the cost per row at 100,000, where trees are already deep
_LARGEST = 1.5  # times the bytes at 500,000 rows: most double them only seldom
_LIMIT = 500_000  # bytes, reached within the first half
_LEARNERS = (
    sg.NaiveBayes(),
    sg.HoeffdingTree(),
    sg.HoeffdingTree(max_byte_size=_LIMIT),
    sg.KNN(),
    sg.SAMkNN(),
    sg.HoeffdingAdaptiveTree(),
    sg.ExtremelyFastDecisionTree(),
    sg.ExtremelyFastDecisionTree(max_byte_size=_LIMIT),
    sg.AdaptiveRandomForest(),
    sg.LeveragingBagging(),
    sg.StreamingGradientBoostedTrees(n_models=20, max_depth=8),
    sg.DynamicWeightedMajority(),
    sg.OnlineAccuracyUpdatedEnsemble(),
    sg.ADWINBagging(),
    sg.StreamingRandomPatches(n_models=10),
)


def measure() -> Iterator[Line]:
    """The learner's own time. A tree without a limit grows as long as it learns something new."""
    whole = in_memory(sg.RandomRBFDrift(_LENGTHS[-1], seed=1, change_speed=0.0005))
    streams = [in_memory(whole.take(rows)) for rows in _LENGTHS]
    for learner in _LEARNERS:
        runs = [sg.evaluate(stream, learner, predictions=False) for stream in streams]
        costs = [1e9 * run.cost.seconds / rows for run, rows in zip(runs, _LENGTHS, strict=True)]
        yield Line(
            f"{learner}, ns a row at 10,000, 100,000 and 1,000,000 rows",
            ", ".join(f"{cost:,.0f}" for cost in costs),
            f"the last <= {_MOST:g}x the middle one",
            costs[2] <= _MOST * costs[1],
        )
        curve = runs[-1].cost_curve
        half, end = np.interp([500_000, 1_000_000], curve["rows"], curve["model_bytes"])
        yield Line(
            f"{learner}, model bytes at 500,000 and 1,000,000 rows",
            f"{half:,.0f}, {end:,.0f}",
            f"<= {_LARGEST:g}x",
            bool(end <= _LARGEST * half),
        )
