"""The public names, for type checkers and editors; written by `make stub` from the registry."""

from streamgauge import testing as testing
from streamgauge._support.errors import DownloadError as DownloadError
from streamgauge._support.errors import InputError as InputError
from streamgauge._support.errors import Interrupted as Interrupted
from streamgauge._support.errors import LearnerError as LearnerError
from streamgauge._support.errors import MissingExtra as MissingExtra
from streamgauge._support.errors import StreamgaugeError as StreamgaugeError
from streamgauge._support.errors import UsageError as UsageError
from streamgauge._support.types import Block as Block
from streamgauge._support.types import Drift as Drift
from streamgauge._support.types import Schema as Schema
from streamgauge.comparison.ablation import Ablation as Ablation
from streamgauge.comparison.ablation import ablate as ablate
from streamgauge.comparison.compare import compare as compare
from streamgauge.comparison.planning import rows_needed as rows_needed
from streamgauge.comparison.result import Comparison as Comparison
from streamgauge.comparison.result import Comparisons as Comparisons
from streamgauge.detection.alarm_draws import AlarmDraws as AlarmDraws
from streamgauge.detection.alarms import AlarmScore as AlarmScore
from streamgauge.detection.detect import Detections as Detections
from streamgauge.detection.detect import detect as detect
from streamgauge.detection.scorecard import Scorecard as Scorecard
from streamgauge.detection.scorecard import score_detectors as score_detectors
from streamgauge.detectors.adwin import ADWIN as ADWIN
from streamgauge.detectors.base import Detector as Detector
from streamgauge.detectors.calibrate import Calibration as Calibration
from streamgauge.detectors.calibrate import calibrate as calibrate
from streamgauge.detectors.ddm import DDM as DDM
from streamgauge.detectors.e_detector import EDetector as EDetector
from streamgauge.detectors.eddm import EDDM as EDDM
from streamgauge.detectors.never_alarm import NeverAlarm as NeverAlarm
from streamgauge.detectors.page_hinkley import PageHinkley as PageHinkley
from streamgauge.detectors.periodic_alarm import PeriodicAlarm as PeriodicAlarm
from streamgauge.detectors.random_alarm import RandomAlarm as RandomAlarm
from streamgauge.detectors.ratio_page_hinkley import RatioPageHinkley as RatioPageHinkley
from streamgauge.evaluation.evaluate import evaluate as evaluate
from streamgauge.evaluation.score import score as score
from streamgauge.experiments.grid import Grid as Grid
from streamgauge.experiments.results import Results as Results
from streamgauge.experiments.results import results as results
from streamgauge.experiments.run_grid import run_grid as run_grid
from streamgauge.experiments.table import table as table
from streamgauge.inspection.inspect import inspect as inspect
from streamgauge.inspection.profile import Profile as Profile
from streamgauge.learners.adapters.capymoa import from_capymoa as from_capymoa
from streamgauge.learners.adapters.river import from_river as from_river
from streamgauge.learners.adapters.sklearn import from_sklearn as from_sklearn
from streamgauge.learners.adapters.torch import from_torch as from_torch
from streamgauge.learners.base import Learner as Learner
from streamgauge.learners.ensembles.adaptive_random_forest import (
    AdaptiveRandomForest as AdaptiveRandomForest,
)
from streamgauge.learners.ensembles.adaptive_random_forest_regressor import (
    AdaptiveRandomForestRegressor as AdaptiveRandomForestRegressor,
)
from streamgauge.learners.ensembles.adwin_bagging import ADWINBagging as ADWINBagging
from streamgauge.learners.ensembles.dynamic_weighted_majority import (
    DynamicWeightedMajority as DynamicWeightedMajority,
)
from streamgauge.learners.ensembles.leveraging_bagging import LeveragingBagging as LeveragingBagging
from streamgauge.learners.ensembles.online_accuracy_updated_ensemble import (
    OnlineAccuracyUpdatedEnsemble as OnlineAccuracyUpdatedEnsemble,
)
from streamgauge.learners.ensembles.online_bagging import OnlineBagging as OnlineBagging
from streamgauge.learners.ensembles.streaming_gradient_boosted_trees import (
    StreamingGradientBoostedTrees as StreamingGradientBoostedTrees,
)
from streamgauge.learners.ensembles.streaming_gradient_boosted_trees_regressor import (
    StreamingGradientBoostedTreesRegressor as StreamingGradientBoostedTreesRegressor,
)
from streamgauge.learners.ensembles.streaming_random_patches import (
    StreamingRandomPatches as StreamingRandomPatches,
)
from streamgauge.learners.knn import KNN as KNN
from streamgauge.learners.naive_bayes import NaiveBayes as NaiveBayes
from streamgauge.learners.neural.clstm import CLSTM as CLSTM
from streamgauge.learners.neural.esn import ESN as ESN
from streamgauge.learners.references.last_value import LastValue as LastValue
from streamgauge.learners.references.majority import Majority as Majority
from streamgauge.learners.references.mean import Mean as Mean
from streamgauge.learners.references.persistent import NoChange as NoChange
from streamgauge.learners.references.persistent import Persistent as Persistent
from streamgauge.learners.references.seasonal import Seasonal as Seasonal
from streamgauge.learners.references.transition import Transition as Transition
from streamgauge.learners.rules.am_rules import AMRules as AMRules
from streamgauge.learners.sam_knn import SAMkNN as SAMkNN
from streamgauge.learners.trees.extremely_fast_decision_tree import (
    ExtremelyFastDecisionTree as ExtremelyFastDecisionTree,
)
from streamgauge.learners.trees.hoeffding_adaptive_tree import (
    HoeffdingAdaptiveTree as HoeffdingAdaptiveTree,
)
from streamgauge.learners.trees.hoeffding_tree import HoeffdingTree as HoeffdingTree
from streamgauge.learners.trees.hoeffding_tree_regressor import (
    HoeffdingTreeRegressor as HoeffdingTreeRegressor,
)
from streamgauge.learners.wrappers.labels_only import LabelsOnly as LabelsOnly
from streamgauge.learners.wrappers.resetting import Resetting as Resetting
from streamgauge.learners.wrappers.temporal_correction import (
    TemporalCorrection as TemporalCorrection,
)
from streamgauge.learners.wrappers.temporally_augmented import SWT as SWT
from streamgauge.learners.wrappers.temporally_augmented import (
    TemporallyAugmented as TemporallyAugmented,
)
from streamgauge.learners.wrappers.windowed import Windowed as Windowed
from streamgauge.measures.forgetting import Cumulative as Cumulative
from streamgauge.measures.forgetting import Fading as Fading
from streamgauge.measures.forgetting import Forgetting as Forgetting
from streamgauge.measures.forgetting import TimeWindow as TimeWindow
from streamgauge.measures.forgetting import Window as Window
from streamgauge.measures.metric import Metric as Metric
from streamgauge.measures.reference import Reference as Reference
from streamgauge.measures.sample_size import hoeffding_rows as hoeffding_rows
from streamgauge.monitoring.monitor import Monitor as Monitor
from streamgauge.monitoring.sources.base import Source as Source
from streamgauge.papers.reproduce import reproduce as reproduce
from streamgauge.prequential.labels import Chunks as Chunks
from streamgauge.prequential.labels import Delay as Delay
from streamgauge.prequential.labels import FromStream as FromStream
from streamgauge.prequential.labels import Immediate as Immediate
from streamgauge.prequential.labels import LabelPolicy as LabelPolicy
from streamgauge.prequential.labels import Timetable as Timetable
from streamgauge.prequential.protocols import Holdout as Holdout
from streamgauge.prequential.protocols import PrequentialCV as PrequentialCV
from streamgauge.prequential.random_delay import RandomDelay as RandomDelay
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate as Reevaluate
from streamgauge.prequential.sampled import Sampled as Sampled
from streamgauge.ranking.rank import rank as rank
from streamgauge.ranking.ranking import Ranking as Ranking
from streamgauge.ranking.rankings import Rankings as Rankings
from streamgauge.reports.report import report as report
from streamgauge.runs.open_run import open_run as open_run
from streamgauge.runs.plot import plot as plot
from streamgauge.runs.run import Run as Run
from streamgauge.runs.runs import Runs as Runs
from streamgauge.streams.base import Stream as Stream
from streamgauge.streams.datasets.catalog import load as load
from streamgauge.streams.events import from_events as from_events
from streamgauge.streams.events import read_events as read_events
from streamgauge.streams.files import read as read
from streamgauge.streams.formats.file_format import FileFormat as FileFormat
from streamgauge.streams.formats.pieces import LineParser as LineParser
from streamgauge.streams.formats.pieces import Piece as Piece
from streamgauge.streams.formats.table import TypedTable as TypedTable
from streamgauge.streams.frames import from_arrays as from_arrays
from streamgauge.streams.frames import from_frame as from_frame
from streamgauge.streams.frames import from_rows as from_rows
from streamgauge.streams.generators.agrawal import Agrawal as Agrawal
from streamgauge.streams.generators.hyperplane import Hyperplane as Hyperplane
from streamgauge.streams.generators.led import LED as LED
from streamgauge.streams.generators.random_rbf import RandomRBF as RandomRBF
from streamgauge.streams.generators.random_rbf_drift import RandomRBFDrift as RandomRBFDrift
from streamgauge.streams.generators.random_tree import RandomTree as RandomTree
from streamgauge.streams.generators.sea import SEA as SEA
from streamgauge.streams.generators.sine import Sine1 as Sine1
from streamgauge.streams.generators.sine import Sine2 as Sine2
from streamgauge.streams.generators.stagger import STAGGER as STAGGER
from streamgauge.streams.generators.tenet import tenet_streams as tenet_streams
from streamgauge.streams.generators.waveform import Waveform as Waveform
from streamgauge.streams.transforms.inject import inject as inject
from streamgauge.streams.transforms.shuffle import shuffled as shuffled
from streamgauge.streams.transforms.shuffle import shuffled_within_class as shuffled_within_class
from streamgauge.streams.transforms.splice import splice as splice

__all__: list[str]
__version__: str
