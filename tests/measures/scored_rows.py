"""Random scored rows, and tallies of them under several forgettings."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import Cumulative, Fading, Forgetting, Window
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.measures.tally import MAX_PENDING

CASES: list[tuple[Forgetting, str, float]] = [
    (Cumulative(), "cumulative", 0.0),
    (Window(1), "window", 1),
    (Window(5), "window", 5),
    (Fading(0.9), "fading", 0.9),
    (Fading(1.0), "fading", 1.0),
]
REFERENCES = ("Majority", "Persistent", "Transition", "Seasonal")
NAMES = [
    "accuracy", "error", "coverage", "kappa", "kappa_se", "kappa_z", "kappa_temporal",
    "kappa_majority", "kappa_transition", "kappa_seasonal", "kappa_plus", "balanced_accuracy",
    "macro_precision", "macro_recall", "macro_f1", "g_mean", "mcc", "cost_loss", "log_loss",
    "brier", "auc", "error_autocorrelation",
]  # fmt: skip


def schema(k: int) -> Schema:
    return Schema((), (), tuple(range(k)))


@st.composite
def scored_rows(draw: st.DrawFn) -> tuple[int, Codes, Codes, Floats, list[int]]:
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 25))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    spread = draw(st.sampled_from([1, k]))  # now and then one class only
    y = random.integers(0, spread, n).astype(np.int32)
    answers = random.integers(-1, k, (5, n)).astype(np.int32)
    right = random.random((5, n)) < draw(st.sampled_from([0.0, 0.6, 1.0]))
    answers = np.where(right, y, answers).astype(np.int32)
    shares = random.dirichlet(np.ones(k), n)
    shares[random.random(n) < 0.1] = np.eye(k)[0]  # certain, sometimes wrongly
    shares[answers[0] < 0] = np.nan
    cuts = draw(st.lists(st.integers(0, n), max_size=4))
    return k, y, answers, shares, cuts


def tally(
    k: int,
    y: Codes,
    answers: Codes,
    shares: Floats,
    cuts: list[int],
    forget: list[Forgetting],
    cost: Floats,
    every: int = 1,
    max_pending: int = MAX_PENDING,
) -> Curve:
    metrics = metrics_for(schema(k), "all", True)
    counter = ClassificationTally(k, REFERENCES, forget, every, metrics, cost, max_pending)
    edges = [0, *sorted(cuts), len(y)]
    for a, b in itertools.pairwise(edges):
        counter.add(y[a:b], np.ascontiguousarray(answers[:, a:b]), shares[a:b])
    return counter.finish()
