"""Expanding the stream entries of a spec."""

from __future__ import annotations

import pytest

import streamgauge as sg
from tests.experiments.stores import grid


def test_tenet_entry_expands_to_streams_drifts_and_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    def tenet_streams(drift: str = "abrupt", rows: int = 100, seed: int = 1) -> dict[str, object]:
        names = {"SEA": 0, "Sine": 1}
        return {n: sg.SEA(rows, seed, noise=0.1 * (drift == "gradual")) for n in names}

    def inject(stream: sg.Stream, order: int) -> sg.Stream:
        return stream.take(order)

    monkeypatch.setattr("streamgauge.experiments._sources.tenet_streams", tenet_streams)
    monkeypatch.setattr("streamgauge.experiments._sources.inject", inject)
    entry = {"tenet": "all", "drift": ["abrupt", "gradual"], "inject": [0, 2], "rows": 40}
    cells = grid(streams=[entry], learners=["NaiveBayes()"], seeds=1).cells
    assert [cell.stream for cell in cells] == [
        "SEA abrupt", "SEA abrupt inject=2", "Sine abrupt", "Sine abrupt inject=2",
        "SEA gradual", "SEA gradual inject=2", "Sine gradual", "Sine gradual inject=2",
    ]  # fmt: skip
    assert [c.directory.startswith("SEA_40_seed_1_2") for c in cells[:4]] == [False, True] * 2
    assert "SEA_40_seed_1_noise" in cells[4].directory
    one = grid(streams=[{"tenet": "Sine"}], learners=["NaiveBayes()"], seeds=[7]).cells
    assert one[0].directory.startswith("SEA_100_seed_7-")
    with pytest.raises(sg.UsageError, match=r"no stream 'SAE'.*did you mean 'SEA'"):
        _ = grid(streams=[{"tenet": "SAE"}]).cells
