"""MOA's generators, case by case: our stream, the oracle's rows, MOA's class and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

import streamgauge as sg
from streamgauge._support.types import Floats, Targets
from tests.oracles import moa_generators as oracle


class Case(NamedTuple):
    """A generator with some parameters; streams and rows take a seed."""

    stream: Callable[[int, int], sg.Stream]  # rows, seed
    oracle: Callable[[int], Iterator[oracle.Row]]
    moa: str  # class and options, but for the seed

    def expected(self, n: int, seed: int) -> tuple[Floats, Targets]:
        """The oracle's first n rows."""
        rows = list(islice(self.oracle(seed), n))
        return np.array([x for x, _ in rows]), np.array([y for _, y in rows])


def _sea(variant: int) -> Case:
    return Case(
        lambda n, seed: sg.SEA(n, seed, variant, 0.1, compat="moa"),
        lambda seed: oracle.sea(seed, variant),
        f"SEAGenerator -f {variant + 1}",
    )


def _stagger(function: int, balanced: bool) -> Case:
    return Case(
        lambda n, seed: sg.STAGGER(n, seed, function, balanced, compat="moa"),
        lambda seed: oracle.stagger(seed, function, balanced),
        f"STAGGERGenerator -f {function + 1}{' -b' * balanced}",
    )


def _agrawal(function: int, perturbation: float, balanced: bool) -> Case:
    return Case(
        lambda n, seed: sg.Agrawal(n, seed, function, perturbation, balanced, compat="moa"),
        lambda seed: oracle.agrawal(seed, function, perturbation, balanced),
        f"AgrawalGenerator -f {function + 1} -p {perturbation}{' -b' * balanced}",
    )


CASES = {
    "RandomTree": Case(
        lambda n, seed: sg.RandomTree(n, seed, compat="moa"),
        oracle.random_tree,
        "RandomTreeGenerator",
    ),
    "RandomTree, all parameters": Case(
        lambda n, seed: sg.RandomTree(n, seed, 7, 4, 2, 3, 3, 7, 1, 0.3, compat="moa"),
        lambda seed: oracle.random_tree(seed, 7, 4, 2, 3, 3, 7, 1, 0.3),
        "RandomTreeGenerator -r 7 -c 4 -o 2 -u 3 -v 3 -d 7 -l 1 -f 0.3",
    ),
    "RandomTree, categorical": Case(
        lambda n, seed: sg.RandomTree(n, seed, 2, n_num_features=0, max_tree_depth=4, compat="moa"),
        lambda seed: oracle.random_tree(seed, 2, numeric=0, depth=4),
        "RandomTreeGenerator -r 2 -u 0 -d 4",
    ),
    "RandomRBF": Case(
        lambda n, seed: sg.RandomRBF(n, seed, compat="moa"),
        oracle.random_rbf,
        "RandomRBFGenerator",
    ),
    "RandomRBF, all parameters": Case(
        lambda n, seed: sg.RandomRBF(n, seed, 7, 3, 4, 20, compat="moa"),
        lambda seed: oracle.random_rbf(seed, 7, 3, 4, 20),
        "RandomRBFGenerator -r 7 -a 3 -c 4 -n 20",
    ),
    "RandomRBFDrift": Case(
        lambda n, seed: sg.RandomRBFDrift(n, seed, 10, change_speed=0.01, compat="moa"),
        lambda seed: oracle.random_rbf(seed, 10, speed=0.01, moving=50),
        "RandomRBFGeneratorDrift -r 10 -s 0.01",
    ),
    "RandomRBFDrift, all parameters": Case(
        lambda n, seed: sg.RandomRBFDrift(n, seed, 7, 3, 4, 20, 0.1, 5, compat="moa"),
        lambda seed: oracle.random_rbf(seed, 7, 3, 4, 20, 0.1, 5),
        "RandomRBFGeneratorDrift -r 7 -a 3 -c 4 -n 20 -s 0.1 -k 5",
    ),
    "LED": Case(
        lambda n, seed: sg.LED(n, seed, irrelevant_features=True, compat="moa"),
        oracle.led,
        "LEDGenerator",
    ),
    "LED, segments only": Case(
        lambda n, seed: sg.LED(n, seed, noise_percentage=0.35, compat="moa"),
        lambda seed: oracle.led(seed, 35, irrelevant=False),
        "LEDGenerator -n 35 -s",
    ),
    "LED, drift": Case(
        lambda n, seed: sg.LED(n, seed, True, 0.0, n_drift_features=4, compat="moa"),
        lambda seed: oracle.led(seed, 0, moved=4),
        "LEDGeneratorDrift -n 0 -d 4",
    ),
    "LED, no drift": Case(
        lambda n, seed: sg.LED(n, seed, True, 1.0, compat="moa"),
        lambda seed: oracle.led(seed, 100),
        "LEDGeneratorDrift -n 100 -d 0",
    ),
    "Waveform": Case(
        lambda n, seed: sg.Waveform(n, seed, compat="moa"),
        oracle.waveform,
        "WaveformGenerator",
    ),
    "Waveform, noise": Case(
        lambda n, seed: sg.Waveform(n, seed, True, compat="moa"),
        lambda seed: oracle.waveform(seed, True),
        "WaveformGenerator -n",
    ),
    "Waveform, drift": Case(
        lambda n, seed: sg.Waveform(n, seed, n_drift_features=10, compat="moa"),
        lambda seed: oracle.waveform(seed, moved=10),
        "WaveformGeneratorDrift -d 10",
    ),
    "Waveform, noise and drift": Case(
        lambda n, seed: sg.Waveform(n, seed, True, 40, compat="moa"),
        lambda seed: oracle.waveform(seed, True, 40),
        "WaveformGeneratorDrift -n -d 40",
    ),
    "Waveform of 2011": Case(
        lambda n, seed: sg.Waveform(n, seed, compat="moa-2011"),
        oracle.waveform,
        "WaveformGenerator",
    ),
    **{f"SEA {variant}": _sea(variant) for variant in range(4)},
    "SEA without noise": Case(
        lambda n, seed: sg.SEA(n, seed, compat="moa"),
        lambda seed: oracle.sea(seed, noise=0),
        "SEAGenerator -p 0",
    ),
    **{f"STAGGER {function}": _stagger(function, False) for function in range(3)},
    **{f"STAGGER {function}, balanced": _stagger(function, True) for function in range(3)},
    "Hyperplane": Case(
        lambda n, seed: sg.Hyperplane(n, seed, compat="moa"),
        oracle.hyperplane,
        "HyperplaneGenerator",
    ),
    "Hyperplane, all parameters": Case(
        lambda n, seed: sg.Hyperplane(n, seed, 7, 5, 0.01, 0.1, 0.2, compat="moa"),
        lambda seed: oracle.hyperplane(seed, 7, 5, 0.01, 10, 20),
        "HyperplaneGenerator -a 7 -k 5 -t 0.01 -n 10 -s 20",
    ),
    **{f"Agrawal {function}": _agrawal(function, 0.05, False) for function in range(10)},
    "Agrawal, not perturbed": _agrawal(1, 0.0, False),
    "Agrawal, balanced": _agrawal(2, 0.0, True),
    "Agrawal, perturbed and balanced": _agrawal(8, 0.3, True),
}
