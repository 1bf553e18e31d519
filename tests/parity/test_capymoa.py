"""Naive Bayes, Majority and Persistent are CapyMOA's, prediction by prediction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.arff import write_arff

import streamgauge as sg
from tests.conftest import real_data

pytestmark = pytest.mark.long

DROPPED: dict[str, list[str]] = {
    "elec2": ["date", "day"],
    "weather": [],
    "airlines": [],
    "covtype": [],
    "kdd99_10pct": [],
    "ozone_eighthr": ["Date"],
    "airlines_atl_2008w1": ["instanceId", "predict_ts_min", "label_ts_min"],
}
ROWS = 100_000


def capymoas_predictions(stream: sg.Stream, path: Path, learner: str) -> Any:
    from capymoa import classifier
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream

    write_arff(stream, path)
    source = ARFFStream(str(path))
    model = getattr(classifier, learner)(schema=source.get_schema())
    results = prequential_evaluation(source, model, store_predictions=True, optimise=False)
    # Where every vote is 0, CapyMOA says None and MOA, which scores it, class 0.
    answers = [0 if answer is None else answer for answer in results.predictions()]
    return np.array(answers), float(results.cumulative.accuracy())


@pytest.mark.filterwarnings("ignore")  # the peer's own
@pytest.mark.parametrize("name", DROPPED)
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("NaiveBayes", sg.NaiveBayes()),
        ("MajorityClass", sg.Majority(start_as=0)),
        ("NoChange", sg.Persistent(start_as=0)),
    ],
)
def test_same_predictions(name: str, theirs: str, ours: Any, tmp_path: Path) -> None:
    stream = sg.read(real_data(name), "target", task="classification", drop=DROPPED[name]).take(
        ROWS
    )
    expected, accuracy = capymoas_predictions(stream, tmp_path / f"{name}.arff", theirs)
    run = sg.evaluate(stream, ours)
    code = {label: i for i, label in enumerate(stream.schema.classes)}
    got = np.array([0 if p is None else code[p] for p in run.predictions["prediction"].to_pylist()])
    different = np.flatnonzero(got != expected)
    assert len(different) == 0, f"first at row {different[0]}, {len(different)} in all"
    abstained = int(run.overall["coverage"] < 1)  # MOA scores an abstention as class 0
    assert abs(100 * run.overall["accuracy"] - accuracy) <= 100 * abstained / len(got) + 1e-9
