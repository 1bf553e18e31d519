"""Tables of cases: evaluations, scores, comparisons, rankings, inspections.

After a rename in streamgauge, only this file, streams.py and learners.py need an update. The names
on the left belong to the recordings and never change.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from bench.digits.learners import Make
from bench.digits.own import OwnLearner
from bench.digits.streams import ROWS, events

COST = [[0.0, 5.0], [1.0, 0.0]]


def _latest(predictions: Any, shares: Any) -> Any:
    """The last prediction in a bin."""
    return predictions[-1]


def _forget() -> list[Any]:
    return [
        sg.Fading(0.99),
        sg.Cumulative(),
        sg.Window(200),
        sg.TimeWindow(300),
        sg.Fading(0.995, estimator="zliobaite2015"),
    ]


def learner_options(late: bool) -> dict[str, Any]:
    """Options for evaluating every learner: defaults, or late labels and probabilities."""
    forget = [sg.Cumulative(), sg.Window(500), sg.Fading(0.99)]
    return (
        {"forget": forget, "labels": sg.Delay(50), "metrics": "all"} if late else {"forget": forget}
    )


def _nb() -> Any:
    return sg.NaiveBayes()


# By name: stream, learner, options.
EVALUATIONS: dict[str, tuple[str, Make, Callable[[], dict[str, Any]]]] = {
    "default": ("elec2", _nb, dict),
    "labels/immediate": ("elec2", _nb, lambda: {"labels": sg.Immediate()}),
    "labels/delay": ("elec2", sg.HoeffdingTree, lambda: {"labels": sg.Delay(100)}),
    "labels/chunks": ("elec2", sg.HoeffdingTree, lambda: {"labels": sg.Chunks(250)}),
    "labels/from_stream": ("atl", _nb, lambda: {"labels": sg.FromStream()}),
    "labels/from_stream_ties": ("atl", _nb, lambda: {"labels": sg.FromStream("labels_first")}),
    "labels/from_stream_default": ("lingering", lambda: sg.SWT(_nb(), order=2), dict),
    "labels/sampled": ("elec2", _nb, lambda: {"labels": sg.Sampled(0.2)}),
    "labels/sampled_all": (
        "elec2",
        lambda: sg.Resetting(_nb(), sg.DDM()),
        lambda: {"labels": sg.Sampled(0.3, score="all", seed=4)},
    ),
    "labels/oracle": ("elec2", _nb, lambda: {"labels": sg.Delay(50), "oracle": True}),
    "forget/all": ("elec2", sg.HoeffdingTree, lambda: {"forget": _forget(), "every": 7}),
    "forget/late": ("lingering", _nb, lambda: {"forget": _forget(), "every": 50}),
    "forget/timestamps": (
        "nycflights",
        _nb,
        lambda: {"forget": [sg.TimeWindow(timedelta(hours=24)), sg.Cumulative()]},
    ),
    "forget/regression": (
        "bike_hour",
        sg.AMRules,
        lambda: {"forget": _forget()[:4], "every": 11},
    ),
    "metrics/all": ("covtype", _nb, lambda: {"metrics": "all", "forget": _forget()[:3]}),
    "metrics/names": ("elec2", _nb, lambda: {"metrics": ["kappa", "mcc", "auc", "brier"]}),
    "metrics/cost": ("elec2", _nb, lambda: {"cost": COST, "metrics": "all"}),
    "seed": ("elec2", lambda: sg.AdaptiveRandomForest(n_models=3), lambda: {"seed": 42}),
    "block_rows": ("elec2", sg.KNN, lambda: {"block_rows": 97, "labels": sg.Delay(10)}),
    "protocol/warmup": ("elec2", _nb, lambda: {"warmup": 500}),
    "protocol/holdout": ("elec2", _nb, lambda: {"protocol": sg.Holdout(every=500, size=100)}),
    "protocol/holdout_first": (
        "elec2",
        lambda: sg.SWT(_nb()),
        lambda: {"protocol": sg.Holdout(every=300, size=100, test="first")},
    ),
    "protocol/holdout_stream": (
        "sea_drift",
        _nb,
        lambda: {
            "protocol": sg.Holdout(500, 200, test=sg.SEA(200, seed=9)),
            "labels": sg.Delay(20),
        },
    ),
    "protocol/cv": ("elec2", _nb, lambda: {"protocol": sg.PrequentialCV()}),
    "protocol/cv_split": ("elec2", _nb, lambda: {"protocol": sg.PrequentialCV(k=4, mode="split")}),
    "protocol/cv_bootstrap": (
        "elec2",
        lambda: sg.HoeffdingTree(grace_period=50),
        lambda: {
            "protocol": sg.PrequentialCV(3, "bootstrap", compat="moa", seed=5),
            "labels": sg.Delay(20),
        },
    ),
    "reevaluate/classes": (
        "elec2",
        _nb,
        lambda: {"labels": sg.Delay(100), "reevaluate": sg.Reevaluate(every=10, bins=8)},
    ),
    "reevaluate/default": (
        "atl",
        sg.HoeffdingTree,
        lambda: {"reevaluate": sg.Reevaluate(), "forget": _forget()[:2]},
    ),
    "reevaluate/moa_fork": (
        "atl",
        _nb,
        lambda: {"reevaluate": sg.Reevaluate(every=20, bins=10, compat="moa-fork")},
    ),
    "reevaluate/own_aggregate": (
        "small",
        lambda: sg.SWT(_nb(), refresh=True),
        lambda: {
            "labels": sg.Chunks(60),
            "reevaluate": sg.Reevaluate(every=5, bins=4, aggregate=_latest),
        },
    ),
    "reevaluate/cost": (
        "small",
        _nb,
        lambda: {"labels": sg.Delay(50), "cost": COST, "reevaluate": sg.Reevaluate(10, 4)},
    ),
    "reevaluate/regression": (
        "bike_hour",
        lambda: sg.HoeffdingTreeRegressor(grace_period=100),
        lambda: {
            "labels": sg.Delay(168),
            "reevaluate": sg.Reevaluate(every=20, bins=10, aggregate="mean"),
        },
    ),
}


def evolving(made: dict[str, Any]) -> Any:
    """A run over instances whose features change while they wait for their labels."""
    again = sg.Reevaluate(every=2, bins=4)
    return sg.evaluate(events(made, kind="kind"), sg.NaiveBayes(), reevaluate=again, progress=False)


def several() -> list[Any]:
    """Learners that share one pass."""
    return [sg.NaiveBayes(), "Persistent()", OwnLearner(), sg.AdaptiveRandomForest(n_models=2)]


# Functions of the predictions of a run: as a table, and as the file it was saved in.
SCORES: dict[str, Callable[[Any, Path], Any]] = {
    "columns": lambda table, _: sg.score(table["y"].to_pylist(), table["prediction"].to_pylist()),
    "late": lambda table, _: sg.score(
        table["y"].to_pylist(),
        table["prediction"].to_pylist(),
        forget=_forget()[:3],
        warmup=100,
        arrives=np.arange(ROWS),
        revealed=np.arange(ROWS) + 40,
        cost=COST,
    ),
    "probabilities": lambda table, _: sg.score(
        np.arange(600) % 3 % 2, np.arange(600) % 2, y_proba=_probabilities(600)
    ),
    "numbers": lambda table, _: sg.score(
        np.sin(np.arange(900)), np.sin(np.arange(900) + 0.1), labels=sg.Delay(5)
    ),
    "file": lambda _, path: sg.score(path, true="y", pred="prediction"),
}


def _probabilities(rows: int) -> Any:
    one = (np.arange(rows) * 7 % 11 + 1) / 13
    return np.column_stack([1 - one, one])


# Functions of two runs on streams with known drifts.
ALARMS: dict[str, Callable[[list[Any]], Any]] = {
    "lists": lambda _: sg.score_detectors([1100, 700, 4000], drifts=[1000, (3500, 400)], n=6000),
    "none": lambda _: sg.score_detectors({"a": [5, 99], "b": []}, drifts=[], n=500),
    "detected": lambda runs: sg.detect(runs[0], _detectors()).score(accept=1500),
    "several": lambda runs: sg.score_detectors([sg.detect(run, _detectors()) for run in runs]),
    "dummies": lambda runs: sg.score_detectors(
        sg.detect(runs[0], _detectors()), accept=900, dummies=[sg.RandomAlarm(0.01, seed=2)]
    ),
}


def _detectors() -> list[Any]:
    return [sg.DDM(), sg.EDDM(), sg.ADWIN(), sg.PageHinkley(0.01, 10), sg.RatioPageHinkley()]


# Functions of `run`, which returns the run of a learner on a stream, both by name.
COMPARISONS: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "runs": lambda run: sg.compare(run("elec2"), run("elec2", "hoeffding_tree_nb")),
    "reference": lambda run: sg.compare(run("elec2"), "Persistent"),
    "several": lambda run: sg.compare(
        run("sine_drift", "adaptive_tree"), run("sine_drift"), "Majority", "Transition"
    ),
    "options": lambda run: sg.compare(
        run("elec2"),
        run("elec2", "knn"),
        forget=[sg.Fading(0.99), sg.Window(300)],
        smooth=1.0,
        compat="gama2013",
        confidence=0.95,
        every=10,
        stretch=500,
        wait=3,
    ),
    "costs": lambda run: sg.compare(run("elec2"), run("elec2", "knn"), loss=COST),
    "numbers": lambda run: sg.compare(
        run("bike_hour", "am_rules"), run("bike_hour", "mean"), loss="absolute", bound=1e5
    ),
    "squared": lambda run: sg.compare(
        run("bike_hour", "am_rules"), run("bike_hour", "last_value"), loss="squared"
    ),
    "columns": lambda run: sg.compare(
        np.arange(2000) % 3 % 2, np.arange(2000) % 5 % 2, y=np.arange(2000) % 2, names=["p", "q"]
    ),
    "given": lambda run: sg.compare(
        np.sin(np.arange(2000)) ** 2, np.cos(np.arange(2000) / 9) ** 2, loss="given", bound=1.0
    ),
}


def _scores() -> Any:
    return np.round(np.random.default_rng(4).random((12, 4)) + np.arange(4) / 8, 2)


RANKINGS: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "array": lambda run: sg.rank(_scores(), names=list("abcd")),
    "losses": lambda run: sg.rank(
        dict(zip("abcd", _scores().T, strict=True)), lower_is_better=True, alpha=0.1
    ),
    "holes": lambda run: sg.rank(
        np.where(_scores() > 1.2, np.nan, _scores()), names=list("abcd"), missing="drop"
    ),
    "runs": lambda run: sg.rank(
        [
            run(stream, learner)
            for stream in ("elec2", "covtype", "sine_drift")
            for learner in ("naive_bayes", "hoeffding_tree", "majority")
        ],
        metric="accuracy",
    ),
}
INSPECTIONS: dict[str, Callable[[Callable[[str], Any]], Any]] = {
    "elec2": lambda stream: sg.inspect(stream("elec2"), progress=False),
    "options": lambda stream: sg.inspect(
        stream("covtype"), rows=2500, window=200, lags=150, progress=False
    ),
    "airlines": lambda stream: sg.inspect(stream("airlines"), progress=False),
    "powersupply": lambda stream: sg.inspect(stream("powersupply"), progress=False),
    "lingering": lambda stream: sg.inspect(stream("lingering"), progress=False),
    "bike_hour": lambda stream: sg.inspect(stream("bike_hour"), progress=False),
}


def grid() -> Any:
    """A small experiment, given partly as texts and partly as objects."""
    return sg.Grid(
        streams=[
            {"load": "elec2", "rows": 1500},
            {"generate": "SEA(1500, noise=0.1)", "inject": [0, 2]},
            {"generate": "splice([Sine1(1500), Sine1(1500, reverse=True)], at=[700], n=1500)"},
            {"tenet": "all", "drift": "abrupt", "rows": 800},
        ],
        learners={
            "NB": "NaiveBayes()",
            "HT": sg.HoeffdingTree(grace_period=100),
            "SWT": "SWT(HoeffdingTree(grace_period=50), order=2)",
            "ARF": "AdaptiveRandomForest(n_models=3)",
        },
        labels=["Immediate()", sg.Delay(100)],
        forget=["Cumulative()", sg.Fading(0.999)],
        seeds=2,
        name="digits",
    )
