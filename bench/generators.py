"""Generators: rows per second, and the ratio to River's generator of the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import streamgauge as sg
from bench.clock import Line, take_turns

_ROWS = 500_000


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


def measure() -> Iterator[Line]:
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


def _exhaust(open_stream: Callable[[], Iterable[object]]) -> None:
    for _ in open_stream():
        pass
