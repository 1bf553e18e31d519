"""The Hoeffding tree beside CapyMOA's: within a point on every stream, without bias over them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from tests.conftest import real_data
from tests.parity.test_capymoa import DROPPED, capymoas_predictions

pytestmark = pytest.mark.long

ROWS = 50_000
MADE = (
    sg.SEA(ROWS, seed=1, noise=0.1),
    sg.LED(ROWS, seed=1),
    sg.RandomRBF(ROWS, seed=1),
)


@pytest.mark.filterwarnings("ignore")  # the peer's own
def test_within_a_point(tmp_path: Path) -> None:
    streams: list[sg.Stream] = [*MADE]
    for name in ("elec2", "weather", "airlines", "kdd99_10pct", "covtype"):
        path = real_data(name)
        read = sg.read(path, "target", task="classification", drop=DROPPED[name])
        streams.append(read.take(ROWS))
    differences = {}
    for stream in streams:
        _, theirs = capymoas_predictions(stream, tmp_path / "x.arff", "HoeffdingTree")
        ours = 100 * sg.evaluate(stream, sg.HoeffdingTree()).overall["accuracy"]
        differences[stream.name] = ours - theirs
    assert all(abs(off) <= 1.0 for off in differences.values()), differences
    assert abs(np.mean(list(differences.values()))) <= 0.3, differences
