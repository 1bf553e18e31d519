"""Generators: rows per second, and the ratios to River's and MOA's generators of the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import streamgauge as sg
from bench.clock import Line, take_turns, time_against

_ROWS = 500_000
_MOA_ROWS = 20_000  # CapyMOA makes them in a bit more than a tenth of a second


def _pairs() -> dict[str, tuple[sg.Stream, Any, int]]:
    """Our stream, River's, and the number of rows River makes in about a tenth of a second."""
    from river.datasets import synth

    return {
        "SEA": (sg.SEA(_ROWS), synth.SEA(seed=1), 100_000),
        "Sine1": (sg.Sine1(_ROWS), synth.Sine(0, seed=1), 200_000),
        "Sine2": (sg.Sine2(_ROWS), synth.Sine(2, seed=1), 200_000),
        "STAGGER": (sg.STAGGER(_ROWS), synth.STAGGER(seed=1), 80_000),
        "Agrawal": (sg.Agrawal(_ROWS), synth.Agrawal(seed=1), 2000),
        "Hyperplane": (
            sg.Hyperplane(_ROWS, mag_change=0.001),
            synth.Hyperplane(seed=1, mag_change=0.001),
            40_000,
        ),
        "RandomRBF": (sg.RandomRBF(_ROWS), synth.RandomRBF(1, 1), 20_000),
        "RandomRBFDrift": (
            sg.RandomRBFDrift(_ROWS, change_speed=0.001),
            synth.RandomRBFDrift(1, 1, change_speed=0.001),
            1500,
        ),
        "RandomTree": (sg.RandomTree(_ROWS), synth.RandomTree(1, 1), 30_000),
        "LED": (sg.LED(_ROWS), synth.LED(1, 0.1), 60_000),
        "LED, 24 attributes": (
            sg.LED(_ROWS, irrelevant_features=True),
            synth.LED(1, 0.1, True),
            15_000,
        ),
        "Waveform": (sg.Waveform(_ROWS), synth.Waveform(1), 10_000),
        "Waveform, 40 attributes": (
            sg.Waveform(_ROWS, has_noise=True),
            synth.Waveform(1, True),
            5000,
        ),
    }


def _moas() -> dict[str, tuple[sg.Stream, Any]]:
    """Our stream with MOA's rows, and MOA's through CapyMOA."""
    from capymoa.stream import generator as theirs

    return {
        "SEA": (sg.SEA(_ROWS, 1, noise=0.1, compat="moa"), theirs.SEA()),
        "STAGGER": (sg.STAGGER(_ROWS, 1, compat="moa"), theirs.STAGGERGenerator()),
        "Agrawal": (
            sg.Agrawal(_ROWS, 1, perturbation=0.05, compat="moa"),
            theirs.AgrawalGenerator(),
        ),
        "Hyperplane": (
            sg.Hyperplane(_ROWS, 1, mag_change=0.001, compat="moa"),
            theirs.HyperPlaneClassification(magnitude_of_change=0.001),
        ),
        "RandomRBF": (sg.RandomRBF(_ROWS, 1, compat="moa"), theirs.RandomRBFGenerator()),
        "RandomRBFDrift": (
            sg.RandomRBFDrift(_ROWS, 1, change_speed=0.001, compat="moa"),
            theirs.RandomRBFGeneratorDrift(
                number_of_drifting_centroids=50, magnitude_of_change=0.001
            ),
        ),
        "RandomTree": (sg.RandomTree(_ROWS, 1, compat="moa"), theirs.RandomTreeGenerator()),
        "LED": (
            sg.LED(_ROWS, 1, irrelevant_features=True, compat="moa"),
            theirs.LEDGenerator(),
        ),
        "LED, drift": (
            sg.LED(_ROWS, 1, irrelevant_features=True, n_drift_features=7, compat="moa"),
            theirs.LEDGeneratorDrift(),
        ),
        "Waveform": (sg.Waveform(_ROWS, 1, compat="moa"), theirs.WaveformGenerator()),
        "Waveform, 40 attributes": (
            sg.Waveform(_ROWS, 1, has_noise=True, compat="moa"),
            theirs.WaveformGenerator(noise=True),
        ),
        "Waveform, drift": (
            sg.Waveform(_ROWS, 1, n_drift_features=10, compat="moa"),
            theirs.WaveformGeneratorDrift(),
        ),
    }


def measure() -> Iterator[Line]:
    """The lines for River's generators and for MOA's."""
    yield from _against_river()
    yield from _against_moa()


def _against_river() -> Iterator[Line]:
    """Rows per second of SEA and Sine1, and the smallest ratio to River of all generators."""
    rates, ratios = {}, {}
    for name, (ours, rivers, few) in _pairs().items():
        seconds = take_turns(
            5,
            {
                "ours": partial(_exhaust, partial(ours.blocks, 8192)),
                "rivers": partial(_exhaust, partial(rivers.take, few)),
            },
        )
        rates[name] = _ROWS / seconds["ours"]
        ratios[name] = rates[name] / (few / seconds["rivers"])
        print(f"{name}: {rates[name]:,.0f} rows/s, {ratios[name]:.0f}x River's")
    for name in ("SEA", "Sine1"):
        shown = f"{rates[name] / 1e6:.0f} M rows/s"
        yield Line(f"{name} generator", shown, ">= 5 M rows/s", rates[name] >= 5e6)
    slowest = min(ratios, key=ratios.__getitem__)
    yield Line(
        "generators, the smallest ratio to River",
        f"{ratios[slowest]:.0f}x ({slowest})",
        ">= 20x",
        ratios[slowest] >= 20,
    )


def _against_moa() -> Iterator[Line]:
    """Rows per second of SEA with MOA's rows, and the smallest ratio to CapyMOA of all."""
    rates, ratios = {}, {}
    for name, (ours, moas) in _moas().items():
        _take(moas, _MOA_ROWS)  # Java compiles what runs often
        seconds = time_against(
            5,
            partial(_exhaust, partial(ours.blocks, 8192)),
            partial(_take, moas, _MOA_ROWS),
        )
        rates[name] = _ROWS / seconds["ours"]
        ratios[name] = rates[name] / (_MOA_ROWS / seconds["capymoa"])
        print(f"{name} of MOA: {rates[name]:,.0f} rows/s, {ratios[name]:.0f}x CapyMOA's")
    shown = f"{rates['SEA'] / 1e6:.0f} M rows/s"
    yield Line("SEA generator, MOA's rows", shown, ">= 5 M rows/s", rates["SEA"] >= 5e6)
    slowest = min(ratios, key=ratios.__getitem__)
    yield Line(
        "generators of MOA's rows, the smallest ratio to MOA's through CapyMOA",
        f"{ratios[slowest]:.0f}x ({slowest})",
        ">= 10x",
        ratios[slowest] >= 10,
    )


def _take(stream: Any, n: int) -> None:
    """Read rows of a CapyMOA stream."""
    for _ in range(n):
        stream.next_instance()


def _exhaust(open_stream: Callable[[], Iterable[object]]) -> None:
    for _ in open_stream():
        pass
