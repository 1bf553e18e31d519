"""The experiments of gama2013 §5.2 and §5.3: streams, learners, detectors, ten runs each."""

from __future__ import annotations

from collections.abc import Sequence

import streamgauge as sg
from bench.gama2013.paper import LEAVES, TABLE_2, TABLE_3
from streamgauge.learners.parsing import parse_detector

RUNS = 10
SECOND_TREE = 3  # the paper does not name its trees; page.trees() tries others
_ROWS = {"LED": 128_000, "RBF": 32_000, "RandomTree": 32_000, "Waveform": 32_000}


def plain(estimate: str) -> str:
    """The detector of a row of Table 2."""
    return f"PageHinkley(on={estimate})"


def ratio(long: str) -> str:
    """The detector of a row of Table 3."""
    kind = long.partition("(")[0]
    short = {"Fading": "Fading(0.997)", "Window": "Window(1000)"}[kind]
    return repr(parse_detector(f"RatioPageHinkley({short}, {long})"))


DETECTORS = (*map(plain, TABLE_2), *map(ratio, TABLE_3))


def stream(name: str, run: int, tree: int = SECOND_TREE) -> sg.Stream:
    """Two concepts, the same in all runs; each run draws its own rows."""
    n, first, second = _ROWS[name], 2 * run, 2 * run + 1
    concepts: dict[str, list[sg.Stream]] = {
        "LED": [sg.LED(n, first, True), sg.LED(n, second, True, n_drift_features=7)],
        "RBF": [
            sg.RandomRBF(n, first, seed_model=1),
            sg.RandomRBFDrift(n, second, seed_model=10, change_speed=0.01),
        ],
        "RandomTree": [
            sg.RandomTree(n, first, seed_tree=1),
            sg.RandomTree(n, second, seed_tree=tree),
        ],
        "Waveform": [
            sg.Waveform(n, first, True),
            sg.Waveform(n, second, True, n_drift_features=19),
        ],
    }
    return sg.drift(concepts[name], at=[n])


def detections(
    name: str, detectors: Sequence[str] = DETECTORS, tree: int = SECOND_TREE
) -> dict[str, list[sg.Detections]]:
    """The alarms of all detectors in every run, by kind of leaf."""
    learners = [sg.HoeffdingTree(delta=1e-7, leaf_prediction=leaf) for leaf in LEAVES]  # type: ignore[arg-type]
    found: dict[str, list[sg.Detections]] = {leaf: [] for leaf in LEAVES}
    for run in range(RUNS):
        both = sg.evaluate(stream(name, run, tree), learners, metrics=["accuracy"], every=1 << 40)
        for leaf, each in zip(LEAVES, both, strict=True):
            found[leaf].append(sg.detect(each, detectors))
    return found
