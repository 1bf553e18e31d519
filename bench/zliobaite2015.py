"""Tables after zliobaite2015: `python -m bench.zliobaite2015 [false_alarms] [past_labels]`

False alarms (Fig. 7; docs/detectors.md) and past labels (Fig. 3; docs/learners.md). The paper has
plots and no figures. A test of the long tier checks that the pages have these lines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge._support.types import Floats

PROBABILITIES = (0.0001, 0.001, 0.01, 0.1, 1)
VERSIONS: dict[str, Callable[[sg.Stream, int], sg.Stream]] = {
    "as it is": lambda stream, seed: stream,
    "features shuffled within classes": sg.shuffled_within_class,
    "shuffled": sg.shuffled,
}
STREAMS: dict[str, Callable[[], sg.Stream]] = {
    "Elec2, papers' 5 features": partial(sg.load, "elec2", variant="papers"),
    "Elec2, 6 features": partial(sg.load, "elec2"),
    "covtype": partial(sg.load, "covtype"),
}


def accuracies(stream: sg.Stream, learners: list[Any], seed: int = 1) -> Floats:
    """The accuracy of each learner, in percent."""
    runs = sg.evaluate(stream, learners, seed=seed, metrics="accuracy", keep="none", progress=False)
    return np.array([100 * run.overall["accuracy"] for run in runs])


def resetting() -> list[sg.Resetting]:
    """Naive Bayes alone, with random alarms, and with the paper's DDM."""
    alarms = [sg.RandomAlarm(p) for p in PROBABILITIES]
    detectors: list[Any] = [sg.NeverAlarm(), *alarms, sg.DDM(compat="moa")]
    return [sg.Resetting(sg.NaiveBayes(), detector) for detector in detectors]


def false_alarms() -> Iterator[str]:
    """Naive Bayes that resets at random: a line per stream and version, means over seeds."""
    heads = ["none", *map(str, PROBABILITIES), "DDM"]
    yield "| probability of an alarm | " + " | ".join(heads) + " |"
    yield "|---" * (1 + len(heads)) + "|"
    for name, load in STREAMS.items():
        stream = load()
        seeds = (1,) if name == "covtype" else (1, 2, 3, 4, 5)
        for version, change in VERSIONS.items():
            found = [accuracies(change(stream, seed), resetting(), seed) for seed in seeds]
            cells = " | ".join(f"{value:.1f}" for value in np.mean(found, axis=0))
            yield f"| {name}, {version} | {cells} |"


def past_labels() -> Iterator[str]:
    """Base learners, with past labels as features, and with their probabilities corrected."""
    bases = ("NaiveBayes", "HoeffdingTree")
    wrappers = ("{}", "TemporallyAugmented({})", "TemporalCorrection({})")
    names = ["Persistent", *(wrapper.format(base) for base in bases for wrapper in wrappers)]
    streams = STREAMS | {"covtype, first 100,000 rows": lambda: sg.load("covtype").take(100_000)}
    found = {name: accuracies(load(), names) for name, load in streams.items()}
    yield "| | " + " | ".join(found) + " |"
    yield "|---" * (1 + len(found)) + "|"
    for i, name in enumerate(names):
        yield f"| {name} | " + " | ".join(f"{values[i]:.1f} %" for values in found.values()) + " |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "false_alarms": false_alarms,
    "past_labels": past_labels,
}

if __name__ == "__main__":
    for asked in sys.argv[1:] or TABLES:
        print(*TABLES[asked](), sep="\n", end="\n\n", flush=True)
