"""The registry: every public name, the module that defines it, and its kind.

`sg.NAME`, the command line, TOML files and learner texts all look names up here. A new learner,
detector, generator or data format is one line below and one in `__init__.pyi`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal[
    "learner", "reference", "wrapper", "adapter", "detector", "forgetting", "label policy",
    "protocol", "generator", "transform", "reader", "function", "type", "error",
]  # fmt: skip

# Kind → module → the names it defines. Messages list names in this order.
_TABLE: Mapping[Kind, Mapping[str, str]] = {
    "learner": {
        "learners.naive_bayes": "NaiveBayes",
        "learners.trees.hoeffding_tree": "HoeffdingTree",
        "learners.trees.hoeffding_adaptive_tree": "HoeffdingAdaptiveTree",
        "learners.ensembles.adaptive_random_forest": "AdaptiveRandomForest",
        "learners.ensembles.leveraging_bagging": "LeveragingBagging",
        "learners.ensembles.online_bagging": "OnlineBagging",
        "learners.knn": "KNN",
        "learners.neural.clstm": "CLSTM",
        "learners.trees.hoeffding_tree_regressor": "HoeffdingTreeRegressor",
        "learners.ensembles.adaptive_random_forest_regressor": "AdaptiveRandomForestRegressor",
        "learners.rules.am_rules": "AMRules",
    },
    "reference": {
        "learners.references.majority": "Majority",
        "learners.references.persistent": "Persistent NoChange",
        "learners.references.transition": "Transition",
        "learners.references.mean": "Mean",
        "learners.references.last_value": "LastValue",
    },
    "wrapper": {
        "learners.wrappers.temporally_augmented": "TemporallyAugmented SWT",
        "learners.wrappers.temporal_correction": "TemporalCorrection",
        "learners.wrappers.resetting": "Resetting",
    },
    "adapter": {
        "learners.adapters.capymoa": "from_capymoa",
        "learners.adapters.river": "from_river",
        "learners.adapters.sklearn": "from_sklearn",
        "learners.adapters.torch": "from_torch",
    },
    "detector": {
        "detectors.ddm": "DDM",
        "detectors.eddm": "EDDM",
        "detectors.adwin": "ADWIN",
        "detectors.page_hinkley": "PageHinkley",
        "detectors.ratio_page_hinkley": "RatioPageHinkley",
        "detectors.random_alarm": "RandomAlarm",
        "detectors.periodic_alarm": "PeriodicAlarm",
        "detectors.never_alarm": "NeverAlarm",
    },
    "forgetting": {"measures.forgetting": "Cumulative Window Fading TimeWindow"},
    "label policy": {"prequential.labels": "Immediate Delay Chunks FromStream Sampled"},
    "protocol": {"prequential.protocols": "Holdout PrequentialCV"},
    "generator": {
        "streams.generators.agrawal": "Agrawal",
        "streams.generators.hyperplane": "Hyperplane",
        "streams.generators.led": "LED",
        "streams.generators.random_rbf": "RandomRBF",
        "streams.generators.random_rbf_drift": "RandomRBFDrift",
        "streams.generators.random_tree": "RandomTree",
        "streams.generators.sea": "SEA",
        "streams.generators.sine": "Sine1 Sine2",
        "streams.generators.stagger": "STAGGER",
        "streams.generators.waveform": "Waveform",
    },
    "transform": {
        "streams.transforms.drift": "drift",
        "streams.transforms.inject": "inject",
        "streams.transforms.shuffle": "shuffled shuffled_within_class",
    },
    "reader": {
        "streams.datasets.catalog": "load",
        "streams.files": "read",
        "streams.events": "from_events read_events",
        "streams.frames": "from_arrays from_frame from_rows",
        "streams.generators.tenet": "tenet_streams",
    },
    "function": {
        "comparison.compare": "compare",
        "comparison.detect": "detect",
        "comparison.ranking": "rank",
        "comparison.scorecard": "score_alarms",
        "evaluation.evaluate": "evaluate",
        "evaluation.score": "score",
        "experiments.results": "results",
        "experiments.run": "run",
        "inspection.inspect": "inspect",
        "runs.open": "open_run",
    },
    "type": {
        "_support.types": "Block Schema",
        "comparison.alarms": "AlarmScore",
        "comparison.detect": "Detections",
        "comparison.ranking": "Ranking",
        "comparison.result": "Comparison Comparisons",
        "comparison.scorecard": "Scorecard",
        "experiments.grid": "Grid",
        "experiments.results": "Results",
        "inspection.profile": "Profile",
        "prequential.reevaluation.reevaluate": "Reevaluate",
        "runs.run": "Run",
        "streams.base": "Stream",
    },
    "error": {
        "_support.errors": "DownloadError InputError LearnerError MissingExtra StreamgaugeError "
        "UsageError",
    },
}
_MODULES: dict[str, str] = {
    name: module
    for modules in _TABLE.values()
    for module, defined in modules.items()
    for name in defined.split()
}
KINDS: tuple[Kind, ...] = tuple(_TABLE)
PUBLIC = frozenset(_MODULES)


def names(*kinds: Kind) -> tuple[str, ...]:
    """The public names of these kinds, in the registry's order."""
    return tuple(
        name for kind in kinds for defined in _TABLE[kind].values() for name in defined.split()
    )


def module_of(name: str) -> str:
    """The module that defines a public name."""
    return f"streamgauge.{_MODULES[name]}"


def find(name: str) -> Any:
    """The object with a public name; its module is imported only now."""
    return getattr(importlib.import_module(module_of(name)), name)


def find_in_module(module: str, name: str) -> Any:
    """A class or function that a user's module defines, not one that it imports."""
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise ValueError(f"module {module!r} cannot be imported: {error}") from None
    home = str(getattr(found, "__module__", None))
    if not callable(found) or not f"{home}.".startswith(f"{module}."):
        raise ValueError(f"module {module!r} does not define a class or function {name!r}")
    return found
