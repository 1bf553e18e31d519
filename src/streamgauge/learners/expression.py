"""Learners and detectors by text, as on the command line: known names and literals, never `eval`.

`NaiveBayes`, `Majority(window=100)`, `river:tree.HoeffdingTreeClassifier(grace_period=50)`,
`capymoa:HoeffdingTree(grace_period=50)`, and one around another:
`TemporallyAugmented(river:naive_bayes.GaussianNB(), order=2)`, `Resetting(NaiveBayes(), DDM())`.
Detectors alike: `PageHinkley(on=Fading(0.997))`.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.adwin import ADWIN
from streamgauge.detectors.base import Detector
from streamgauge.detectors.ddm import DDM
from streamgauge.detectors.dummies import NeverAlarm, PeriodicAlarm, RandomAlarm
from streamgauge.detectors.eddm import EDDM
from streamgauge.detectors.page_hinkley import PageHinkley
from streamgauge.detectors.ratio import RatioPageHinkley
from streamgauge.errors import MissingExtra, UsageError
from streamgauge.learners.adapters.capymoa import from_capymoa
from streamgauge.learners.adapters.river import from_river
from streamgauge.learners.adaptive_random_forest import AdaptiveRandomForest
from streamgauge.learners.adaptive_random_forest_regressor import AdaptiveRandomForestRegressor
from streamgauge.learners.am_rules import AMRules
from streamgauge.learners.augmented import TemporallyAugmented
from streamgauge.learners.bagging import LeveragingBagging, OnlineBagging
from streamgauge.learners.clstm import CLSTM
from streamgauge.learners.correction import TemporalCorrection
from streamgauge.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.learners.hoeffding_tree_regressor import HoeffdingTreeRegressor
from streamgauge.learners.knn import KNN
from streamgauge.learners.majority import Majority
from streamgauge.learners.mean import LastValue, Mean
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.resetting import Resetting
from streamgauge.learners.transition import Transition
from streamgauge.measures.forgetting import Cumulative, Fading, Window
from streamgauge.strict import did_you_mean
from streamgauge.written import Names, read

LEARNERS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        NaiveBayes,
        HoeffdingTree,
        HoeffdingAdaptiveTree,
        AdaptiveRandomForest,
        LeveragingBagging,
        OnlineBagging,
        KNN,
        CLSTM,
        Majority,
        Persistent,
        Transition,
        HoeffdingTreeRegressor,
        AdaptiveRandomForestRegressor,
        AMRules,
        Mean,
        LastValue,
    )
}
WRAPPERS: Mapping[str, type[Any]] = {
    "TemporallyAugmented": TemporallyAugmented,
    "SWT": TemporallyAugmented,
    "TemporalCorrection": TemporalCorrection,
    "Resetting": Resetting,
}
DETECTORS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        DDM, EDDM, ADWIN, PageHinkley, RatioPageHinkley, RandomAlarm, PeriodicAlarm, NeverAlarm,
    )
}  # fmt: skip
FORGETTINGS: Mapping[str, type[Any]] = {cls.__name__: cls for cls in (Cumulative, Window, Fading)}


def parse_learner(text: str, modules: Sequence[str] = ()) -> Any:
    """The learner a text names; `modules` of one's own may be named too: `mine:Learner(x=1)`."""
    prefix, colon, expression = text.partition(":")
    hint = (
        f"learner {text!r}: {{}}; expected a name such as {', '.join(LEARNERS)} or "
        "river:tree.HoeffdingTreeClassifier() or capymoa:HoeffdingTree(), with literal "
        'parameters: "Majority(window=100)",'
        f" or one around another: {', '.join(WRAPPERS)}, as in SWT(NaiveBayes(), order=2) or "
        f"Resetting(NaiveBayes(), DDM()), with a detector of {', '.join(DETECTORS)}"
    )
    if not colon or "(" in prefix or prefix in modules:
        return _build(text, hint, _names(modules))
    if prefix not in _LIBRARIES:
        raise UsageError(
            f"learner {text!r}: unknown prefix {prefix!r}; expected one of "
            f"{', '.join((*LEARNERS, *WRAPPERS))}, river:module.Class(...) or capymoa:Class(...); "
            "a module of your own is named in `modules` of an experiment"
        )
    return _build(expression, hint, _LIBRARIES[prefix])


def parse_detector(text: str) -> Detector:
    """The detector a text names."""
    hint = (
        f"detector {text!r}: {{}}; expected a name such as {', '.join(DETECTORS)} or "
        'river:drift.KSWIN(), with literal parameters: "PageHinkley(on=Fading(0.997))"'
    )
    return as_detector(_build(text, hint, _names(())))


def _short(expression: str) -> str:
    """Without the module: tree.HoeffdingTreeClassifier(delta=0.01) loses its tree."""
    name, bracket, arguments = expression.strip().partition("(")
    return name.rpartition(".")[2] + bracket + arguments


def _build(expression: str, hint: str, reader: Names | Callable[[str], Any]) -> Any:
    """What an expression names; else the hint, with what is wrong in it."""
    try:
        return read(expression, reader) if isinstance(reader, Names) else reader(expression)
    except (MissingExtra, UsageError):
        raise
    except (SyntaxError, ValueError, TypeError, AttributeError) as error:
        raise UsageError(hint.replace("{}", str(error), 1)) from None


def _names(modules: Sequence[str]) -> Names:
    """Ours, those of the user's own modules, and behind their prefixes other libraries'."""
    return Names(lambda name: _own(name, modules), _LIBRARIES, tuple(modules))


def _own(name: str, modules: Sequence[str]) -> Any:
    module, _, class_name = name.rpartition(".")
    if module in modules:
        return _from_module(module, class_name)
    there = {**LEARNERS, **WRAPPERS, **DETECTORS, **FORGETTINGS}
    if name not in there:
        raise ValueError(f"unknown name {name!r}{did_you_mean(name, there)}")
    return there[name]


def _from_module(module: str, name: str) -> Any:
    """A class or function that stands in a module of one's own, and nothing that it imports."""
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise ValueError(f"module {module!r} cannot be imported: {error}") from None
    home = str(getattr(found, "__module__", None))
    if not callable(found) or not f"{home}.".startswith(f"{module}."):
        raise ValueError(f"module {module!r} has no class or function {name!r} of its own")
    return found


def _capymoa_learner(expression: str) -> Any:
    return read(expression, Names(_capymoas, modules=("capymoa",), alone=False))


def _capymoas(name: str) -> Any:
    """A learner of CapyMOA's; whether there is one of that name is seen when Java starts."""
    return partial(from_capymoa, name.removeprefix("capymoa."))


def _river_learner(expression: str) -> Any:
    return from_river(read(expression, Names(_rivers, alone=False)), name=_short(expression))


def _rivers(name: str) -> Any:
    """A class of River's public modules, and nothing that those modules import."""
    module_name, _, class_name = name.rpartition(".")
    try:
        importlib.import_module("river")
    except ImportError:
        raise MissingExtra("river", "river") from None
    try:
        module = importlib.import_module(f"river.{module_name}")
    except ImportError:
        raise ValueError(f"River has no module {module_name!r}") from None
    found = getattr(module, class_name, None)
    if not inspect.isclass(found) or not found.__module__.startswith("river."):
        raise ValueError(f"River's {module_name!r} has no class {class_name!r}")
    return found


_LIBRARIES: Mapping[str, Callable[[str], Any]] = {
    "river": _river_learner,
    "capymoa": _capymoa_learner,
}
