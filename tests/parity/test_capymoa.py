"""Our learners and MOA's regressors in our loop give the predictions of CapyMOA's loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.parity.runners import as_arff, capymoas, predictions_of
from bench.parity.runners import ours as figures_of
from bench.parity.streams import friedman

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


@pytest.mark.filterwarnings("ignore")  # of CapyMOA
@pytest.mark.parametrize("name", DROPPED)
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("NaiveBayes", sg.NaiveBayes()),
        ("MajorityClass", sg.Majority(start_as=0)),
        ("NoChange", sg.Persistent(start_as=0)),
    ],
)
def test_predictions_equal_capymoas(name: str, theirs: str, ours: Any, tmp_path: Path) -> None:
    stream = sg.read(real_data(name), "target", task="classification", drop=DROPPED[name]).take(
        ROWS
    )
    expected, figures = capymoas(as_arff(stream, tmp_path), theirs)
    run = sg.evaluate(stream, ours)
    got = np.maximum(predictions_of(run, stream), 0)  # MOA scores an abstention as class 0
    different = np.flatnonzero(got != expected)
    assert len(different) == 0, f"first at row {different[0]}, {len(different)} in all"
    abstained = int(run.overall["coverage"] < 1)
    off = abs(100 * run.overall["accuracy"] - figures["accuracy"])
    assert off <= 100 * abstained / len(got) + 1e-9


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["elec2", "airlines", "covtype"])
def test_extremely_fast_tree_predicts_what_moas_does(name: str, tmp_path: Path) -> None:
    stream = sg.read(real_data(name), "target", task="classification", drop=DROPPED[name]).take(
        20_000
    )
    expected, _ = capymoas(as_arff(stream, tmp_path), "EFDT")
    run = sg.evaluate(stream, sg.ExtremelyFastDecisionTree(compat="moa"))
    assert (np.maximum(predictions_of(run, stream), 0) == expected).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "learner",
    ["FIMTDD", "ORTO", "AMRulesRegressor", "AdaptiveRandomForestRegressor(ensemble_size=3)"],
)
def test_moas_regressors_have_the_same_errors_in_our_loop(learner: str, tmp_path: Path) -> None:
    stream = friedman(1500, seed=1)
    _, expected = capymoas(as_arff(stream, tmp_path), learner, seed=3)
    assert figures_of(stream, f"capymoa:{learner}", seed=3) == pytest.approx(expected, rel=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["airlines_atl_2008w1", "grzenda_agrawal", "grzenda_led"])
def test_hoeffding_tree_with_compat_has_every_late_prediction_of_moas(name: str) -> None:
    """Branches without rows, and the rows that first come to them, count as in MOA."""
    real_data(name)
    learners: dict[str, Any] = {
        "ours": sg.HoeffdingTree(delta=1e-7, compat="moa"),
        "theirs": "capymoa:HoeffdingTree(confidence=1e-7)",
    }
    stream = sg.load(name)
    runs = sg.evaluate(stream, learners)
    ours, theirs = (runs[each].predictions["prediction"].to_pylist() for each in learners)
    no_votes = (stream.schema.classes[0], None)  # MOA predicts this, its adapter abstains
    pairs = list(zip(ours, theirs, strict=True))
    assert [pair for pair in pairs if pair[0] != pair[1] and pair != no_votes] == []
    assert pairs.count(no_votes) < 100
