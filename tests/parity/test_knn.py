"""KNN is CapyMOA's, prediction by prediction."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.arff import write_arff

import streamgauge as sg
from tests.conftest import real_data

pytestmark = pytest.mark.long

# Of each file: the columns left out, and how many rows CapyMOA gets through in a few seconds.
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


@pytest.mark.filterwarnings("ignore")  # the peer's own
@pytest.mark.parametrize(
    ("name", "k"), [*((name, 10) for name in (*FILES, *GENERATED)), ("elec2, 6 features", 5)]
)
def test_same_predictions(name: str, k: int, tmp_path: Path) -> None:
    from capymoa.classifier import KNN
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream

    stream = stream_of(name)
    write_arff(stream, tmp_path / "stream.arff")
    source = ARFFStream(str(tmp_path / "stream.arff"))
    model = KNN(schema=source.get_schema(), k=k, window_size=1000)
    results = prequential_evaluation(source, model, store_predictions=True, optimise=False)
    expected = np.array([-1 if answer is None else answer for answer in results.predictions()])

    run = sg.evaluate(stream, sg.KNN(k))
    code = {label: i for i, label in enumerate(stream.schema.classes)}
    column = run.predictions["prediction"].to_pylist()
    got = np.array([-1 if answer is None else code[answer] for answer in column])
    different = np.flatnonzero(got != expected)
    assert len(different) == 0, f"first at row {different[0]}, {len(different)} in all"
    if (name, k) == ("elec2, 6 features", 5):
        assert round(100 * run.overall["accuracy"], 2) == 81.25
