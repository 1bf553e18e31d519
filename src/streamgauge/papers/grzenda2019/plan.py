"""What grzenda2019 runs: data sets, learners, and the cells of each table and figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from streamgauge.experiments.grid import Grid
from streamgauge.papers.study import PaperStudy
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.run import Run

K, B = 10, 50
FIRST, LATE, FINAL = SHOWN_BINS = (0, 45, B + 1)  # of Tables 1 and 2


class Data(NamedTuple):
    """A stream of the paper, how late its labels come, and where the paper stops."""

    stream: Mapping[str, Any]
    labels: str | None = None  # None: the stream's own times
    max_labels: int | None = None  # None: all
    seeds: int = 1  # of a generated stream


STAND_IN = "Hyperplane(350, n_features=2, mag_change=0.01)"
DATA = {
    "Hyperplane": Data({"generate": STAND_IN}, "Delay(100)", 250, seeds=10),
    "Airlines": Data({"load": "airlines_atl_2008w1"}, None, 6227),
    "Electricity": Data({"load": "grzenda_electricity"}),
    "Cover type": Data(
        {"load": "covtype", "variant": "nominal", "rows": 25_500}, "Delay(1000)", 24_500
    ),
    "Agrawal": Data({"load": "grzenda_agrawal"}),
    "LED": Data({"load": "grzenda_led"}),
}
BIKES = "Bike sharing"
REGRESSION = {BIKES: Data({"load": "bike_hour"}, "Delay(168)")}

LEARNERS = {
    "NB": "NaiveBayes()",
    "NC": "Persistent()",
    "MC": "Majority()",
    "kNN": "KNN()",
    "HT": "HoeffdingTree(delta=1e-7, compat='moa')",
    "HAT": "HoeffdingAdaptiveTree(delta=1e-7)",
    "ARF": "AdaptiveRandomForest(compat='moa')",
}
REFERENCES = ("NC", "MC")
MOA_HAT = "MOA's HAT"
MOA_LEARNERS = {MOA_HAT: "capymoa:HoeffdingAdaptiveTree(confidence=1e-7)"}
REGRESSORS = {
    "FIMTDD": "HoeffdingTreeRegressor()",
    "TMean": "Mean()",
    "AMRules": "AMRules()",
    "ARFReg": "AdaptiveRandomForestRegressor()",
}
MOA_REGRESSORS = {"ORTO": "capymoa:ORTO()"}

Runs = dict[str, list[Run]]  # by learner: a run for each seed


def table1_runs(study: PaperStudy, name: str) -> Runs:
    """The runs of one data set of Table 1; those of MOA's learners in the full profile only."""
    runs = run_learners(study, name, LEARNERS)
    if study.full:
        runs |= run_learners(study, name, MOA_LEARNERS, what="MOA")
    return runs


def table2_runs(study: PaperStudy) -> Runs:
    """The runs of Table 2: five seeds in the full profile, where MOA's ORTO is run too."""
    seeds = 5 if study.full else 1
    runs = run_learners(study, BIKES, REGRESSORS, seeds=seeds)
    if study.full:
        runs |= run_learners(study, BIKES, MOA_REGRESSORS, what="MOA")
    return runs


def run_learners(
    study: PaperStudy,
    name: str,
    learners: Mapping[str, str],
    *,
    every: int = K,
    bins: int = B,
    exact: bool = False,
    seeds: int | None = None,
    what: str = "",
) -> Runs:
    """The runs of learners on a data set, without those that are missing.

    Parameters
    ----------
    study
        Runs what the store lacks.
    name
        The data set.
    learners
        Their texts, by name.
    every, bins
        The paper's K and B.
    exact
        Whether to follow the definition instead of the authors' program.
    seeds
        By default as the data set says.
    what
        Tells apart two experiments on one data set.
    """
    data = (DATA | REGRESSION)[name]
    streams = study.available({name: data.stream})
    if not streams:
        return {}
    again = Reevaluate(every, bins, None if exact else "moa-fork")
    title = f"{name} K={every} B={bins}{' exact' if exact else ''}{what and f' {what}'}"
    grid = Grid(
        streams,
        dict(learners),
        name=title,
        labels=[data.labels] if data.labels else (),
        max_labels=data.max_labels,
        reevaluate=again,
        seeds=data.seeds if seeds is None else seeds,
    )
    runs: Runs = {}
    for each in study.run(grid).cell_results:
        if each.run is not None:
            runs.setdefault(each.cell.learner, []).append(each.run)
    return {name: runs[name] for name in learners if name in runs}
