"""streamgauge: is this stream classifier any better than repeating the last label?

Names are loaded when first used, so that importing costs nothing and compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamgauge.comparison.alarms import AlarmScore as AlarmScore
    from streamgauge.comparison.compare import compare as compare
    from streamgauge.comparison.comparison import Comparison as Comparison
    from streamgauge.comparison.comparison import Comparisons as Comparisons
    from streamgauge.comparison.ranking import Ranking as Ranking
    from streamgauge.comparison.ranking import rank as rank
    from streamgauge.comparison.scorecard import Scorecard as Scorecard
    from streamgauge.comparison.scorecard import score_alarms as score_alarms
    from streamgauge.detection import Detections as Detections
    from streamgauge.detection import detect as detect
    from streamgauge.detectors.adwin import ADWIN as ADWIN
    from streamgauge.detectors.ddm import DDM as DDM
    from streamgauge.detectors.dummies import NeverAlarm as NeverAlarm
    from streamgauge.detectors.dummies import PeriodicAlarm as PeriodicAlarm
    from streamgauge.detectors.dummies import RandomAlarm as RandomAlarm
    from streamgauge.detectors.eddm import EDDM as EDDM
    from streamgauge.detectors.page_hinkley import PageHinkley as PageHinkley
    from streamgauge.detectors.ratio import RatioPageHinkley as RatioPageHinkley
    from streamgauge.errors import DownloadError as DownloadError
    from streamgauge.errors import InputError as InputError
    from streamgauge.errors import LearnerError as LearnerError
    from streamgauge.errors import MissingExtra as MissingExtra
    from streamgauge.errors import StreamgaugeError as StreamgaugeError
    from streamgauge.errors import UsageError as UsageError
    from streamgauge.evaluation import evaluate as evaluate
    from streamgauge.experiments.execute import run as run
    from streamgauge.experiments.grid import Grid as Grid
    from streamgauge.experiments.results import Results as Results
    from streamgauge.experiments.results import results as results
    from streamgauge.inspection.inspector import inspect as inspect
    from streamgauge.inspection.profile import Profile as Profile
    from streamgauge.learners.adapters.capymoa import from_capymoa as from_capymoa
    from streamgauge.learners.adapters.river import from_river as from_river
    from streamgauge.learners.adapters.sklearn import from_sklearn as from_sklearn
    from streamgauge.learners.adapters.torch import from_torch as from_torch
    from streamgauge.learners.adaptive_random_forest import (
        AdaptiveRandomForest as AdaptiveRandomForest,
    )
    from streamgauge.learners.adaptive_random_forest_regressor import (
        AdaptiveRandomForestRegressor as AdaptiveRandomForestRegressor,
    )
    from streamgauge.learners.am_rules import AMRules as AMRules
    from streamgauge.learners.augmented import SWT as SWT
    from streamgauge.learners.augmented import TemporallyAugmented as TemporallyAugmented
    from streamgauge.learners.bagging import LeveragingBagging as LeveragingBagging
    from streamgauge.learners.bagging import OnlineBagging as OnlineBagging
    from streamgauge.learners.clstm import CLSTM as CLSTM
    from streamgauge.learners.correction import TemporalCorrection as TemporalCorrection
    from streamgauge.learners.hoeffding_adaptive_tree import (
        HoeffdingAdaptiveTree as HoeffdingAdaptiveTree,
    )
    from streamgauge.learners.hoeffding_tree import HoeffdingTree as HoeffdingTree
    from streamgauge.learners.hoeffding_tree_regressor import (
        HoeffdingTreeRegressor as HoeffdingTreeRegressor,
    )
    from streamgauge.learners.knn import KNN as KNN
    from streamgauge.learners.majority import Majority as Majority
    from streamgauge.learners.mean import LastValue as LastValue
    from streamgauge.learners.mean import Mean as Mean
    from streamgauge.learners.naive_bayes import NaiveBayes as NaiveBayes
    from streamgauge.learners.persistent import Persistent as Persistent
    from streamgauge.learners.resetting import Resetting as Resetting
    from streamgauge.learners.transition import Transition as Transition
    from streamgauge.measures.forgetting import Cumulative as Cumulative
    from streamgauge.measures.forgetting import Fading as Fading
    from streamgauge.measures.forgetting import TimeWindow as TimeWindow
    from streamgauge.measures.forgetting import Window as Window
    from streamgauge.prequential.labels import Chunks as Chunks
    from streamgauge.prequential.labels import Delay as Delay
    from streamgauge.prequential.labels import FromStream as FromStream
    from streamgauge.prequential.labels import Immediate as Immediate
    from streamgauge.prequential.labels import Sampled as Sampled
    from streamgauge.prequential.protocols import Holdout as Holdout
    from streamgauge.prequential.protocols import PrequentialCV as PrequentialCV
    from streamgauge.prequential.reevaluate import Reevaluate as Reevaluate
    from streamgauge.runs.run import Run as Run
    from streamgauge.runs.stored import StoredRun as StoredRun
    from streamgauge.scoring import score as score
    from streamgauge.streams.base import Stream as Stream
    from streamgauge.streams.catalog import load as load
    from streamgauge.streams.drift import drift as drift
    from streamgauge.streams.events import from_events as from_events
    from streamgauge.streams.events import read_events as read_events
    from streamgauge.streams.files import read as read
    from streamgauge.streams.frames import from_arrays as from_arrays
    from streamgauge.streams.frames import from_frame as from_frame
    from streamgauge.streams.frames import from_rows as from_rows
    from streamgauge.streams.inject import inject as inject
    from streamgauge.streams.reorder import shuffled as shuffled
    from streamgauge.streams.reorder import shuffled_within_class as shuffled_within_class
    from streamgauge.streams.synth.agrawal import Agrawal as Agrawal
    from streamgauge.streams.synth.hyperplane import Hyperplane as Hyperplane
    from streamgauge.streams.synth.led import LED as LED
    from streamgauge.streams.synth.random_rbf import RandomRBF as RandomRBF
    from streamgauge.streams.synth.random_rbf_drift import RandomRBFDrift as RandomRBFDrift
    from streamgauge.streams.synth.random_tree import RandomTree as RandomTree
    from streamgauge.streams.synth.sea import SEA as SEA
    from streamgauge.streams.synth.sine import Sine1 as Sine1
    from streamgauge.streams.synth.sine import Sine2 as Sine2
    from streamgauge.streams.synth.stagger import STAGGER as STAGGER
    from streamgauge.streams.synth.waveform import Waveform as Waveform
    from streamgauge.streams.tenet import tenet_streams as tenet_streams
    from streamgauge.types import Block as Block
    from streamgauge.types import Schema as Schema

__version__ = "0.1.0"

_HOME = {
    "comparison.compare": "compare",
    "comparison.comparison": "Comparison Comparisons",
    "comparison.ranking": "Ranking rank",
    "comparison.alarms": "AlarmScore",
    "comparison.scorecard": "Scorecard score_alarms",
    "detection": "Detections detect",
    "detectors.adwin": "ADWIN",
    "detectors.ddm": "DDM",
    "detectors.dummies": "NeverAlarm PeriodicAlarm RandomAlarm",
    "detectors.eddm": "EDDM",
    "detectors.page_hinkley": "PageHinkley",
    "detectors.ratio": "RatioPageHinkley",
    "errors": "DownloadError InputError LearnerError MissingExtra StreamgaugeError UsageError",
    "evaluation": "evaluate",
    "experiments.execute": "run",
    "experiments.grid": "Grid",
    "experiments.results": "Results results",
    "inspection.inspector": "inspect",
    "inspection.profile": "Profile",
    "learners.adapters.capymoa": "from_capymoa",
    "learners.adapters.river": "from_river",
    "learners.adapters.sklearn": "from_sklearn",
    "learners.adapters.torch": "from_torch",
    "learners.adaptive_random_forest_regressor": "AdaptiveRandomForestRegressor",
    "learners.am_rules": "AMRules",
    "learners.augmented": "SWT TemporallyAugmented",
    "learners.clstm": "CLSTM",
    "learners.correction": "TemporalCorrection",
    "learners.adaptive_random_forest": "AdaptiveRandomForest",
    "learners.bagging": "LeveragingBagging OnlineBagging",
    "learners.hoeffding_adaptive_tree": "HoeffdingAdaptiveTree",
    "learners.hoeffding_tree": "HoeffdingTree",
    "learners.hoeffding_tree_regressor": "HoeffdingTreeRegressor",
    "learners.knn": "KNN",
    "learners.majority": "Majority",
    "learners.mean": "LastValue Mean",
    "learners.naive_bayes": "NaiveBayes",
    "learners.persistent": "Persistent",
    "learners.resetting": "Resetting",
    "learners.transition": "Transition",
    "measures.forgetting": "Cumulative Fading TimeWindow Window",
    "prequential.labels": "Chunks Delay FromStream Immediate Sampled",
    "prequential.protocols": "Holdout PrequentialCV",
    "prequential.reevaluate": "Reevaluate",
    "runs.run": "Run",
    "runs.stored": "StoredRun",
    "scoring": "score",
    "streams.base": "Stream",
    "streams.catalog": "load",
    "streams.drift": "drift",
    "streams.events": "from_events read_events",
    "streams.files": "read",
    "streams.frames": "from_arrays from_frame from_rows",
    "streams.inject": "inject",
    "streams.reorder": "shuffled shuffled_within_class",
    "streams.synth.agrawal": "Agrawal",
    "streams.synth.hyperplane": "Hyperplane",
    "streams.synth.led": "LED",
    "streams.synth.random_rbf": "RandomRBF",
    "streams.synth.random_rbf_drift": "RandomRBFDrift",
    "streams.synth.random_tree": "RandomTree",
    "streams.synth.sea": "SEA",
    "streams.synth.sine": "Sine1 Sine2",
    "streams.synth.stagger": "STAGGER",
    "streams.synth.waveform": "Waveform",
    "streams.tenet": "tenet_streams",
    "types": "Block Schema",
}
_MODULE = {name: module for module, names in _HOME.items() for name in names.split()}
__all__ = sorted(_MODULE)  # noqa: PLE0605 - computed, so that there is one list


def __getattr__(name: str) -> object:
    if name == "testing":
        return importlib.import_module("streamgauge.testing")
    if name not in _MODULE:
        raise AttributeError(f"module 'streamgauge' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"streamgauge.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__, "testing"]
