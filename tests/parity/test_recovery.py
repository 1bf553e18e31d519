"""After an abrupt drift, adaptive trees and ensembles recover as fast as MOA's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bench.parity.peers import PEERS

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner

BEFORE, AFTER, STEP, SEEDS = 6000, 2000, 250, 10
CONCEPTS: dict[str, Any] = {
    "SEA": lambda seed: [
        sg.SEA(BEFORE, seed=seed, variant=0, noise=0.1),
        sg.SEA(AFTER, seed=seed + 100, variant=2, noise=0.1),
    ],
    "Sine1": lambda seed: [
        sg.Sine1(BEFORE, seed=seed),
        sg.Sine1(AFTER, seed=seed + 100, reverse=True),
    ],
}


def curve(stream: sg.Stream, learner: Any, seed: int) -> np.ndarray[Any, Any]:
    """Accuracy in steps over the rows after the drift."""
    run = sg.evaluate(stream, learner, seed=seed)
    right = np.asarray(run.predictions["y"]) == np.asarray(run.predictions["prediction"])
    steps: np.ndarray[Any, Any] = right[-AFTER:].reshape(-1, STEP).mean(axis=1)
    return steps


@pytest.mark.long
@pytest.mark.parametrize("concepts", CONCEPTS)
@pytest.mark.parametrize(
    "name",
    ["HoeffdingAdaptiveTree", "AdaptiveRandomForest", "LeveragingBagging", "ADWINBagging",
     "StreamingRandomPatches"],
)  # fmt: skip
def test_recovery_is_within_the_range_of_moas_seeds(name: str, concepts: str) -> None:
    """Our mean over ten seeds is within the range of MOA's ten, plus a point, at every step."""
    pytest.importorskip("capymoa")
    peers = next(each for each in PEERS if each.name == name)
    ours, moas = [], []
    for seed in range(1, SEEDS + 1):
        stream = sg.splice(CONCEPTS[concepts](seed), at=[BEFORE])
        ours.append(curve(stream, parse_learner(peers.ours), seed))
        moas.append(curve(stream, parse_learner("capymoa:" + peers.capymoa), seed))
    mean = np.mean(ours, axis=0)
    low, high = np.min(moas, axis=0), np.max(moas, axis=0)
    print(name, concepts, mean.round(3), np.mean(moas, axis=0).round(3))
    assert (mean >= low - 0.01).all()
    assert (mean <= high + 0.01).all()
