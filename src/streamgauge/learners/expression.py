"""Learners by text, as the command line gives them: registered names and literals, never `eval`.

`NaiveBayes`, `Majority(window=100)`, `river:tree.HoeffdingTreeClassifier(grace_period=50)`, and one
around another: `TemporallyAugmented(river:naive_bayes.GaussianNB(), order=2)`,
`Resetting(NaiveBayes(), DDM())`.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from streamgauge.detectors.adwin import ADWIN
from streamgauge.detectors.ddm import DDM
from streamgauge.detectors.dummies import NeverAlarm, PeriodicAlarm, RandomAlarm
from streamgauge.detectors.page_hinkley import PageHinkley
from streamgauge.errors import MissingExtra, UsageError
from streamgauge.learners.adapters.river import from_river
from streamgauge.learners.adaptive_random_forest import AdaptiveRandomForest
from streamgauge.learners.augmented import TemporallyAugmented
from streamgauge.learners.bagging import LeveragingBagging, OnlineBagging
from streamgauge.learners.clstm import CLSTM
from streamgauge.learners.correction import TemporalCorrection
from streamgauge.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.learners.knn import KNN
from streamgauge.learners.majority import Majority
from streamgauge.learners.mean import LastValue, Mean
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.resetting import Resetting
from streamgauge.learners.transition import Transition
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
    cls.__name__: cls for cls in (DDM, ADWIN, PageHinkley, RandomAlarm, PeriodicAlarm, NeverAlarm)
}


def parse_learner(text: str, modules: Sequence[str] = ()) -> Any:
    """The learner a text names; `modules` of one's own may be named too: `mine:Learner(x=1)`."""
    prefix, colon, _ = text.partition(":")
    if colon and "(" not in prefix and prefix not in ("river", *modules):
        raise UsageError(
            f"learner {text!r}: unknown prefix {prefix!r}; expected one of "
            f"{', '.join((*LEARNERS, *WRAPPERS))}, or river:module.Class(...); a module of your "
            "own is named in `modules` of an experiment"
        )
    try:
        if prefix == "river":
            return _river_learner(text.partition(":")[2])
        own = Names(lambda name: _own(name, modules), {"river": _river_learner}, tuple(modules))
        return read(text, own)
    except MissingExtra:
        raise
    except (SyntaxError, ValueError, TypeError, AttributeError) as error:
        raise UsageError(
            f"learner {text!r}: {error}; expected a name such as {', '.join(LEARNERS)} or "
            'river:tree.HoeffdingTreeClassifier(), with literal parameters: "Majority(window=100)",'
            f" or one around another: {', '.join(WRAPPERS)}, as in SWT(NaiveBayes(), order=2) or "
            f"Resetting(NaiveBayes(), DDM()), with a detector of {', '.join(DETECTORS)}"
        ) from None


def _river_learner(expression: str) -> Any:
    return from_river(read(expression, Names(_rivers, alone=False)), name=_short(expression))


def _short(expression: str) -> str:
    """Without the module: tree.HoeffdingTreeClassifier(delta=0.01) loses its tree."""
    name, bracket, arguments = expression.strip().partition("(")
    return name.rpartition(".")[2] + bracket + arguments


def _own(name: str, modules: Sequence[str]) -> Any:
    module, _, class_name = name.rpartition(".")
    if module in modules:
        return _from_module(module, class_name)
    there = {**LEARNERS, **WRAPPERS, **DETECTORS}
    if name not in there:
        raise ValueError(f"unknown learner {name!r}{did_you_mean(name, there)}")
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
