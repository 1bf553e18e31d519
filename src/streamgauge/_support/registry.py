"""The registry: every name that users write, the module that defines it, and its kind.

`sg.NAME`, the command line, TOML files and learner texts all look names up here. A new learner,
metric, detector, generator, source, file format or verb is one line below (CONTRIBUTING.md).
Installed packages add their own names by entry points.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from streamgauge._support import entry_points
from streamgauge._support.errors import UsageError

Kind = Literal[
    "learner", "reference", "wrapper", "adapter", "detector", "forgetting", "label policy",
    "protocol", "re-evaluation", "generator", "transform", "reader", "plan", "function", "result",
    "contract", "error", "metric", "source", "file format", "verb",
]  # fmt: skip

# Kind → module → the names it defines. Messages list names in this order.
_TABLE: Mapping[Kind, Mapping[str, str]] = {
    "learner": {
        "learners.naive_bayes": "NaiveBayes",
        "learners.trees.hoeffding_tree": "HoeffdingTree",
        "learners.trees.hoeffding_adaptive_tree": "HoeffdingAdaptiveTree",
        "learners.trees.extremely_fast_decision_tree": "ExtremelyFastDecisionTree",
        "learners.ensembles.adaptive_random_forest": "AdaptiveRandomForest",
        "learners.ensembles.streaming_random_patches": "StreamingRandomPatches",
        "learners.ensembles.leveraging_bagging": "LeveragingBagging",
        "learners.ensembles.online_bagging": "OnlineBagging",
        "learners.ensembles.streaming_gradient_boosted_trees": "StreamingGradientBoostedTrees",
        "learners.ensembles.dynamic_weighted_majority": "DynamicWeightedMajority",
        "learners.ensembles.online_accuracy_updated_ensemble": "OnlineAccuracyUpdatedEnsemble",
        "learners.ensembles.adwin_bagging": "ADWINBagging",
        "learners.knn": "KNN",
        "learners.sam_knn": "SAMkNN",
        "learners.neural.clstm": "CLSTM",
        "learners.neural.esn": "ESN",
        "learners.trees.hoeffding_tree_regressor": "HoeffdingTreeRegressor",
        "learners.ensembles.adaptive_random_forest_regressor": "AdaptiveRandomForestRegressor",
        "learners.ensembles.streaming_gradient_boosted_trees_regressor": (
            "StreamingGradientBoostedTreesRegressor"
        ),
        "learners.rules.am_rules": "AMRules",
    },
    "reference": {
        "learners.references.majority": "Majority",
        "learners.references.persistent": "Persistent",
        "learners.references.transition": "Transition",
        "learners.references.seasonal": "Seasonal",
        "learners.references.mean": "Mean",
        "learners.references.last_value": "LastValue",
    },
    "wrapper": {
        "learners.wrappers.temporally_augmented": "TemporallyAugmented",
        "learners.wrappers.labels_only": "LabelsOnly",
        "learners.wrappers.temporal_correction": "TemporalCorrection",
        "learners.wrappers.resetting": "Resetting",
        "learners.wrappers.windowed": "Windowed",
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
        "detectors.e_detector": "EDetector",
        "detectors.random_alarm": "RandomAlarm",
        "detectors.periodic_alarm": "PeriodicAlarm",
        "detectors.never_alarm": "NeverAlarm",
    },
    "forgetting": {"measures.forgetting": "Cumulative Window Fading TimeWindow"},
    "label policy": {
        "prequential.labels": "Immediate Delay Chunks FromStream",
        "prequential.random_delay": "RandomDelay",
        "prequential.sampled": "Sampled",
    },
    "protocol": {"prequential.protocols": "Holdout PrequentialCV"},
    "re-evaluation": {"prequential.reevaluation.reevaluate": "Reevaluate"},
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
        "streams.transforms.splice": "splice",
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
    "plan": {"experiments.grid": "Grid", "monitoring.monitor": "Monitor"},
    "function": {
        "comparison.ablation": "ablate",
        "comparison.compare": "compare",
        "comparison.planning": "rows_needed",
        "detection.detect": "detect",
        "detectors.calibrate": "calibrate",
        "ranking.rank": "rank",
        "detection.scorecard": "score_detectors",
        "evaluation.evaluate": "evaluate",
        "evaluation.score": "score",
        "experiments.results": "results",
        "experiments.run_grid": "run_grid",
        "experiments.table": "table",
        "inspection.inspect": "inspect",
        "measures.sample_size": "hoeffding_rows",
        "papers.reproduce": "reproduce",
        "reports.report": "report",
        "runs.open_run": "open_run",
        "runs.plot": "plot",
    },
    "result": {
        "runs.run": "Run",
        "runs.runs": "Runs",
        "comparison.ablation": "Ablation",
        "comparison.result": "Comparison Comparisons",
        "ranking.ranking": "Ranking",
        "ranking.rankings": "Rankings",
        "detection.detect": "Detections",
        "detection.scorecard": "Scorecard",
        "detection.alarms": "AlarmScore",
        "detection.alarm_draws": "AlarmDraws",
        "detectors.calibrate": "Calibration",
        "experiments.results": "Results",
        "inspection.profile": "Profile",
    },
    "contract": {
        "_support.types": "Block Drift Schema",
        "streams.base": "Stream",
        "learners.base": "Learner",
        "detectors.base": "Detector",
        "measures.metric": "Metric",
        "measures.reference": "Reference",
        "measures.forgetting": "Forgetting",
        "prequential.labels": "LabelPolicy Timetable",
        "monitoring.sources.base": "Source",
        "streams.formats.file_format": "FileFormat",
        "streams.formats.pieces": "LineParser Piece",
        "streams.formats.table": "TypedTable",
    },
    "error": {
        "_support.errors": "DownloadError InputError Interrupted LearnerError MissingExtra "
        "StreamgaugeError UsageError",
    },
    "metric": {
        "measures.metrics.accuracy": "accuracy error coverage",
        "measures.metrics.kappa": "kappa kappa_temporal kappa_plus kappa_majority kappa_transition "
        "kappa_seasonal kappa_se kappa_z",
        "measures.metrics.references": "accuracy_majority accuracy_persistent accuracy_transition "
        "accuracy_seasonal accuracy_random accuracy_no_information",
        "measures.metrics.errors": "error_autocorrelation",
        "measures.metrics.classes": "balanced_accuracy macro_precision macro_recall macro_f1 "
        "g_mean mcc",
        "measures.metrics.cost": "cost_loss",
        "measures.metrics.probabilities": "log_loss brier auc",
        "measures.metrics.regression": "mae rmse r2",
    },
    "source": {
        "monitoring.sources.growing_file": "GrowingFile",
        "monitoring.sources.folder": "Folder",
        "monitoring.sources.standard_input": "StandardInput",
    },
    "file format": {
        "streams.formats.csv_lines": "csv",
        "streams.formats.json_lines": "jsonl",
        "streams.formats.parquet": "parquet arrow",
        "streams.formats.arff": "arff",
    },
    "verb": {
        "cli.evaluate": "evaluate",
        "cli.score": "score",
        "cli.inspect": "inspect",
        "cli.compare": "compare",
        "cli.rank": "rank",
        "cli.plot": "plot",
        "cli.reproduce": "reproduce",
        "cli.detect": "detect",
        "cli.run": "run",
        "cli.status": "status",
        "cli.table": "table",
        "cli.report": "report",
        "cli.watch": "watch",
        "cli.monitor": "monitor",
        "cli.demo": "demo",
        "cli.data": "data",
        "cli.names": "names",
    },
}
# Second names, of the papers and MOA: accepted wherever a name is, and never shown.
SECOND_NAMES: Mapping[str, str] = {"NoChange": "Persistent", "SWT": "TemporallyAugmented"}
# The groups in which people read the public names, as in `help(streamgauge)`.
GROUPS: Mapping[str, tuple[Kind, ...]] = {
    "Functions and plans": ("function", "plan"),
    "Streams": ("reader", "generator", "transform"),
    "Learners": ("learner",),
    "Learners of other libraries": ("adapter",),
    "Wrappers": ("wrapper",),
    "References": ("reference",),
    "Labels": ("label policy",),
    "Protocols": ("protocol", "re-evaluation"),
    "Forgetting": ("forgetting",),
    "Metrics": ("metric",),
    "Detectors": ("detector",),
    "Results": ("result",),
    "Contracts": ("contract",),
    "Errors": ("error",),
}
# Looked up by their kind alone: `kappa` is a metric, `evaluate` both a function and a verb.
BY_KIND: tuple[Kind, ...] = ("metric", "source", "file format", "verb")
KINDS: tuple[Kind, ...] = tuple(kind for kind in _TABLE if kind not in BY_KIND)


@cache
def _modules(*kinds: Kind) -> Mapping[str, str]:
    """The names of these kinds that streamgauge itself defines, and their modules."""
    found = {
        name: module
        for kind in kinds
        for module, defined in _TABLE[kind].items()
        for name in defined.split()
    }
    second = {name: found[first] for name, first in SECOND_NAMES.items() if first in found}
    return found | second


PUBLIC = frozenset(_modules(*KINDS))


def own_names(*kinds: Kind) -> tuple[str, ...]:
    """The names of these kinds that streamgauge itself defines, in the registry's order."""
    return tuple(_modules(*kinds))


def shown_names(*kinds: Kind) -> tuple[str, ...]:
    """The names of these kinds to list for people: all but the second ones."""
    return tuple(name for name in names(*kinds) if name not in SECOND_NAMES)


def names(*kinds: Kind) -> tuple[str, ...]:
    """All names of these kinds: our own, then those of installed packages."""
    own = own_names(*kinds)
    added = [name for kind in kinds for name in entry_points.names(kind)]
    return own + tuple(name for name in added if name not in own)


def module_of(name: str, *kinds: Kind) -> str:
    """The module that defines a name of these kinds; without kinds, a public name."""
    return f"streamgauge.{_modules(*(kinds or KINDS))[name]}"


def find(name: str, *kinds: Kind) -> Any:
    """The object with a name of these kinds; its module is imported only now.

    Without kinds, the object with a public name of streamgauge.
    """
    own = _modules(*(kinds or KINDS)).get(name)
    for kind in kinds:
        if name in entry_points.names(kind):
            if own is not None:
                raise UsageError(
                    f"{name!r} is a {kind} of streamgauge and of {entry_points.source(kind, name)};"
                    " rename it there, or uninstall that package"
                )
            return entry_points.load(kind, name)
    return getattr(importlib.import_module(module_of(name, *kinds)), name)
