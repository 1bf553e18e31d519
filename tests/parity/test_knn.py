"""KNN gives the predictions of CapyMOA's KNN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.parity.runners import as_arff, capymoas, predictions_of

import streamgauge as sg
from tests.conftest import real_data

pytestmark = pytest.mark.long

# File, columns to drop, and the number of rows that CapyMOA needs a few seconds for.
FILES: dict[str, tuple[str, list[str], int]] = {
    "elec2, 6 features": ("elec2", ["date", "day"], 45_312),
    "elec2, 8 features": ("elec2", [], 45_312),
    "covtype": ("covtype", [], 20_000),
    "airlines": ("airlines", [], 20_000),
    "weather": ("weather", [], 18_159),
    "rialto": ("rialto", [], 10_000),
    "kdd99": ("kdd99_10pct", [], 10_000),
    "ozone": ("ozone_eighthr", ["Date"], 2_534),
    "airlines_atl": (
        "airlines_atl_2008w1",
        ["instanceId", "predict_ts_min", "label_ts_min"],
        10_000,
    ),
}
GENERATED = {"SEA": sg.SEA(20_000, seed=1), "LED": sg.LED(20_000, seed=1)}


def stream_of(name: str) -> sg.Stream:
    if name in GENERATED:
        return GENERATED[name]
    file, dropped, rows = FILES[name]
    return sg.read(real_data(file), "target", task="classification", drop=dropped).take(rows)


@pytest.mark.filterwarnings("ignore")  # of CapyMOA
@pytest.mark.parametrize(
    ("name", "k"), [*((name, 10) for name in (*FILES, *GENERATED)), ("elec2, 6 features", 5)]
)
def test_predictions_equal_capymoas(name: str, k: int, tmp_path: Path) -> None:
    stream = stream_of(name)
    expected = capymoas(as_arff(stream, tmp_path), f"KNN(k={k})", optimise=False).predictions
    run = sg.evaluate(stream, sg.KNN(k))
    got = predictions_of(run, stream)
    different = np.flatnonzero(got != expected)
    assert len(different) == 0, f"first at row {different[0]}, {len(different)} in all"
    if (name, k) == ("elec2, 6 features", 5):
        assert round(100 * run.overall["accuracy"], 2) == 81.25
