"""What metrics and costs declare: a direction and a unit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge.measures.scale import Scale, common_scale
from streamgauge.runs.facts import COSTS


def good_and_bad(regression: bool) -> list[sg.Run]:
    """Almost perfect predictions, and poor ones, of the same rows."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=400) if regression else rng.integers(0, 3, 400)
    poor = rng.normal(size=400) if regression else np.where(rng.random(400) < 0.4, y, (y + 1) % 3)
    near = y + 0.01 * poor if regression else np.where(np.arange(400) % 50 == 0, (y + 1) % 3, y)
    task: Any = "regression" if regression else "classification"
    cost = None if regression else 1 - np.eye(3)
    return [sg.score(y, given, task=task, cost=cost) for given in (near, poor)]


@pytest.mark.parametrize("regression", [False, True])
def test_better_predictions_have_the_better_value_by_the_declared_direction(
    regression: bool,
) -> None:
    good, bad = good_and_bad(regression)
    metrics = [name for name in good.scales if name not in COSTS]
    judged = [name for name in metrics if good.scales[name].direction is not None]
    for name in judged:
        if name in good.overall and not name.startswith("accuracy_"):
            merit = good.scales[name].merit
            assert merit(good.overall[name]) >= merit(bad.overall[name]), name
    undirected = {name for name in metrics if name not in judged}
    assert undirected <= {"error_autocorrelation", "kappa_se"}


@pytest.mark.parametrize("regression", [False, True])
def test_fractions_are_between_0_and_1(regression: bool) -> None:
    for run in good_and_bad(regression):
        for name, scale in run.scales.items():
            if scale.unit == "fraction" and name in run.overall:
                assert 0 <= run.overall[name] <= 1, name


def test_columns_of_classes_and_references_inherit(tmp_path: Path) -> None:
    own = sg.HoeffdingTree()
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), references=[own])
    assert run.scales["recall[1]"] == run.scales["macro_recall"]
    assert run.scales["accuracy_hoeffdingtree"] == run.scales["accuracy"]
    assert run.scales["kappa_hoeffdingtree"] == run.scales["kappa"]
    path = run.save(tmp_path)
    assert sg.open_run(path).scales == run.scales
    stored = json.loads((path / "run.json").read_text())["scales"]
    assert {*stored} >= {*run.overall, *run.curve.metrics, *COSTS}
    assert stored["error"] == {"direction": "lower", "unit": "fraction"}


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"direction": "up"}, r"Metric\('m'\): direction='up'; expected 'higher' or 'lower'"),
        ({"direction": "lowr"}, "did you mean 'lower'"),
        ({"direction": True}, r"Metric\('m'\): direction=True"),
        ({"unit": "parsecs"}, r"Metric\('m'\): unit='parsecs'; expected one of number, fraction"),
        ({"unit": None}, r"Metric\('m'\): unit=None"),
        ({"unit": ["bytes"]}, r"Metric\('m'\): unit=\['bytes'\]"),
        ({"direction": ["lower"]}, r"Metric\('m'\): direction=\['lower'\]"),
    ],
)
def test_nonsense_is_refused_by_name(declared: Any, message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.Metric("m", lambda s: s.n, **declared)


def test_our_metrics_and_costs_declare_known_units() -> None:
    names = registry.own_names("metric")
    assert {registry.find(name, "metric").scale.unit for name in names} == {
        "number", "fraction", "target",
    }  # fmt: skip
    assert all(scale.direction for scale in COSTS.values())


def test_what_is_not_declared_has_no_direction() -> None:
    assert common_scale("x", [{}, {"y": Scale("lower")}]) == Scale(None, "number")
    assert sg.Metric("m", lambda s: s.n).scale == Scale()
